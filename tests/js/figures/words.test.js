// What <attn-words> computes: words of pieces, and the weights of a row against float64.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { attentionOf } from '../../../web/language/index.js';
import { lookedFor } from '../../../web/language/recorded/measure.js';
import { openModel } from '../../../web/language/recorded/open.js';
import recorded from '../../../web/language/recorded/sentences.js';
import { sentenceOf } from '../../../web/recording/sentences.js';
import { wordsOf } from '../../../web/figures/common/words-of-pieces.js';
import { attend, rowsOfHead } from '../../../web/figures/words/attend.js';
import { load, spec } from '../../../web/figures/words/element.js';
import { layOut } from '../../../web/figures/words/picture.js';
import { spec as languageSpec } from '../../../web/figures/language/element.js';
import { drawStatic, staticView } from '../../../web/figures/kit/chart/static.js';
import { toCsv } from '../../../web/figures/kit/shell/download.js';
import { unmarked } from '../../../web/figures/kit/state/verbatim.js';
import { LANGUAGE_KEYS, LANGUAGES } from '../../../web/shared/languages.js';
import { times } from '../../../web/shared/times.js';

/** @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js' */

const run = promisify(execFile);

/** Returns the weights of scores in float64. @param {number[]} scores */
function softmax64(scores) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

describe('words', () => {
  const textsOf = (/** @type {string[]} */ pieces) => wordsOf(pieces).map(({ text }) => text);

  it('are joined from their pieces, apart from punctuation', () => {
    const pieces = ['Call', ' me', ' I', 'sh', 'ma', 'el', '.', ' Don', "'", 't', '!', '?'];
    assert.deepEqual(textsOf(pieces), ['Call', 'me', 'Ishmael', '.', "Don't", '!?']);
  });

  it('are single characters in Chinese', () => {
    assert.deepEqual(textsOf(['床', '前', '，', '月']), ['床', '前', '，', '月']);
  });
});

describe('the row of a word', () => {
  const n = 4;
  const scores = {
    shape: [1, 2, n, n],
    data: Float32Array.from({ length: 2 * n * n }, (_, i) => (i % 7) / 2),
  };
  const words = wordsOf(['a', ' b', 'c', ' d']);
  const layer = /** @type {any} */ ({ scores });

  it('has the weights of its last piece, summed over the pieces of each word', () => {
    const row = [...scores.data.subarray(n * n + 2 * n, n * n + 2 * n + 3)];
    for (const factor of [0, 1, 2.5]) {
      const p = softmax64(row.map((score) => factor * score));
      const q = softmax64(row.map((score) => 8 * score));
      const found = attend(rowsOfHead(layer, 1), words, { chosen: 1, factor, scale: 1 / 8 });
      const expected = [
        { text: 'a', weight: p[0], unscaled: q[0] },
        { text: 'bc', weight: p[1] + p[2], unscaled: q[1] + q[2] },
        { text: 'd', weight: 0, unscaled: 0 },
      ];
      for (const [i, { text, weight, unscaled }] of expected.entries()) {
        assert.equal(found.words[i].text, text);
        assert.ok(Math.abs(found.words[i].weight - weight) < 1e-6);
        assert.ok(Math.abs(found.words[i].unscaled - unscaled) < 1e-6);
      }
    }
  });

  it('is spread evenly by a factor of 0', () => {
    const { entropyRatio } = attend(rowsOfHead(layer, 0), words, {
      chosen: 2,
      factor: 0,
      scale: 1,
    });
    assert.ok(Math.abs(entropyRatio - 1) < 1e-6);
  });
});

describe('what a head looks for', () => {
  it('is weighed by the mean over rows that have a place to look at, and over weights alike', async () => {
    const model = await openModel('en');
    const window = times(model.config.context, (i) => i % 40);
    const goals = [window.map((_, row) => (row === 3 ? [1, 2] : row === 9 ? [0] : []))];
    const { weight, even } = lookedFor(model, [window], { layer: 1, head: 0, goals });
    const [, { scores }] = attentionOf(model, window);
    const rowOf = rowsOfHead(/** @type {any} */ ({ scores }), 0);
    const [third, ninth] = [3, 9].map((row) => softmax64(Array.from(rowOf(row))));
    assert.ok(Math.abs(weight - (third[1] + third[2] + ninth[0]) / 2) < 1e-6);
    assert.ok(Math.abs(even - (2 / 4 + 1 / 10) / 2) < 1e-12);
  });

  it('is where it looks most in the sentences of the beginning, and far more than chance', () => {
    for (const [lang, sought] of /** @type {const} */ ([
      ['en', '.'],
      ['zh', '尽'],
    ])) {
      const { words, chosen, reason } = staticView(spec, { lang }).data;
      const weights = words.map((/** @type {any} */ { weight }) => weight);
      const top = weights.indexOf(Math.max(...weights));
      assert.ok(weights[top] > 0.8 && top < chosen);
      assert.equal(words[top].text, sought);
      assert.ok(reason.weight > 4 * reason.even);
    }
  });
});

describe('the figure', async () => {
  it('needs no model for the sentences of its beginning', async () => {
    const script = `
      const { spec } = await import('./web/figures/words/element.js');
      const { staticView } = await import('./web/figures/kit/chart/static.js');
      const { initialState } = await import('./web/figures/kit/state/state.js');
      for (const lang of ['en', 'zh']) {
        await spec.load(lang, initialState(spec.fields));
        console.log(spec.title(staticView(spec, { lang, word: 9 })).length > 20);
      }
      const loaded = await spec.load('en', { ...initialState(spec.fields), text: 'a whale' });
      console.log(spec.title(staticView(spec, { text: 'a whale', loaded })).includes('whale'));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(stdout, 'true\n'.repeat(3));
  });

  for (const lang of new Set(LANGUAGES.map(({ models }) => models))) {
    const loaded = await load(lang);

    it(`in ${lang} begins with what its model makes of the sentence, bit for bit`, async () => {
      assert.deepEqual(recorded[lang], await sentenceOf(lang));
      const { head } = recorded[lang];
      for (const word of [1, 7, 24])
        assert.deepEqual(
          { ...staticView(spec, { lang, word }).data, reason: undefined },
          staticView(spec, { lang, word, head, loaded }).data,
        );
    });

    it(`in ${lang} sharpens a row of a trained model where the scores are not divided`, () => {
      const { data } = staticView(spec, { lang });
      const sum = (/** @type {'weight' | 'unscaled'} */ of) =>
        data.words.reduce(
          (/** @type {number} */ total, /** @type {any} */ word) => total + word[of],
          0,
        );
      assert.ok(Math.abs(sum('weight') - 1) < 1e-6 && Math.abs(sum('unscaled') - 1) < 1e-6);
      assert.ok(data.unscaledRatio < data.entropyRatio);
      assert.ok(
        data.words.slice(data.chosen + 1).every((/** @type {any} */ word) => word.weight === 0),
      );
    });

    it(`in ${lang} reads whatever is written, and at most 24 words`, () => {
      for (const text of [
        'a',
        '!',
        'ñandú 漢字 🙂',
        'x'.repeat(160),
        'so '.repeat(50),
        '月'.repeat(160),
      ]) {
        const { data, state } = staticView(spec, { lang, text, word: 24, loaded });
        assert.ok(data.words.length > 0 && data.words.length <= 24, text);
        assert.ok(state.text.length <= 160);
        assert.ok(spec.title(/** @type {any} */ (staticView(spec, { lang, text, loaded }))));
      }
    });
  }
});

describe('the picture', () => {
  it('keeps room for weights under lines that have some, and for no others', () => {
    for (const lang of LANGUAGE_KEYS) {
      const heights = [10, 100].map((word) => {
        const view = /** @type {any} */ (staticView(spec, { lang, word, width: 340 }));
        const { attributes } = spec.draw(view);
        const { words, chosen } = view.data;
        const { cells } = layOut(view);
        for (const [index, { y, height }] of cells.entries()) {
          const line = cells.findIndex((cell) => cell.y === y);
          assert.equal(height > 2 * 28, line <= chosen, `${words[index].text}`);
          // A tap on the word, or on what stands below it, chooses it.
          const at = { x: cells[index].x + 5, y: y + height - 1 };
          assert.deepEqual(spec.pick?.(view, at), { word: index + 1 });
        }
        return Number(attributes.height);
      });
      assert.ok(heights[1] - heights[0] > 2 * 60, `${lang}: ${heights}`);
    }
  });
});

it('a typed word that looks like a formula is none, in either figure that reads it', async () => {
  const typed = { text: 'the x_i of w', word: 2 };
  for (const each of /** @type {AnyFigureSpec[]} */ ([spec, languageSpec])) {
    const view = staticView(each, { ...typed, loaded: await each.load?.('en') });
    const svg = drawStatic(each, view);
    assert.match(svg, />x\u2060_i</);
    assert.doesNotMatch(svg, /<tspan font-style="italic"[^>]*>x</);
    assert.doesNotMatch(toCsv(each.rows(view)), /\u2060/);
    assert.match(toCsv(each.rows(view)), /x_i/);
  }
  const view = /** @type {any} */ (staticView(spec, { ...typed, loaded: await load('en') }));
  assert.match(unmarked(spec.title(view)), /“x_i” gives/);
  assert.match(unmarked(spec.status(view)), /“x_i” gives .* by √dk/);
});
