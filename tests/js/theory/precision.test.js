// Ends of number formats against the formats themselves, and tails against simulation and limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundToBFloat16, roundToFloat16, softmaxFloat16 } from '../../../web/attention/index.js';
import {
  competitorGap,
  competitorsWithin,
  farBelowLargest,
  FORMATS,
  rowTail,
  scoreTail,
} from '../../../web/theory/precision.js';
import { farBelowLargestNear } from '../../../web/theory/precision.js';
import { normalTail } from '../../../web/theory/special.js';
import { assertNear } from './near.js';

test('the limits are the numbers from which rounding gives infinity, and zero', () => {
  const least = 1 - 2 ** -20;
  const { fp16, bf16, fp32 } = FORMATS;
  assert.deepEqual(
    [...roundToFloat16([fp16.overflow * least, fp16.overflow]).data],
    [65504, Infinity],
  );
  assert.ok(Number.isFinite(roundToBFloat16([bf16.overflow * least]).data[0]));
  assert.equal(roundToBFloat16([bf16.overflow]).data[0], Infinity);
  assert.equal(Math.fround(fp32.overflow), Infinity);
  assert.ok(Number.isFinite(Math.fround(fp32.overflow * (1 - 2 ** -40))));
  assert.equal(Math.fround(Math.exp(fp32.zeroBelow - 1e-9)), 0);
  assert.ok(Math.fround(Math.exp(fp32.zeroBelow + 1e-9)) > 0);
  assertNear(fp16.zeroBelow, -17.33, 0, 0.005);
  assertNear(fp32.zeroBelow, -103.97, 0, 0.005);
  assertNear(fp16.expOverflow, 11.0898, 0, 5e-5);
  assertNear(fp32.expOverflow, Math.log(fp32.overflow), 0, 1e-6);
});

test('softmax in fp16 overflows and loses weights from these limits on', () => {
  const { expOverflow, zeroBelow } = FORMATS.fp16;
  const without = (/** @type {number} */ x) =>
    softmaxFloat16([x, 0], { subtractMax: false }).data[0];
  assert.ok(Number.isNaN(without(expOverflow + 0.004)) && without(expOverflow - 0.004) === 1);
  const weight = (/** @type {number} */ x) => softmaxFloat16([0, x]).data[1];
  assert.ok(weight(zeroBelow + 0.02) > 0 && weight(zeroBelow - 0.02) === 0);
});

test('for large d_k a score exceeds 11.09 with probability Q(11.09/√d_k), 8.3 % at 64', () => {
  assertNear(normalTail(11.09 / 8), 0.083, 0.003);
  assertNear(scoreTail(11.09, { dK: 64 }), 0.083, 0.02);
  assertNear(scoreTail(11.09, { dK: 1e5 }), normalTail(11.09 / Math.sqrt(1e5)), 1e-5);
  assertNear(
    scoreTail(6, { dK: 64, factor: 1 / 8, entrySize: 2 }),
    scoreTail(12, { dK: 64 }),
    1e-12,
  );
});

test('a row of one is an entry, and a row of 64 at d_k = 64 nearly always overflows', () => {
  const options = { dK: 64, entrySize: 1 };
  assertNear(rowTail(11.09, { ...options, keys: 1 }), scoreTail(11.09, options), 1e-12);
  assertNear(rowTail(11.09, { ...options, keys: 64 }), 0.991, 0.001);
});

test('of two scores, one lies farther below the other than x with probability Q(x/√2σ)', () => {
  // Averaged over the length of the query, which is all but fixed at this d_k.
  const options = { dK: 1e6, factor: 1e-3, keys: 2 };
  for (const distance of [0.5, 2, 4]) {
    assertNear(farBelowLargest(distance, options), normalTail(distance / Math.SQRT2), 1e-4);
  }
});

test('at d_k = 64 more than half of 64 fp16 weights are lost, and almost none at deviation 1', () => {
  const distance = -FORMATS.fp16.zeroBelow;
  assertNear(farBelowLargest(distance, { dK: 64, keys: 64 }), 0.55, 0.01);
  assert.ok(farBelowLargest(distance, { dK: 64, keys: 64, factor: 1 / 8 }) < 1e-20);
});

test('the factor and the size of the entries matter only as factor·entrySize²', () => {
  const large = { dK: 16, keys: 8, factor: 0.25, entrySize: 2 };
  const plain = { dK: 16, keys: 8 };
  assert.equal(rowTail(6, large), rowTail(6, plain));
  assert.equal(farBelowLargest(6, large), farBelowLargest(6, plain));
});

test('interpolated in a table, the share of weights far below the largest is right to 1e-5', () => {
  for (const keys of [1, 2, 64, 256]) {
    for (let power = 0; power <= 10; power++) {
      for (const factor of [0.01, 0.3, 1, 64]) {
        const options = { dK: 2 ** power, keys, factor };
        assertNear(farBelowLargestNear(17.33, options), farBelowLargest(17.33, options), 0, 1e-5);
      }
    }
  }
});

test('competitors within a gap are those of two normal scores, and all others in a wide one', () => {
  const normal = { dK: 1e9, factor: 1 / Math.sqrt(1e9) };
  // The difference of two scores of deviation 1 has deviation √2.
  for (const gap of [0.1, 1, 3]) {
    const within = 1 - 2 * normalTail(gap / Math.SQRT2);
    assertNear(competitorsWithin(gap, { ...normal, keys: 2 }), within, 1e-4);
  }
  assertNear(competitorsWithin(0, { ...normal, keys: 64 }), 0, 0, 1e-9);
  assertNear(competitorsWithin(60, { ...normal, keys: 64 }), 63, 1e-9);
});

test('the gap of one competitor shrinks toward the law of 1/√(ln n), from a steeper one', () => {
  const gapOf = (/** @type {number} */ keys) => {
    let [low, high] = [0, 4];
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      const options = { dK: 1e9, factor: 1 / Math.sqrt(1e9), keys };
      if (competitorsWithin(middle, options) < 1) low = middle;
      else high = middle;
    }
    return low;
  };
  const exponent = (/** @type {number} */ keys) =>
    Math.log(gapOf(keys) / gapOf(keys ** 2)) / Math.log(2);
  assertNear(gapOf(64), 0.31, 0, 0.005); // the article quotes both
  assertNear(gapOf(4096), 0.2, 0, 0.005);
  for (const keys of [3, 64, 512]) {
    const found = competitorGap({ dK: 1e9, factor: 1 / Math.sqrt(1e9), keys });
    assertNear(found, gapOf(keys), 0.005);
  }
  const [few, many] = [exponent(64), exponent(1024)];
  assert.ok(0.5 < many && many < few && few < 0.75, `${few} ${many}`);
});
