// How far weights reach, against sums written out, and with ugly input.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LOCAL, reachOf } from '../../../web/inspector/heads/reach.js';
import { runs } from '../runs.js';

/** @param {number[][]} rows @param {Parameters<typeof reachOf>[2]} [attention] */
const reach = (rows, attention = {}) =>
  reachOf(Float32Array.from(rows.flat()), { nQ: rows.length, nK: rows[0].length }, attention);

/** Returns weights of n queries, of which each looks at one key. @param {number} n @param {(i: number) => number} keyOf */
const looking = (n, keyOf) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(j === keyOf(i))));

/** @template Value @param {fc.Arbitrary<Value>} each @param {number} length */
const list = (each, length) => fc.array(each, { minLength: length, maxLength: length });

describe('the reach of weights', () => {
  it('is the mean distance, and the weight on keys at most 4 places away', () => {
    const back = reach(looking(20, (i) => Math.max(0, i - 2)));
    assert.equal(back.distance, (0 + 1 + 18 * 2) / 20);
    assert.equal(back.localWeight, 1);
    const first = reach(looking(20, () => 0));
    assert.equal(first.distance, 9.5);
    assert.equal(first.localWeight, (LOCAL + 1) / 20);
  });

  it('is the weight behind earlier equal tokens, over the queries that have such', () => {
    const keyTokens = [...'abcabcab'];
    const copying = reach(
      looking(8, (i) => Math.max(0, i - 2)),
      { keyTokens },
    );
    assert.equal(copying.inductionWeight, 1);
    const half = looking(8, (i) => i - 2).map((row, i) => row.map((p, j) => p / 2 + Number(j === i) / 2)); // prettier-ignore
    assert.equal(reach(half, { keyTokens }).inductionWeight, 0.5);
    assert.equal(
      reach(
        looking(8, () => 0),
        { keyTokens },
      ).inductionWeight,
      0,
    );
    assert.ok(Number.isNaN(reach(looking(8, () => 0)).inductionWeight));
    assert.ok(Number.isNaN(reach(looking(3, () => 0), { keyTokens: ['a', 'b', 'c'] }).inductionWeight)); // prettier-ignore
  });

  it('of a word that stands twice in a row is not that on itself', () => {
    const keyTokens = ['the', 'the'];
    assert.ok(Number.isNaN(reach([[1, 0], [0, 1]], { keyTokens }).inductionWeight)); // prettier-ignore
  });

  it('takes fewer queries for the last, brings sums to 1, and leaves padding and empty rows out', () => {
    assert.equal(reach([[0, 0, 0, 1]]).distance, 0);
    assert.equal(reach([[0.25, 0, 0, 0.25]]).distance, 1.5);
    const attentionMask = { data: Uint8Array.of(0, 1, 1), shape: [3] };
    const padded = reach([[1, 0, 0], [0.5, 0.5, 0], [0, 0, 0]], { attentionMask }); // prettier-ignore
    assert.deepEqual([padded.distance, padded.localWeight], [0, 1]);
  });

  it('is from 0 to n or NaN, whatever the weights and the tokens are', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }));
    const given = sizes.chain(([nQ, nK]) =>
      fc.record({
        rows: list(list(fc.constantFrom(0, 0, 1, 0.5, NaN, 1e-38), nK), nQ),
        keyTokens: list(fc.constantFrom('a', 'b', '', '\ud800'), nK),
      }),
    );
    fc.assert(
      fc.property(given, ({ rows, keyTokens }) => {
        for (const each of Object.values(reach(rows, { keyTokens }))) {
          assert.ok(Number.isNaN(each) || (each >= 0 && each <= 9), String(each));
        }
      }),
      runs(200),
    );
  });
});
