// What a mean keeps of two values against the best linear map, found by search.
import { test } from 'node:test';
import { lostInMean } from '../../../web/theory/mean.js';
import { assertNear } from './near.js';

test('is what the best multiple of the mean leaves, and sums to one value', () => {
  for (const w of [0, 0.1, 0.5, 0.72, 1]) {
    // E (v₁ − a·z)² for z = w·v₁ + (1 − w)·v₂ and independent v of variance 1.
    const leftOf = (/** @type {number} */ own, /** @type {number} */ a) =>
      (1 - a * own) ** 2 + (a * (1 - own)) ** 2;
    const least = (/** @type {number} */ own) =>
      Math.min(...Array.from({ length: 40_001 }, (_, i) => leftOf(own, -2 + i / 1e4)));
    const { first, second } = lostInMean(w);
    assertNear(first, least(w), 1e-6, 1e-7);
    assertNear(second, least(1 - w), 1e-6, 1e-7);
    assertNear(first + second, 1, 1e-14);
  }
});
