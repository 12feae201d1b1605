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

/** Returns the induction weight, comparing every pair of tokens. @param {number[][]} rows @param {string[]} tokens @param {number[]} keep */
function compared(rows, tokens, keep) {
  let [total, count] = [0, 0];
  rows.forEach((row, i) => {
    let [sum, copied, hasEarlier] = [0, 0, false];
    row.forEach((weight, j) => {
      if (!keep[j]) return;
      sum += weight;
      if (j === 0 || j >= i || tokens[j - 1] !== tokens[i]) return;
      copied += weight;
      hasEarlier = true;
    });
    if (!keep[i] || sum === 0 || !hasEarlier) return;
    total += copied / sum;
    count += 1;
  });
  return total / count;
}

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

  it('has the weight behind earlier equal tokens that comparing all of them gives, bit for bit', () => {
    const given = fc.integer({ min: 1, max: 12 }).chain((n) =>
      fc.record({
        rows: list(list(fc.constantFrom(0, 0.1, 0.5, 1, 1e-38), n), n),
        keyTokens: list(fc.constantFrom('a', 'b', 'c', '', '__proto__'), n),
        keep: list(fc.constantFrom(0, 1, 1), n),
      }),
    );
    fc.assert(
      fc.property(given, ({ rows, keyTokens, keep }) => {
        const attentionMask = { data: Uint8Array.from(keep), shape: [keep.length] };
        const exact = rows.map((row) => [...Float32Array.from(row)]);
        const { inductionWeight } = reach(rows, { keyTokens, attentionMask });
        assert.deepEqual(inductionWeight, compared(exact, keyTokens, keep));
      }),
      runs(200),
    );
  });

  it('of a word that stands twice in a row is not that on itself', () => {
    const keyTokens = ['the', 'the'];
    assert.ok(Number.isNaN(reach([[1, 0], [0, 1]], { keyTokens }).inductionWeight)); // prettier-ignore
  });

  it('takes the queries after a cache for the last keys, if they are causal or have their tokens', () => {
    const causal = { options: { causal: /** @type {const} */ ('lower-right') } };
    assert.equal(reach([[0, 0, 0, 1]], causal).distance, 0);
    assert.equal(reach([[0.25, 0, 0, 0.25]], causal).distance, 1.5);
    const keyTokens = [...'abca'];
    const cached = reach([[0.25, 0.5, 0, 0.25]], { tokens: ['a'], keyTokens });
    assert.deepEqual(cached, { distance: 1.75, localWeight: 1, inductionWeight: 0.5 });
  });

  it('is unknown of queries whose places among the keys are', () => {
    const nothing = { distance: NaN, localWeight: NaN, inductionWeight: NaN };
    const keyTokens = [...'abca'];
    assert.deepEqual(reach([[0.25, 0.25, 0.25, 0.25]]), nothing);
    assert.deepEqual(reach([[0.25, 0.25, 0.25, 0.25]], { keyTokens }), nothing);
    assert.deepEqual(reach([[0.25, 0.25, 0.25, 0.25]], { grid: [2, 2], tokens: ['a'] }), nothing);
    assert.deepEqual(reach([[1, 0], [0, 1], [1, 0]]), nothing); // prettier-ignore
    const translated = { tokens: ['the', 'sea'], keyTokens: ['das', 'Meer'] };
    assert.deepEqual(reach([[1, 0], [0, 1]], translated), nothing); // prettier-ignore
  });

  it('is counted over an image between the centres of patches, without the keys in front of them', () => {
    // Patches 0 1 2 over 3 4 5 over 6 7 8: each looks at the one below it, the last row at itself.
    const below = reach(looking(9, (i) => (i < 6 ? i + 3 : i)), { grid: [3, 3] }); // prettier-ignore
    assert.equal(below.distance, 6 / 9);
    const toCorner = reach(looking(9, () => 0), { grid: [3, 3] }); // prettier-ignore
    const lengths = [0, 1, 2, 1, Math.SQRT2, Math.sqrt(5), 2, Math.sqrt(5), Math.sqrt(8)];
    assert.ok(Math.abs(toCorner.distance - lengths.reduce((a, b) => a + b) / 9) < 1e-12);
    // A row of 6 patches: 5 of them are at most 4 away from the first.
    assert.equal(reach(looking(6, () => 0), { grid: [1, 6] }).localWeight, 5 / 6); // prettier-ignore
    // A class token and 2 × 2 patches: what it sees and what it is given does not count.
    const rows = [
      [0, 0, 0, 0, 1],
      [0.5, 0, 0, 0, 0.5],
      [0.5, 0, 0.5, 0, 0],
      [1, 0, 0, 0, 0],
      [0, 0.25, 0, 0, 0.75],
    ];
    const image = reach(rows, { grid: [2, 2] });
    assert.ok(Math.abs(image.distance - (Math.SQRT2 + 0 + Math.SQRT2 / 4) / 3) < 1e-12);
    assert.equal(image.localWeight, 1);
  });

  it('brings sums to 1, and leaves padding and empty rows out', () => {
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
