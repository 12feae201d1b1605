// @slow
// The density of one score against its closed forms, its moments and its own distribution.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreDensity, scoreProbability } from '../../../web/theory/density.js';
import { assertNear, integrate } from './near.js';

/**
 * Returns the integral of s^power times the density over the line, for d ≥ 2, where it is finite at
 * 0.
 */
const moment = (/** @type {number} */ power, /** @type {number} */ d) =>
  2 * integrate((s) => s ** power * scoreDensity(s, d), 0, 14 * Math.sqrt(d) + 40, 40000);

test('for d_k = 2, 4 and 6 the density is elementary', () => {
  for (const s of [0, 1e-6, 0.3, -1, 4, -30, 200]) {
    const x = Math.abs(s);
    assertNear(scoreDensity(s, 2), Math.exp(-x) / 2, 1e-12);
    assertNear(scoreDensity(s, 4), ((1 + x) * Math.exp(-x)) / 4, 1e-12);
    assertNear(scoreDensity(s, 6), ((3 + 3 * x + x * x) * Math.exp(-x)) / 16, 1e-12);
  }
});

test('for d_k = 1 the density is K_0/π, infinite at 0', () => {
  assert.equal(scoreDensity(0, 1), Infinity);
  assertNear(scoreDensity(1, 1), 0.4210244382407083 / Math.PI, 1e-13);
});

test('the density integrates to 1, with variance d_k and excess kurtosis 6/d_k', () => {
  for (const d of [2, 3, 8, 64, 513, 4096]) {
    const variance = moment(2, d);
    assertNear(moment(0, d), 1, 1e-9);
    assertNear(variance, d, 1e-9);
    assertNear(moment(4, d) / variance ** 2 - 3, 6 / d, 1e-7, 1e-9);
  }
});

test('for large d_k the density tends to the normal', () => {
  for (const z of [0, 1, 2]) {
    const normal = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI * 4096);
    assertNear(scoreDensity(64 * z, 4096), normal, 1e-3);
  }
});

test('entry size and factor stretch the density', () => {
  const options = { entrySize: 3, factor: 0.25 };
  assertNear(scoreDensity(5, 16, options), scoreDensity(5 / 2.25, 16) / 2.25, 1e-13);
  assertNear(scoreDensity(0, 16, options), scoreDensity(0, 16) / 2.25, 1e-13);
});

test('the probability of an interval is the integral of the density', () => {
  for (const d of [2, 5, 64, 1000]) {
    const bin = (/** @type {number} */ low, /** @type {number} */ high) =>
      integrate((s) => scoreDensity(s, d, { factor: 0.5 }), low, high, 2000);
    for (const [low, high] of [
      [0, 0.5],
      [-3, -1],
      [6, 9],
    ]) {
      assertNear(scoreProbability(low, high, d, { factor: 0.5 }), bin(low, high), 1e-7, 1e-12);
    }
    const across = bin(-2, 0) + bin(0, 5);
    assertNear(scoreProbability(-2, 5, d, { factor: 0.5 }), across, 1e-7, 1e-12);
  }
});

test('all probabilities add up to 1, also for d_k = 1', () => {
  for (const d of [1, 2, 4096]) {
    assertNear(scoreProbability(-Infinity, Infinity, d), 1, 1e-12);
    assertNear(scoreProbability(-Infinity, -1, d) + scoreProbability(-1, Infinity, d), 1, 1e-12);
  }
});
