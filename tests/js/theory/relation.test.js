// Floors of tied training against closed forms and other symmetric scores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tiedRingFloor } from '../../../web/theory/relation.js';
import { assertNear } from './near.js';

test('the floors are ln 2, ln 3, ln 4 and 1.4890', () => {
  assertNear(tiedRingFloor(2), Math.LN2, 1e-9);
  assertNear(tiedRingFloor(3), Math.log(3), 1e-9);
  assertNear(tiedRingFloor(4), Math.log(4), 1e-9);
  assertNear(tiedRingFloor(8), 1.489, 1e-4);
});

test('rings of many tokens have nearly the floor of an endless one, (1 + ln 2π)/2', () => {
  assertNear(tiedRingFloor(28), 1.42323, 1e-5);
  assertNear(tiedRingFloor(100), 1.419268, 1e-6);
  assertNear(tiedRingFloor(1000), (1 + Math.log(2 * Math.PI)) / 2, 1e-5);
});

test('no sum of waves does better than the slowest alone', () => {
  // Circulant positive semidefinite scores: any weights ≥ 0 of the waves cos(2πmk/8).
  const floor = tiedRingFloor(8);
  for (const r of [1, 2, 2.06, 3]) {
    for (const faster of [0.05, 0.2, 1]) {
      for (const m of [2, 3, 4]) {
        const score = (/** @type {number} */ k) =>
          r * Math.cos((2 * Math.PI * k) / 8) + faster * Math.cos((2 * Math.PI * m * k) / 8);
        const sum = Array.from({ length: 8 }, (_, k) => Math.exp(score(k))).reduce((a, b) => a + b);
        assert.ok(Math.log(sum) - score(1) > floor);
      }
    }
  }
});
