// Averages over the length of a Gaussian vector against the moments of the χ² law.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normNodes, overRandomNorm, shiftedNodes } from '../../../web/theory/norm.js';
import { logGamma } from '../../../web/theory/special.js';
import { assertNear } from './near.js';

const DIMENSIONS = [1, 2, 3, 7, 64, 1000, 4096];

test('the weights are positive and sum to 1', () => {
  for (const d of DIMENSIONS) {
    const { weight } = normNodes(d);
    assertNear(
      weight.reduce((a, b) => a + b),
      1,
      1e-13,
    );
    assert.ok(weight.every((w) => w > 0));
  }
});

test('|q|² has mean d, and |q|⁴ has mean d(d + 2)', () => {
  for (const d of DIMENSIONS) {
    assertNear(
      overRandomNorm((r) => r ** 2, d),
      d,
      1e-8,
    );
    assertNear(
      overRandomNorm((r) => r ** 4, d),
      d * (d + 2),
      1e-7,
    );
  }
});

test('|q| has mean √2 Γ((d + 1)/2) / Γ(d/2)', () => {
  for (const d of DIMENSIONS) {
    const mean = Math.SQRT2 * Math.exp(logGamma((d + 1) / 2) - logGamma(d / 2));
    assertNear(
      overRandomNorm((r) => r, d),
      mean,
      1e-8,
    );
  }
});

test('entries of another mean make |q|² d·(1 + mean²) on average, of which 1 + d·mean² lies along the mean', () => {
  for (const d of [1, 1.26, 2, 7, 64, 1000]) {
    for (const mean of [0.05, 0.5, 1]) {
      const { radius, along, weight } = shiftedNodes(d, mean);
      const over = (/** @type {Float64Array} */ length) =>
        length.reduce((sum, x, i) => sum + weight[i] * x ** 2, 0);
      assertNear(over(radius), d * (1 + mean ** 2), 1e-5);
      assertNear(over(along), 1 + d * mean ** 2, 1e-5);
      assertNear(
        overRandomNorm((r) => r ** 2, d, mean),
        d * (1 + mean ** 2),
        1e-5,
      );
    }
  }
});
