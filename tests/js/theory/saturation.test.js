// @slow
// The expectations behind the saturation figure: interpolation against the exact integrals,
// simulation with real dot products, and the values the page quotes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreDensity } from '../../../web/theory/density.js';
import { softmaxMoments } from '../../../web/theory/moments.js';
import { normNodes } from '../../../web/theory/norm.js';
import { expectedEffectiveKeys, expectedSaturation } from '../../../web/theory/saturation.js';
import { assertNear, integrate } from './near.js';

test('64 keys at d_k = 64: the largest weight is .8 unscaled and .11 scaled', () => {
  assertNear(expectedSaturation({ dK: 64, keys: 64, factor: 1 }).maxWeight, 0.8, 0, 0.01);
  assertNear(expectedSaturation({ dK: 64, keys: 64 }).maxWeight, 0.11, 0, 0.005);
});

test('interpolation stays within 1e-5 of the exact integrals', () => {
  for (const [keys, dK, factor] of [
    [2, 1, 1],
    [64, 3, 1],
    [64, 64, 1 / 8],
    [300, 1024, 1],
    [65536, 2, 1],
    [65536, 4096, 1 / 64],
  ]) {
    const { radius, weight } = normNodes(dK);
    const exact = { maxWeight: 0, entropy: 0, sumOfSquares: 0 };
    radius.forEach((r, i) => {
      const moments = softmaxMoments(keys, factor * r);
      exact.maxWeight += weight[i] * moments.maxWeight;
      exact.entropy += weight[i] * moments.entropy;
      exact.sumOfSquares += weight[i] * moments.sumOfSquares;
    });
    const interpolated = expectedSaturation({ dK, keys, factor });
    assertNear(interpolated.maxWeight, exact.maxWeight, 1e-5);
    assertNear(interpolated.entropy, exact.entropy, 1e-5);
    assertNear(interpolated.sumOfSquares, exact.sumOfSquares, 1e-5);
  }
});

test('two keys at d_k = 2: the difference of scores is √2 times one score', () => {
  // p = logistic(√2 s) for a score s of density e^{−|s|}/2: q·(k₁ − k₂), with k₁ − k₂ ~ N(0, 2).
  const mean =
    2 * integrate((s) => scoreDensity(s, 2) / (1 + Math.exp(-Math.SQRT2 * s)), 0, 60, 6000);
  assertNear(expectedSaturation({ dK: 2, keys: 2, factor: 1 }).maxWeight, mean, 1e-6);
});

test('two keys at d_k = 2: the effective keys are those of that difference', () => {
  const mean =
    2 *
    integrate(
      (s) => {
        const p = 1 / (1 + Math.exp(-Math.SQRT2 * s));
        return scoreDensity(s, 2) / (p * p + (1 - p) * (1 - p));
      },
      0,
      60,
      6000,
    );
  assertNear(expectedEffectiveKeys({ dK: 2, keys: 2, factor: 1 }), mean, 1e-5);
});

test('64 keys at d_k = 64: 28.1 are effective, 1.68 unscaled, more than 1/EΣp² either way', () => {
  for (const [factor, count] of [
    [1 / 8, 28.1],
    [1, 1.68],
  ]) {
    const law = { dK: 64, keys: 64, factor };
    assertNear(expectedEffectiveKeys(law), count, 0.003);
    assert.ok(expectedEffectiveKeys(law) > 1 / expectedSaturation(law).sumOfSquares);
  }
});

test('where all keys are alike, or there is one, every key is effective', () => {
  assertNear(expectedEffectiveKeys({ dK: 4, keys: 65536, factor: 0 }), 65536, 1e-4);
  assert.equal(expectedEffectiveKeys({ dK: 4, keys: 1 }), 1);
});

test('entry size s acts like a factor s²', () => {
  const sized = expectedSaturation({ dK: 16, keys: 32, factor: 0.25, entrySize: 2 });
  const stretched = expectedSaturation({ dK: 16, keys: 32, factor: 1 });
  assertNear(sized.maxWeight, stretched.maxWeight, 1e-12);
  assertNear(sized.entropyRatio, stretched.entropyRatio, 1e-12);
});

test('dividing by d_k leaves attention nearly uniform: H = ln n − 1/(2d)', () => {
  const { entropy } = expectedSaturation({ dK: 64, keys: 512, factor: 1 / 64 });
  assertNear(entropy, Math.log(512) - 1 / 128, 0, 1e-4);
});

test('dividing by 2√d_k leaves n·e^{−1/4} effective keys', () => {
  const { sumOfSquares } = expectedSaturation({ dK: 4096, keys: 65536, factor: 1 / 128 });
  assertNear(1 / sumOfSquares, 65536 * Math.exp(-0.25), 1e-3);
});

test('a single key has all the weight and, by convention, entropy ratio 1', () => {
  assert.deepEqual(expectedSaturation({ dK: 8, keys: 1 }), {
    maxWeight: 1,
    entropyRatio: 1,
    entropy: 0,
    sumOfSquares: 1,
  });
});

test('the result does not depend on earlier calls', () => {
  const first = expectedSaturation({ dK: 5, keys: 41 });
  for (let keys = 100; keys < 170; keys++) expectedSaturation({ dK: 2, keys });
  for (let dK = 1; dK < 600; dK++) expectedSaturation({ dK, keys: 2 });
  assert.deepEqual(expectedSaturation({ dK: 5, keys: 41 }), first);
});

test('the largest weight is computed only where it is wanted', (t) => {
  const exp = t.mock.method(Math, 'exp');
  const law = { dK: 48, keys: 61, factor: 0.9 };
  const { maxWeight, ...others } = expectedSaturation({ ...law, largest: false });
  const few = exp.mock.callCount();
  assert.ok(Number.isNaN(maxWeight));
  const all = expectedSaturation(law);
  for (const [name, value] of Object.entries(others)) {
    assert.equal(value, all[/** @type {'entropy'} */ (name)]);
  }
  assert.ok(exp.mock.callCount() > 1.5 * few);
});
