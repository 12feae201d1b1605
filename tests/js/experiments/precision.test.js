// @slow
// The rows of the precision figure against the figures of 64 queries and keys, and theory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundToFloat16 } from '../../../web/attention/index.js';
import { pairs } from '../../../web/experiments/noise.js';
import { precisionCurve, precisionTheory } from '../../../web/experiments/precision.js';
import { made } from '../figures/made.js';
import { assertNear } from '../theory/near.js';

const options = { keys: 64, queries: 512, seed: 1, dimensions: [64] };

test('in fp16 at d_k = 64: 8.3 % of entries and 99 % of rows overflow exp, 56 % of weights are 0', () => {
  const rows = [1, 2, 3, 4].map((seed) => precisionCurve({ ...options, seed })[0]);
  /** @param {'expOverflow' | 'expOverflowRows' | 'zeroWeights'} column */
  const mean = (column) => rows.reduce((sum, row) => sum + row[column] / rows.length, 0);
  assertNear(mean('expOverflow'), 0.083, 0.05);
  assertNear(mean('expOverflowRows'), 0.994, 0, 0.006);
  assertNear(mean('zeroWeights'), 0.56, 0, 0.02);
  for (const row of rows) assert.equal(row.productOverflow, 0);
});

test('a row of a single key overflows where its entry does', () => {
  const [row] = precisionCurve({ ...options, keys: 1 });
  assert.ok(row.expOverflow > 0);
  assert.equal(row.expOverflowRows, row.expOverflow);
});

test('entries and rows whose every exp underflows do not overflow', () => {
  const of = { keys: 2, dimensions: [1024] };
  const [row] = precisionCurve({ ...of, queries: 1024, seed: 1 });
  const [theory] = precisionTheory(of);
  assertNear(row.expOverflow, theory.expOverflow, 0.07);
  assertNear(row.expOverflowRows, theory.expOverflowRows, 0.06);
});

test('weights are counted in rows without an overflow: of two keys at most one is lost', () => {
  const large = { entrySize: 64, dimensions: [1024], queries: 1024, seed: 9 };
  const [two] = precisionCurve({ ...large, keys: 2 });
  assert.ok(two.zeroWeights > 0.49 && two.zeroWeights <= 0.5, String(two.zeroWeights));
  const [many] = precisionCurve({ ...large, keys: 64 });
  assert.ok(many.productOverflow < 1 && Number.isNaN(many.zeroWeights));
});

test('with 1/√d_k nothing overflows and no weight is lost; in float32 nothing is at all', () => {
  const [, scaled] = precisionCurve(options);
  const [single] = precisionCurve({ ...options, format: 'fp32' });
  for (const row of [scaled, single]) {
    assert.deepEqual(
      [row.productOverflow, row.expOverflow, row.expOverflowRows, row.zeroWeights],
      [0, 0, 0, 0],
    );
  }
});

test('the dot product overflows fp16 at entries of size 45, where a scale applied first prevents it', () => {
  const [unscaled, scaled] = precisionCurve({ ...options, entrySize: 60 });
  const [theory] = precisionTheory({ keys: 64, entrySize: 60, dimensions: [64] });
  assert.ok(unscaled.productOverflow > 0);
  assertNear(unscaled.productOverflow, theory.productOverflow, 0.15);
  assert.equal(scaled.productOverflow, 0);
  const [none] = precisionCurve({ ...options, entrySize: 20 });
  assert.equal(none.productOverflow, 0);
});

test('of scores at entries of size 64, 5 % are infinite, and still are when divided; none is when q was divided', () => {
  const { query, key } = pairs({ dK: 64, keys: 64, queries: 512, seed: 1, entrySize: 64 });
  const [sets, each] = query.shape;
  // Halfway to the next number that the format would have after 65504.
  const isInfinite = (/** @type {number} */ score) => Math.abs(score) >= 65520;
  const scores = Array.from({ length: sets * each * 64 }, (_, i) => {
    const [q, k] = [Math.floor(i / 64), 64 * Math.floor(i / 64 / each) + (i % 64)];
    const entries = query.data.subarray(64 * q, 64 * (q + 1));
    return entries.reduce((sum, entry, at) => sum + entry * key.data[64 * k + at], 0);
  });
  const expected = scores.filter(isInfinite).length / scores.length;
  const [before, after] = precisionCurve({ ...options, entrySize: 64 });
  assertNear(before.productOverflow, expected, 0.02);
  assertNear(expected, 0.0464, 0, 0.004);
  assert.equal(
    roundToFloat16(roundToFloat16([70000]).data.map((score) => score / 8)).data[0],
    Infinity,
  );
  assert.equal(after.productOverflow, 0);
  assert.ok(!scores.some((score) => isInfinite(score / 8)));
});

test('counts agree with theory in every format', () => {
  const dimensions = [16, 64, 256, 1024];
  for (const format of /** @type {const} */ (['fp16', 'bf16', 'fp32'])) {
    const counted = precisionCurve({ ...options, format, dimensions });
    const theory = precisionTheory({ keys: 64, format, dimensions });
    counted.forEach((row, index) => {
      assert.equal(row.dK, theory[index].dK);
      assertNear(row.expOverflow, theory[index].expOverflow, 0.06, 2e-3);
      assertNear(row.expOverflowRows, theory[index].expOverflowRows, 0, 0.06);
      assertNear(row.zeroWeights, theory[index].zeroWeights, 0.05, 5e-3);
    });
  }
});

test('at d_k = 1024 float32 loses a fifth of the weights too, bfloat16 more', () => {
  const at = { ...options, dimensions: [1024] };
  const [single] = precisionCurve({ ...at, format: 'fp32' });
  const [brain] = precisionCurve({ ...at, format: 'bf16' });
  assert.ok(single.zeroWeights > 0.15 && brain.zeroWeights > single.zeroWeights);
});

test('the same seed gives the same counts', () => {
  assert.deepEqual(precisionCurve(options), precisionCurve(options));
});

test('the keys that both series share are drawn and rounded once', () => {
  const [keys, dK] = [64, 1024];
  const measure = () => precisionCurve({ keys, queries: 1, seed: 1, dimensions: [dK] });
  measure(); // draws the noise, which is kept
  const count = made(measure) / (keys * dK);
  assert.ok(count < 2.5, `${count} numbers for each of the keys`);
});

test('without roundings the shares are within 0.01 of the counted ones, in every format', () => {
  for (const format of /** @type {const} */ (['fp16', 'bf16', 'fp32'])) {
    for (const entrySize of [0.5, 1.5, 8, 64]) {
      const of = { keys: 64, queries: 256, seed: 1, format, entrySize };
      const counted = precisionCurve(of);
      precisionCurve({ ...of, rounded: false }).forEach((row, i) => {
        assertNear(row.productOverflow, counted[i].productOverflow, 0, 0.01);
        assertNear(row.expOverflow, counted[i].expOverflow, 0, 0.01);
        assertNear(row.expOverflowRows, counted[i].expOverflowRows, 0, 0.01);
        if (counted[i].zeroWeights >= 0) {
          assertNear(row.zeroWeights, counted[i].zeroWeights, 0, 0.01);
        }
      });
    }
  }
});
