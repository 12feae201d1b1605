// Attention with int8 queries and keys, against whole numbers added one by one, the law of rounding errors, and what
// taking the mean key off must and must not change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int8Errors } from '../../../web/experiments/int8.js';
import { pairs } from '../../../web/experiments/noise.js';
import { assertNear } from '../theory/near.js';

const sample = { dK: 64, keys: 64, queries: 256, seed: 1 };

/** Returns the errors of both series, with the mean key and without. @param {Partial<Parameters<typeof int8Errors>[0]>} options */
function errorsOf(options) {
  const [unscaled, unscaledOff, scaled, scaledOff] = int8Errors({
    ...sample,
    shared: 0,
    ...options,
  });
  return { unscaled, unscaledOff, scaled, scaledOff };
}

test('errors are those of a plain computation in float64', () => {
  const small = { dK: 8, keys: 5, queries: 2, seed: 3 };
  const { query, key } = pairs(small);
  const [sets, each, d] = query.shape;
  const int8 = (/** @type {number[]} */ row) => {
    const step = Math.max(...row.map(Math.abs)) / 127;
    return row.map((entry) => step * Math.round(entry / step));
  };
  const rows = (/** @type {Float32Array} */ data) =>
    Array.from({ length: data.length / d }, (_, r) => [...data.subarray(r * d, (r + 1) * d)]);
  const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    a.reduce((sum, entry, i) => sum + entry * b[i], 0);
  const softmax = (/** @type {number[]} */ row) => {
    const powers = row.map(Math.exp);
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / sum);
  };
  const moved = rows(query.data).map((q, i) => {
    const set = Math.floor(i / each);
    const keys = rows(key.data).slice(set * small.keys, (set + 1) * small.keys);
    const [exact, rounded] = [
      keys.map((k) => dot(q, k)),
      keys.map((k) => dot(int8(q), int8(k))),
    ].map((row) => softmax(row.map((score) => score / Math.sqrt(d))));
    return exact.reduce((sum, weight, j) => sum + Math.abs(weight - rounded[j]) / 2, 0);
  });
  assert.equal(moved.length, sets * each);
  const [, , scaled] = int8Errors({ ...small, shared: 0 });
  assertNear(scaled.weightError, moved.reduce((a, b) => a + b) / moved.length, 1e-3);
});

test('scores are off by what the steps say: √(d_k/12)·√(step_q² + step_k²), times the factor', () => {
  for (const dK of [16, 64, 256]) {
    const { unscaled, scaled } = errorsOf({ dK });
    const { query, key } = pairs({ ...sample, dK });
    const square = (/** @type {{ data: Float32Array }} */ { data }) => {
      let sum = 0;
      for (let r = 0; r < data.length; r += dK) {
        sum += (Math.max(...data.subarray(r, r + dK).map(Math.abs)) / 127) ** 2;
      }
      return sum / (data.length / dK);
    };
    const law = Math.sqrt((dK / 12) * (square(query) + square(key)));
    assertNear(unscaled.scoreError, law, 0.05);
    assertNear(scaled.scoreError, law / Math.sqrt(dK), 0.05);
  }
});

test('with 1/√d_k the weights hardly depend on d_k; without, the scores err √d_k times as much', () => {
  const [few, many] = [64, 1024].map((dK) => errorsOf({ dK }));
  assert.ok(many.scaled.weightError < 1.6 * few.scaled.weightError);
  assertNear(many.unscaled.scoreError / many.scaled.scoreError, 32, 1e-3);
  assert.ok(few.scaled.weightError < 0.005 && many.unscaled.scoreError > 0.3);
});

test('what all keys share makes errors larger, unless the mean key is taken off first', () => {
  const sizes = [0, 4, 16].map((shared) => errorsOf({ shared }));
  const kept = sizes.map(({ scaled }) => scaled.weightError);
  assert.ok(kept[1] > 3 * kept[0] && kept[2] > 10 * kept[0], `${kept}`);
  for (const { scaledOff, unscaledOff } of sizes) {
    assertNear(scaledOff.weightError, sizes[0].scaledOff.weightError, 0.01);
    assertNear(unscaledOff.scoreError, sizes[0].unscaledOff.scoreError, 0.01);
  }
});

test('where keys share nothing, taking the mean off gains nothing', () => {
  const { scaled, scaledOff } = errorsOf({ queries: 1024 });
  assertNear(scaledOff.weightError, scaled.weightError, 0.05);
});
