// @slow
// The freezing line, the map of the entropy and the weight of an aligned key against limits,
// inversion and simulation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedSaturation } from '../../../web/theory/saturation.js';
import { alignedWeights, entropyExponents, freezingExponent } from '../../../web/theory/scale.js';
import { expectedRow } from '../../../web/theory/scales.js';
import { normalDensity } from '../../../web/theory/special.js';
import { assertNear, integrate } from './near.js';

test('the freezing line is ½ − ln(2 ln n)/(2 ln d): 0 at d = 2 ln n, ½ far out', () => {
  assertNear(
    freezingExponent(64, 64),
    0.5 - Math.log(2 * Math.log(64)) / (2 * Math.log(64)),
    1e-12,
  );
  assertNear(freezingExponent(512, 2 * Math.log(512)), 0, 0, 1e-12);
  assertNear(freezingExponent(64, 1e200), 0.5, 0.01);
});

test('the exponents of the map give the entropy that they are for', () => {
  const ratios = [0.1, 0.3, 0.5, 0.7, 0.9];
  for (const [dK, keys] of [
    [4, 16],
    [64, 64],
    [1024, 300],
  ]) {
    entropyExponents({ dK, keys, ratios }).forEach((alpha, index) => {
      const { entropyRatio } = expectedSaturation({ dK, keys, factor: dK ** -alpha });
      assertNear(entropyRatio, ratios[index], 0, 0.006);
    });
  }
});

test('the exponents of the map are off by no more than .022/ln d_k', () => {
  const ratios = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98];
  for (const [dK, keys] of [
    [2, 512],
    [3, 64],
    [8, 512],
    [1024, 64],
  ]) {
    entropyExponents({ dK, keys, ratios }).forEach((alpha, index) => {
      let [low, high] = [alpha - 0.1, alpha + 0.1];
      while (high - low > 1e-5) {
        const middle = (low + high) / 2;
        const { entropyRatio } = expectedSaturation({ dK, keys, factor: dK ** -middle });
        if (entropyRatio < ratios[index]) low = middle;
        else high = middle;
      }
      assertNear(alpha, low, 0, 0.022 / Math.log(dK));
    });
  }
});

test('a key without alignment gets a weight of 1/n, and more with every ρ', () => {
  const alignments = [0, 0.2, 0.5, 0.8, 1];
  for (const factor of [1, 1 / 8, 1 / 64]) {
    const weights = alignedWeights({ dK: 64, keys: 64, factor, alignments });
    assertNear(weights[0], 1 / 64, 0.002);
    for (let i = 1; i < weights.length; i++) assert.ok(weights[i] >= weights[i - 1]);
    assert.ok(weights[4] <= 1 + 1e-9);
  }
});

test('by symmetry a key without alignment gets 1/n at every d_k, n and factor', () => {
  for (const dK of [2, 8, 64, 1024]) {
    for (const keys of [2, 64, 512]) {
      for (const factor of [2, 1, 1 / Math.sqrt(dK), 1 / dK, 1 / 64]) {
        const [weight] = alignedWeights({ dK, keys, factor, alignments: [0] });
        assertNear(weight, 1 / keys, 0.002);
      }
    }
  }
});

test('against one other key the weight is a logistic function of normals, given the length of q', () => {
  // The difference of the scores is N(cρr², c²r²(2 − ρ²)) for |q| = r, of density r^{d−1} e^{−r²/2}.
  const given = (/** @type {number} */ mean, /** @type {number} */ deviation) =>
    integrate((g) => normalDensity(g) / (1 + Math.exp(-mean - deviation * g)), -8, 8, 400);
  for (const dK of [2, 4, 16, 64]) {
    const middle = Math.sqrt(dK);
    const law = (/** @type {number} */ r) => (r / middle) ** (dK - 1) * Math.exp((dK - r * r) / 2);
    const over = (/** @type {(r: number) => number} */ f) =>
      integrate((r) => law(r) * f(r), Math.max(0, middle - 6), middle + 6, 120);
    for (const factor of [1, 1 / Math.sqrt(dK), 1 / 64]) {
      for (const rho of [0.3, 1]) {
        const [weight] = alignedWeights({ dK, keys: 2, factor, alignments: [rho] });
        const spread = factor * Math.sqrt(2 - rho ** 2);
        const exact = over((r) => given(factor * rho * r * r, spread * r)) / over(() => 1);
        assertNear(weight, exact, 0.002);
      }
    }
  }
});

test('among many others the weight agrees with simulations', () => {
  // Up to 2e5 queries each; their standard errors are .2 to .7 %.
  for (const [dK, keys, rho, factor, simulated] of [
    [2, 64, 0.3, 1, 0.02603],
    [2, 64, 1, Math.SQRT1_2, 0.06137],
    [2, 64, 1, 1 / 2, 0.04574],
    [2, 64, 1, 1, 0.07908],
    [2, 512, 1, 1, 0.01445],
    [8, 64, 0.6, 1 / Math.sqrt(8), 0.0772],
    [16, 512, 0.8, 1 / 4, 0.0507],
    [64, 64, 0.3, 1 / 8, 0.1323],
    [64, 512, 0.3, 1, 0.2566],
    [64, 512, 0.5, 1 / 8, 0.0912],
  ]) {
    const [weight] = alignedWeights({ dK, keys, factor, alignments: [rho] });
    assertNear(weight, simulated, 0.015);
  }
});

/** cos(q, k) of random vectors of 3 entries is uniform. @param {(cosine: number) => number} f */
const overCosines = (f) => integrate(f, -1, 1, 200) / 2;

test('under cosine similarity and in three dimensions the others’ scores are uniform', () => {
  const options = { dK: 3, keys: 2, cosine: true };
  for (const gain of [1, 10, 30]) {
    const setting = { ...options, factor: gain };
    const [weight] = alignedWeights({ ...setting, alignments: [1] });
    const exact = overCosines((cosine) => 1 / (1 + Math.exp(gain * (cosine - 1))));
    assertNear(weight, exact, 0.002);
    const entropyOf = (/** @type {number} */ gap) =>
      Math.log1p(Math.exp(-gap)) + gap / (1 + Math.exp(gap));
    const entropy = overCosines((a) => overCosines((b) => entropyOf(gain * Math.abs(a - b))));
    assertNear(expectedRow(setting).entropy, entropy, 0.002);
  }
});

test('under cosine similarity the weight agrees with simulations, at few dimensions too', () => {
  // Up to 2e5 queries each; their standard errors are below .5 %.
  for (const [dK, keys, rho, simulated] of [
    [2, 64, 0, 1 / 64],
    [2, 64, 0.3, 0.02404],
    [2, 64, 0.9, 0.06956],
    [2, 64, 1, 0.11748],
    [4, 64, 0.5, 0.06351],
    [8, 512, 0, 1 / 512],
    [1024, 512, 0, 1 / 512],
  ]) {
    const options = { dK, keys, factor: 10, cosine: true };
    assertNear(alignedWeights({ ...options, alignments: [rho] })[0], simulated, 0.006);
  }
  const { entropy } = expectedRow({ dK: 2, keys: 64, factor: 10, cosine: true });
  assertNear(entropy, 2.6037, 5e-4);
});

test('nearly orthogonal others: the gain ln(9(n − 1)) gives a weight of .9', () => {
  const keys = 64;
  const gain = Math.log(9 * (keys - 1));
  assertNear(gain, 6.3, 0.01);
  const options = { dK: 1e6, keys, factor: gain, alignments: [1], cosine: true };
  assertNear(alignedWeights(options)[0], 0.9, 1e-3);
});

test('the map computes no entropy below the least ratio', (t) => {
  const { mock } = t.mock.method(Math, 'exp');
  const calls = (/** @type {number} */ keys, /** @type {number[]} */ ratios) => {
    mock.resetCalls();
    entropyExponents({ dK: 64, keys, ratios }); // of keys that no other test has
    return mock.callCount();
  };
  const [few, all] = [calls(93, [0.9]), calls(94, [0.1])];
  assert.ok(few < all / 2, `${few}, not ${all}`);
});

test('other alignments with the same keys are integrated over the same table', (t) => {
  const tables = t.mock.method(Float64Array, 'from');
  for (const cosine of [false, true]) {
    const law = { dK: 48, keys: 33, factor: 0.7, cosine };
    alignedWeights({ ...law, alignments: [0, 0.3] });
    const made = tables.mock.callCount();
    assert.ok(made > 0);
    alignedWeights({ ...law, alignments: [0.4] });
    assert.equal(tables.mock.callCount(), made);
  }
});
