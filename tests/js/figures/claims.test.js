// The words of the ledger: complete and alike in both languages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CLAIM_COUNT, measureClaim } from '../../../web/experiments/claims.js';
import { en, VERDICTS, zh } from '../../../web/figures/claims/words.js';
import { spec as gradient } from '../../../web/figures/gradient/element.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';

const CHINESE = /\p{Script=Han}/u;

describe('the ledger', () => {
  it('has each claim, its verdict and its reason in both languages', () => {
    assert.equal(en.claims.length, CLAIM_COUNT);
    assert.equal(zh.claims.length, CLAIM_COUNT);
    assert.equal(VERDICTS.length, CLAIM_COUNT);
    for (const [index, [claim, why]] of en.claims.entries()) {
      const other = zh.claims[index];
      const verdict = VERDICTS[index];
      assert.ok(en.verdicts[verdict] && zh.verdicts[verdict]);
      for (const text of [claim, why]) assert.ok(text && !CHINESE.test(text), text);
      assert.match(other[0] + other[1], CHINESE);
    }
  });

  it('gives the same numbers of gradients as the figure and the article', async () => {
    const [mean, median] = (await measureClaim({ claim: 6 })).map(({ value }) => value);
    const at = (/** @type {number} */ dK) => {
      const [row] = staticView(gradient, { dK }).data.now;
      return { mean: row.gradient, median: row.gradientMedian };
    };
    const { mean: shown, median: middle } = at(1024);
    assert.ok(Math.abs(shown / mean - 1) < 1e-6 && Math.abs(middle / median - 1) < 1e-6);
    const [from, to] = [at(64).mean, shown].map((value) => value.toFixed(1));
    for (const [lang, sentence] of [
      ['en', `from about ${from} to about ${to}`],
      ['zh', `从 ${from} 左右略升到 ${to} 左右`],
    ]) {
      const article = readFileSync(
        new URL(`../../../web/site/${lang}/index.md`, import.meta.url),
        'utf8',
      );
      assert.ok(article.replaceAll('\n', ' ').includes(sentence), sentence);
    }
  });

  it('names the turn of the copy that tokens look for: (a, b) to (b, −a)', () => {
    for (const { claims } of [en, zh]) assert.match(claims[15][2], / 90°/);
  });

  it('describes itself in both languages, with the same holes', () => {
    const keys = (/** @type {object} */ table) => Object.keys(table).sort();
    assert.deepEqual(keys(zh), keys(en));
    const holes = (/** @type {string} */ text) => (text.match(/\{.*?\}/g) ?? []).sort();
    for (const key of /** @type {const} */ (['measuring', 'measured'])) {
      assert.ok(holes(en[key]).length > 0);
      assert.deepEqual(holes(zh[key]), holes(en[key]));
    }
    for (const [index, [, , value]] of en.claims.entries()) {
      assert.deepEqual(holes(zh.claims[index][2]), holes(value), value);
    }
  });
});
