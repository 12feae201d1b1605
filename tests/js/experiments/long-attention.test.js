/**
 * Rows, pictures and diagnoses by strips are those of the whole matrix, whatever the options are, and take
 * no memory that grows with n².
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attentionMap,
  attentionScores,
  diagnose,
  randomNormal,
} from '../../../web/attention/index.js';
import {
  measureLongHead,
  stripBytes,
  weightsOfQueries,
} from '../../../web/experiments/long-attention.js';
import { assertAllNear } from '../theory/near.js';

/** @import { ScoreOptions } from '../../../web/attention/index.js' */

const [N, D] = [70, 8];
const query = randomNormal([N, D], { seed: 1 });
const key = randomNormal([90, D], { seed: 2 });
const mask = {
  data: Uint8Array.from({ length: N * 90 }, (_, i) => Number(i % 7 !== 3)),
  shape: [N, 90],
};
const nested = Array.from({ length: N }, (_, i) => Array.from({ length: 90 }, (_, j) => i !== j));

/** @type {Record<string, ScoreOptions>} */
const OPTIONS = {
  none: {},
  causal: { causal: true },
  'causal at the end': { causal: 'lower-right' },
  'causal at the end of a text': { causal: 'lower-right', keyLengths: [80] },
  'causal at the end of a text, in one number': { causal: 'lower-right', keyLengths: 80 },
  'a window at a place': { window: [5, 2], offset: 11 },
  'a place a batch': { causal: true, offset: [20] },
  'a place in 64 bits': { causal: true, offset: new BigInt64Array([20n]) },
  'a mask': { mask },
  'a nested mask': { mask: nested, sink: 1 },
  'one row for all': { mask: [nested[3]], temperature: 2 },
};

for (const [what, options] of Object.entries(OPTIONS)) {
  test(`a row is that of all rows, with ${what}`, () => {
    const { weights } = attentionScores(query, key, { ...options, returns: ['weights'] });
    for (const [from, to] of [
      [0, 1],
      [13, 17],
      [69, 70],
    ]) {
      const found = weightsOfQueries({ query, key, options }, { from, to });
      assertAllNear(found, weights.data.subarray(from * 90, to * 90));
    }
  });
}

/** @param {number} from @param {number} to */
const range = (from, to) => ({ from, to });

describe('a long head', () => {
  const n = 1500; // several strips
  const [q, k] = [3, 4].map((seed) => randomNormal([n, D], { seed }));
  const options = { causal: true };
  const all = { rows: range(0, n), columns: range(0, n) };

  test('has the picture of `attentionMap` and the diagnosis of `diagnose`', async () => {
    const given = { query: q, key: k, options, region: all, most: 60, diagnoses: true };
    const [{ map, diagnosis }] = await measureLongHead(given);
    const expected = attentionMap(q, k, { ...options, rows: 60, columns: 60, pool: 'max' });
    assert.deepEqual(map.shape, [60, 60]);
    assertAllNear(map.data, expected.weights.data);
    assert.deepEqual(diagnosis, diagnose(q, k, options)[0]);
  });

  test('shows each weight of a region where there is room', async () => {
    const region = { rows: range(700, 740), columns: range(690, 741) };
    const given = { query: q, key: k, options, region, most: 512, diagnoses: false };
    const [{ map, diagnosis }] = await measureLongHead(given);
    assert.deepEqual([map.shape, diagnosis], [[40, 51], undefined]);
    const { weights } = attentionScores(q, k, { ...options, returns: ['weights'] });
    const part = Array.from(
      { length: 40 * 51 },
      (_, at) => weights.data[(700 + Math.floor(at / 51)) * n + 690 + (at % 51)],
    );
    assertAllNear(map.data, part);
  });

  test('stops when it is no longer wanted', async () => {
    const controller = new AbortController();
    controller.abort();
    const given = { query: q, key: k, options, region: all, most: 8, diagnoses: true };
    const [{ map, diagnosis }] = await measureLongHead({ ...given, signal: controller.signal });
    assert.deepEqual([diagnosis, [...map.data].every((x) => x === 0)], [undefined, true]);
  });

  test('holds at most 1 MB of weights at a time, or one row', () => {
    assert.deepEqual([16_384, 65_536, 2 ** 20].map(stripBytes), [2 ** 20, 2 ** 20, 2 ** 22]);
  });
});
