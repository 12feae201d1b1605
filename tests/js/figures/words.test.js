// What <attn-words> computes: words of pieces, and the weights of a row against float64.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { attentionOf } from '../../../web/language/index.js';
import { lookedFor } from '../../../web/language/recorded/measure.js';
import { openModel } from '../../../web/language/recorded/open.js';
import minilm from '../../../web/language/recorded/minilm-head.js';
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
    for (const divisor of [1, 3.2, 8, 1e9]) {
      const p = softmax64(row.map((score) => (8 / divisor) * score));
      const q = softmax64(row.map((score) => 8 * score));
      const found = attend(rowsOfHead(layer, 1), words, { chosen: 1, divisor, scale: 1 / 8 });
      const expected = [
        { text: 'a', weight: p[0], unscaled: q[0] },
        { text: 'bc', weight: p[1] + p[2], unscaled: q[1] + q[2] },
        { text: 'd', weight: 0, unscaled: 0 },
      ];
      assert.deepEqual([found.seen, found.tokens], [2, 3]);
      for (const [i, { text, weight, unscaled }] of expected.entries()) {
        assert.equal(found.words[i].text, text);
        assert.ok(Math.abs(found.words[i].weight - weight) < 1e-6);
        assert.ok(Math.abs(found.words[i].unscaled - unscaled) < 1e-6);
      }
    }
  });

  it('comes to the same weight for every token as the divisor grows, so to twice that for a word of two', () => {
    const options = { chosen: 2, divisor: 1e30, scale: 1 };
    const found = attend(rowsOfHead(layer, 0), words, options);
    assert.deepEqual(
      found.words.map(({ weight, tokens }) => [weight, tokens]),
      [
        [0.25, 1],
        [0.5, 2],
        [0.25, 1],
      ],
    );
    assert.ok(Math.abs(found.entropyRatio - 1) < 1e-6);
  });
});

/** Returns the numbers of 16-bit floats in base64, in float64. @param {string} text */
function halves(text) {
  const bytes = Buffer.from(text, 'base64');
  return times(bytes.length / 2, (i) => {
    const bits = bytes.readUInt16LE(2 * i);
    const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1023];
    const size = exponent ? (1 + mantissa / 1024) * 2 ** (exponent - 15) : mantissa * 2 ** -24;
    return bits >> 15 ? -size : size;
  });
}

/**
 * Returns the weights of a token in float64, from the recorded queries and keys.
 * @param {'tired' | 'wide'} example
 * @param {number} token
 * @param {number} divisor
 */
function weights64(example, token, divisor) {
  const { tokens, query, key } = minilm.sentences[example];
  const [q, k] = [query, key].map(halves);
  const dK = q.length / tokens.length;
  const dot = (/** @type {number} */ other) =>
    times(dK, (i) => q[token * dK + i] * k[other * dK + i]).reduce((a, b) => a + b);
  return softmax64(tokens.map((_, other) => dot(other) / divisor));
}

describe('the head of all-MiniLM-L6-v2', () => {
  it('gives every word what float64 makes of its recorded queries and keys, at every divisor', () => {
    for (const example of /** @type {const} */ (['tired', 'wide'])) {
      for (const word of times(minilm.sentences[example].tokens.length, (i) => i + 1)) {
        for (const power of [0, 0.35, 0.5, 1]) {
          const { data } = staticView(spec, { example, word, power });
          const expected = weights64(example, word - 1, 32 ** power);
          const undivided = weights64(example, word - 1, 1);
          for (const [i, { weight, unscaled }] of data.words.entries()) {
            assert.ok(Math.abs(weight - expected[i]) < 2e-6, `${example} ${word} ${power} ${i}`);
            assert.ok(Math.abs(unscaled - undivided[i]) < 1e-5, `${example} ${word} ${i}`);
          }
        }
      }
    }
  });

  it('is where “it” gives “animal” 100, 69 and 13 % at 1, √32 and 32, and with “wide” 65, 32 and 10 %', () => {
    const animal = (/** @type {object} */ state) =>
      [0, 0.5, 1].map((power) => {
        const { data } = staticView(spec, { ...state, power });
        return Math.round(1e4 * data.words[2].weight) / 100;
      });
    assert.deepEqual(animal({}), [100, 68.81, 13.12]);
    assert.deepEqual(animal({ example: 'wide' }), [64.93, 32.32, 10.43]);
    assert.match(
      spec.title(/** @type {any} */ (staticView(spec))),
      /“it”.*“animal” 69%.*√32 = 5\.66/,
    );
  });

  it('has a gloss under each word in Chinese, and under the two marks in English', () => {
    const textsOf = (/** @type {'en' | 'zh'} */ lang, example = 'tired') =>
      [...drawStatic(spec, staticView(spec, { lang, example })).matchAll(/>([^<>]+)<\/text>/g)].map(
        ([, text]) => text,
      );
    for (const example of /** @type {const} */ (['tired', 'wide'])) {
      const chinese = textsOf('zh', example);
      for (const token of minilm.sentences[example].tokens) {
        const gloss = Reflect.get(spec.messages.zh.glosses, token);
        assert.ok(chinese[chinese.indexOf(token) + 1] === gloss, `${token} ${gloss}`);
      }
    }
    const english = textsOf('en');
    assert.equal(english[english.indexOf('[CLS]') + 1], 'start');
    assert.equal(english.filter((text) => text === 'the').length, 2);
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
      const { words, chosen, reason } = staticView(spec, { lang, example: 'first' }).data;
      const weights = words.map((/** @type {any} */ { weight }) => weight);
      const top = weights.indexOf(Math.max(...weights));
      assert.ok(weights[top] > 0.8 && top < chosen);
      assert.equal(words[top].text, sought);
      assert.ok(reason.weight > 4 * reason.even);
    }
  });
});

describe('a sign that a model has never read', () => {
  it('is shown itself, one word, apart from the comma beside it, in grey with a remark', async () => {
    const loaded = await load('zh');
    const text = '什么模型，街，它很好';
    const view = staticView(spec, { lang: 'zh', text, word: 10, loaded });
    const words = view.data.words.map((/** @type {any} */ word) => word.text);
    assert.deepEqual(words, [...text]);
    const unknown = view.data.words.filter((/** @type {any} */ word) => word.isUnknown);
    assert.deepEqual(
      unknown.map((/** @type {any} */ word) => word.text).join(''),
      '什么模型街它很',
    );
    const svg = drawStatic(spec, view);
    assert.equal(svg.match(/>生字</g)?.length, unknown.length);
    assert.doesNotMatch(svg + toCsv(spec.rows(/** @type {any} */ (view))), /\uFFFD/);
  });
});

describe('the figure', async () => {
  it('needs no model for the sentences of its beginning', async () => {
    const script = `
      const { spec } = await import('./web/figures/words/element.js');
      const { staticView } = await import('./web/figures/kit/chart/static.js');
      const { initialState } = await import('./web/figures/kit/state/state.js');
      for (const lang of ['en', 'zh']) {
        for (const example of ['tired', 'wide', 'first']) {
          await spec.load(lang, { ...initialState(spec.fields), example });
          console.log(spec.title(staticView(spec, { lang, example, word: 9 })).length > 20);
        }
      }
      const loaded = await spec.load('en', { ...initialState(spec.fields), text: 'a whale' });
      console.log(spec.title(staticView(spec, { text: 'a whale', loaded })).includes('whale'));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(stdout, 'true\n'.repeat(7));
  });

  for (const lang of new Set(LANGUAGES.map(({ models }) => models))) {
    const loaded = await load(lang);

    it(`in ${lang} begins with what its model makes of the sentence, bit for bit`, async () => {
      assert.deepEqual(recorded[lang], await sentenceOf(lang));
      const { head } = recorded[lang];
      for (const word of [1, 7, 24])
        assert.deepEqual(
          { ...staticView(spec, { lang, word, example: 'first' }).data, reason: undefined },
          { ...staticView(spec, { lang, word, head, loaded }).data, reason: undefined },
        );
    });

    it(`in ${lang} sharpens a row of a trained model where the scores are not divided`, () => {
      const { data } = staticView(spec, { lang, example: 'first' });
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
        const view = /** @type {any} */ (
          staticView(spec, { lang, word, width: 340, example: 'first' })
        );
        const { attributes } = spec.draw(view);
        const { words, seen } = view.data;
        const { cells } = layOut(view);
        for (const [index, { y, height }] of cells.entries()) {
          const line = cells.findIndex((cell) => cell.y === y);
          assert.equal(height > 2 * 28, line < seen, `${words[index].text}`);
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
  const text = 'the x_i of w';
  for (const each of /** @type {AnyFigureSpec[]} */ ([spec, languageSpec])) {
    const view = staticView(each, { text, loaded: await each.load?.('en') });
    const svg = drawStatic(each, view);
    assert.match(svg, />x\u2060_i</);
    assert.doesNotMatch(svg, /<tspan font-style="italic"[^>]*>x</);
    assert.doesNotMatch(toCsv(each.rows(view)), /\u2060/);
    assert.match(toCsv(each.rows(view)), /x_i/);
  }
  const view = /** @type {any} */ (staticView(spec, { text, word: 2, loaded: await load('en') }));
  assert.match(unmarked(spec.title(view)), /“x_i” gives/);
  assert.match(unmarked(spec.status(view)), /“x_i” gives/);
});
