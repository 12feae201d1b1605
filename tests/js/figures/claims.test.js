// The words of the ledger: complete and alike in both languages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CLAIMS, measureClaim } from '../../../web/experiments/claims.js';
import { messages } from '../../../web/figures/claims/generated/words.js';
import { spec as gradient } from '../../../web/figures/gradient/element.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';

const CHINESE = /\p{Script=Han}/u;

describe('the ledger', () => {
  it('has each claim, its verdict and its reason in both languages', () => {
    for (const lang of LANGUAGE_KEYS) {
      const { claims, verdicts } = messages[lang];
      assert.deepEqual(Object.keys(claims).sort(), CLAIMS.map(({ key }) => key).sort());
      for (const { key, verdict } of CLAIMS) {
        const { claim, why } = claims[key];
        assert.ok(claim && why && verdicts[verdict], `${lang} ${key}`);
        assert.equal(CHINESE.test(claim + why), lang === 'zh', `${lang} ${key}`);
      }
    }
  });

  it('gives the same numbers of gradients as the figure and the article', async () => {
    const [mean, median] = (await measureClaim({ claim: 'vanishing' })).map(({ value }) => value);
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
    for (const lang of LANGUAGE_KEYS) {
      assert.match(messages[lang].claims.asymmetry.value, / 90°/);
    }
  });

  it('describes itself in both languages, with the same holes', () => {
    const holes = (/** @type {string} */ text) => (text.match(/\{.*?\}/g) ?? []).sort();
    const { en } = messages;
    for (const lang of LANGUAGE_KEYS) {
      const words = messages[lang];
      assert.deepEqual(Object.keys(words).sort(), Object.keys(en).sort());
      for (const key of /** @type {const} */ (['measuring', 'measured'])) {
        assert.ok(holes(en[key]).length > 0);
        assert.deepEqual(holes(words[key]), holes(en[key]));
      }
      for (const { key } of CLAIMS) {
        assert.deepEqual(holes(words.claims[key].value), holes(en.claims[key].value), key);
      }
    }
  });
});
