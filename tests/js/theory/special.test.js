// Special functions against closed forms, published values and identities.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logBesselK, logGamma, normalDensity, normalTail } from '../../../web/theory/special.js';
import { assertNear } from './near.js';

test('the normal tail gives the tabulated values', () => {
  assert.equal(normalTail(0), 0.5);
  assertNear(normalTail(1), 0.15865525393145705, 1e-15);
  assertNear(normalTail(5), 2.866515718791939e-7, 1e-14);
  assertNear(normalTail(10), 7.6198530241605e-24, 1e-13);
});

test('the normal tail and its mirror image add up to 1', () => {
  for (let x = 0; x < 8; x += 0.37) assertNear(normalTail(x) + normalTail(-x), 1, 1e-15);
});

test('the normal tail keeps its relative accuracy far out, between the bounds of Mills’ ratio', () => {
  for (let x = 6; x < 37; x += 0.5) {
    const ratio = (normalTail(x) * x) / normalDensity(x);
    assert.ok(ratio < 1 && ratio > 1 - 1 / x ** 2 && ratio < 1 - 1 / x ** 2 + 3 / x ** 4, `${x}`);
  }
});

test('the normal tail ends at 0 and 1', () => {
  assert.equal(normalTail(Infinity), 0);
  assert.equal(normalTail(-Infinity), 1);
});

test('ln Γ is the logarithm of factorials', () => {
  let logFactorial = 0;
  for (let n = 1; n < 200; n++) {
    assertNear(logGamma(n), logFactorial, 1e-14, 1e-14);
    logFactorial += Math.log(n);
  }
});

test('ln Γ obeys the duplication formula up to 4096', () => {
  for (const x of [0.5, 1.3, 20, 300.5, 2048]) {
    const doubled = logGamma(x) + logGamma(x + 0.5) + (2 * x - 1) * Math.LN2;
    assertNear(doubled, logGamma(2 * x) + 0.5 * Math.log(Math.PI), 1e-14);
  }
});

test('K_0 and K_1 give the tabulated values', () => {
  assertNear(Math.exp(logBesselK(0, 1)), 0.4210244382407083, 1e-14);
  assertNear(Math.exp(logBesselK(1, 1)), 0.6019072301972346, 1e-14);
});

test('K_ν of half-integer order is elementary', () => {
  for (const x of [0.01, 0.7, 5, 300]) {
    const k = 0.5 * Math.log(Math.PI / (2 * x)) - x;
    assertNear(logBesselK(0.5, x), k, 1e-13, 1e-13);
    assertNear(logBesselK(1.5, x), k + Math.log1p(1 / x), 1e-13, 1e-13);
    assertNear(logBesselK(2.5, x), k + Math.log1p(3 / x + 3 / x ** 2), 1e-13, 1e-13);
  }
});

test('K_ν obeys its recurrence at orders up to 2048', () => {
  for (const nu of [1, 7.5, 100, 2047.5]) {
    for (const x of [1e-3, 1, 64, 5000]) {
      const middle = logBesselK(nu, x);
      const sum = Math.exp(logBesselK(nu - 1, x) - middle) + (2 * nu) / x;
      assertNear(Math.log(sum), logBesselK(nu + 1, x) - middle, 1e-10, 1e-10);
    }
  }
});

test('K_0 grows like −ln x at 0', () => {
  for (const x of [1e-10, 1e-100]) {
    const leading = -Math.log(x / 2) - 0.5772156649015329;
    assertNear(Math.exp(logBesselK(0, x)), leading, 1e-13);
  }
});
