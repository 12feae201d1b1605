// The exact Jacobian against its definition, and the gap of the two largest against its integral.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exactGap,
  exactJacobian,
  gapTail,
  medianGap,
  medianTraceOfTwo,
} from '../../../web/theory/gradient.js';
import { normalDensity, normalTail } from '../../../web/theory/special.js';
import { assertNear, integrate } from './near.js';

/** @param {number[]} logits */
function softmax(logits) {
  const terms = logits.map(Math.exp);
  const total = terms.reduce((a, b) => a + b);
  return terms.map((term) => term / total);
}

test('the Jacobian is p_i(δ_ij − p_j), and central differences agree', () => {
  const logits = [0.3, -1.2, 2, 0.9];
  const p = softmax(logits);
  const step = 1e-5;
  exactJacobian(logits).forEach((row, i) =>
    row.forEach((entry, j) => {
      assertNear(entry, p[i] * ((i === j ? 1 : 0) - p[j]), 1e-13);
      const moved = (/** @type {number} */ by) =>
        softmax(logits.map((logit, k) => (k === j ? logit + by : logit)))[i];
      assertNear(entry, (moved(step) - moved(-step)) / (2 * step), 1e-7, 1e-10);
    }),
  );
});

test('of the logits 50, 1, 1, 1 the first entry is 1.6e-21: 3e⁻⁴⁹ / (1 + 3e⁻⁴⁹)²', () => {
  const [[first]] = exactJacobian([50, 1, 1, 1]);
  const rest = 3 * Math.exp(-49);
  assertNear(first, rest / (1 + rest) ** 2, 1e-14);
  assert.equal(first.toExponential(1), '1.6e-21');
});

test('between two keys nothing is lost to rounding: weight, slope and step with 60 decimal digits', () => {
  // Computed with Python's decimal from p = 1/(1 + e^−gap) before and after the step.
  for (const [gap, ...expected] of [
    [0, 0.5, 0.25, 0.12245933120185457],
    [2.5, 0.9241418199787564, 0.07010371654510816, 0.0104323680272769],
    [8, 0.9996646498695335, 0.00033523767075647424, 2.2484390895899854e-7],
    [49, 1, 5.242885663363464e-22, 5.49757001582043e-43],
  ]) {
    const { weight, slope, update } = exactGap(gap);
    [weight, slope, update].forEach((each, i) => assertNear(each, expected[i], 1e-13));
  }
});

test('rows of the Jacobian sum to 0, which float32 could not keep', () => {
  for (const row of exactJacobian([50, 1, 1, 1])) {
    const sum = row.reduce((a, b) => a + b);
    assert.ok(Math.abs(sum) < 1e-15 * Math.max(...row.map(Math.abs)));
  }
});

test('the gap of two normals is that of N(0, 2), folded', () => {
  for (const gap of [0, 0.5, 2, 5])
    assertNear(gapTail(2, gap), 2 * normalTail(gap / Math.SQRT2), 1e-9);
  assertNear(medianGap(2), 0.6744897501960817 * Math.SQRT2, 1e-9);
});

test('the gap of 64 normals agrees with Simpson’s rule, and its median with its tail', () => {
  const exact = integrate(
    (x) => 64 * normalDensity(x) * (1 - normalTail(x - 0.4)) ** 63,
    -10,
    10,
    2000,
  );
  assertNear(gapTail(64, 0.4), exact, 1e-9);
  assertNear(gapTail(64, medianGap(64)), 0.5, 1e-9);
});

test('two keys alone have tr J = 2p(1 − p), ½ where they are level', () => {
  assert.equal(medianTraceOfTwo(0, 1), 0.5);
  const p = 1 / (1 + Math.exp(-3));
  assertNear(medianTraceOfTwo(6, 0.5), 2 * p * (1 - p), 1e-12);
});

test('the median gap of a number of keys is computed once', (t) => {
  const gap = medianGap(93);
  const { mock } = t.mock.method(Math, 'exp');
  assert.equal(medianGap(93), gap);
  assert.equal(mock.callCount(), 0);
});
