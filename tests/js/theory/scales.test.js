// The scales of today's models: integrals against the exact ones of the normal law and limits, and the
// numbers that papers give; experiments/scales.test.js compares them with measurements.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNormal } from '../../../web/attention/index.js';
import { expectedEffectiveKeys, expectedSaturation } from '../../../web/theory/saturation.js';
import { alignedWeights } from '../../../web/theory/scale.js';
import {
  alignedRow,
  crossingCorrelation,
  expectedRow,
  sinkWeight,
  yarnFactor,
} from '../../../web/theory/scales.js';
import { assertNear } from './near.js';

test('a factor alone gives the exact expectations of the normal law', () => {
  for (const [dK, keys, factor] of [
    [64, 64, 1 / 8],
    [64, 64, 1],
    [64, 2, 1 / 8],
    [2, 64, 1],
    [64, 64, 1 / 64],
    [64, 65536, 1 / 8],
    [64, 4096, 1],
  ]) {
    const row = expectedRow({ dK, keys, factor });
    const exact = expectedSaturation({ dK, keys, factor });
    assertNear(row.effectiveKeys, expectedEffectiveKeys({ dK, keys, factor }), 1e-4);
    assertNear(row.entropy, exact.entropy, 1e-4);
    assertNear(row.maxWeight, exact.maxWeight, 0.003);
    assertNear(row.trace, 1 - exact.sumOfSquares, 1e-4);
    assertNear(row.rowSum, 1, 1e-6);
  }
});

test('a cap far above the scores changes nothing; a cap on unscaled scores replaces no scale', () => {
  const scaled = expectedRow({ dK: 64, keys: 64, factor: 1 / 8 });
  const capped = expectedRow({ dK: 64, keys: 64, factor: 1 / 8, softcap: 50 });
  assertNear(capped.effectiveKeys, scaled.effectiveKeys, 0.003);
  const unscaled = expectedRow({ dK: 64, keys: 64, factor: 1 });
  const alone = expectedRow({ dK: 64, keys: 64, factor: 1, softcap: 50 });
  assertNear(unscaled.effectiveKeys, 1.68, 0, 0.01);
  assertNear(alone.effectiveKeys, 1.77, 0, 0.01);
});

test('sigmoid rows sum to n/2 without a bias, and toward √e with −ln n', () => {
  assertNear(expectedRow({ dK: 64, keys: 64, factor: 1 / 8, bias: 0 }).rowSum, 32, 1e-9);
  const biased = (/** @type {number} */ keys) =>
    expectedRow({ dK: 4096, keys, factor: 1 / 64, bias: -Math.log(keys) }).rowSum;
  assertNear(biased(64), 1.55, 0, 0.01);
  assertNear(biased(65536), Math.sqrt(Math.E), 0.001);
});

test('a sink of 0 holds 1/(1 + n√e) among scores of deviation 1', () => {
  for (const keys of [64, 1024, 65536]) {
    const { rowSum } = expectedRow({ dK: 4096, keys, factor: 1 / 64, sink: 0 });
    assertNear(1 - rowSum, sinkWeight(keys), 2 / keys + 0.005);
  }
  assertNear(sinkWeight(64), 0.0094, 0.01);
  assertNear(sinkWeight(1, { sigma: 0, sink: 0 }), 0.5, 1e-12);
});

test('an aligned key gets what alignedWeights says where there is only a factor', () => {
  const setting = { dK: 64, keys: 64, alignments: [0, 0.3, 0.9], factor: 1 / 8 };
  const exact = alignedWeights(setting);
  // A cap that no score reaches, and a sink that holds nothing, take the other way.
  for (const nothing of [{ softcap: 1e6 }, { sink: -60 }]) {
    alignedRow({ ...setting, ...nothing }).forEach((weight, i) => {
      assertNear(weight, exact[i], 0.003);
    });
  }
  assert.deepEqual(alignedRow(setting), exact);
});

test('at ρ = 0 all keys are alike: n times the weight of one is the row sum', () => {
  for (const scale of [{ softcap: 3 }, { sink: 2 }, { bias: -3 }]) {
    const setting = { dK: 32, keys: 20, factor: 0.4, ...scale };
    const [weight] = alignedRow({ ...setting, alignments: [0] });
    assertNear(20 * weight, expectedRow(setting).rowSum, 0.002);
  }
});

test("YaRN's factor is 1 up to the length of training and grows by (0.1 ln s + 1)² beyond", () => {
  assert.deepEqual([yarnFactor(0.5), yarnFactor(1)], [1, 1]);
  assertNear(yarnFactor(32), 1.3466 ** 2, 1e-4);
});

test('at ρ = 1/√d_k the mean of q·k is its deviation', () => {
  const rho = crossingCorrelation(64);
  assert.equal(rho, 0.125);
  const { data } = randomNormal([4000, 128], { seed: 3 });
  const rest = Math.sqrt(1 - rho * rho);
  const dots = Array.from({ length: 4000 }, (_, row) => {
    let dot = 0;
    for (let i = 0; i < 64; i++) {
      const q = data[row * 128 + i];
      dot += q * (rho * q + rest * data[row * 128 + 64 + i]);
    }
    return dot;
  });
  const average = dots.reduce((a, b) => a + b) / 4000;
  const square = dots.reduce((sum, dot) => sum + (dot - average) ** 2, 0) / 4000;
  assertNear(average, 8, 0.03);
  assertNear(Math.sqrt(square), 8 * Math.sqrt(1 + rho * rho), 0.03);
});
