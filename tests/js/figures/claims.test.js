// The words of the ledger: complete and alike in both languages, with every number in its sentence.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLAIM_COUNT, measureClaim } from '../../../web/experiments/index.js';
import { messages } from '../../../web/figures/claims.messages.js';
import { createFormat } from '../../../web/figures/kit/language.js';

const CHINESE = /\p{Script=Han}/u;

describe('the ledger', () => {
  it('has each claim, its verdict and its reason in both languages, the verdicts alike', () => {
    const { en, zh } = messages;
    assert.equal(en.claims.length, CLAIM_COUNT);
    assert.equal(zh.claims.length, CLAIM_COUNT);
    for (const [index, { claim, why, verdict }] of en.claims.entries()) {
      const other = zh.claims[index];
      assert.equal(other.verdict, verdict, `${index + 1}`);
      assert.ok(en.verdicts[verdict] && zh.verdicts[verdict]);
      for (const text of [claim, why]) assert.ok(text && !CHINESE.test(text), text);
      assert.match(other.claim + other.why, CHINESE);
    }
  });

  it('says every number, none missing, in both languages', async () => {
    for (let claim = 1; claim <= CLAIM_COUNT; claim++) {
      const rows = await measureClaim({ claim });
      const values = Object.fromEntries(rows.map(({ quantity, value }) => [quantity, value]));
      for (const lang of /** @type {const} */ (['en', 'zh'])) {
        const text = messages[lang].claims[claim - 1].value(values, createFormat(lang));
        assert.match(text, /\d/);
        assert.doesNotMatch(text, /undefined|NaN|–/, `${claim} ${lang}: ${text}`);
        if (lang === 'en') assert.doesNotMatch(text, CHINESE);
      }
    }
  });

  it('names what it says about itself in both languages', () => {
    const keys = (/** @type {object} */ table) => Object.keys(table).sort();
    assert.deepEqual(keys(messages.zh), keys(messages.en));
    for (const { status, failed } of Object.values(messages)) {
      assert.match(status(3, 23), /3/);
      assert.notEqual(status(3, 23), status(23, 23));
      assert.match(failed('why'), /why/);
    }
  });
});
