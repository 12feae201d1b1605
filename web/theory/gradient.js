/**
 * The Jacobian of softmax, J = diag p − p pᵀ: exact for given logits, and for the typical row of
 * random ones.
 */
import { recent } from '../shared/recent.js';
import { normalDensity, normalTail } from './special.js';

/**
 * Returns ∂p_i/∂z_j of softmax in float64, from products of positive terms only: 1 − p_i is summed
 * from the other weights, so that an entry far below the rounding error of 1 keeps all its digits.
 * @param {readonly number[]} logits
 * @returns {number[][]} [n][n]
 */
export function exactJacobian(logits) {
  const most = Math.max(...logits);
  const terms = logits.map((logit) => Math.exp(logit - most));
  const total = terms.reduce((sum, term) => sum + term, 0);
  const p = terms.map((term) => term / total);
  return p.map((row, i) =>
    p.map((column, j) => (i === j ? row * sumWithout(p, i) : -row * column)),
  );
}

/** Returns the sum of all but one. @param {readonly number[]} values @param {number} left index of that one */
const sumWithout = (values, left) =>
  values.reduce((sum, value, index) => (index === left ? sum : sum + value), 0);

/**
 * Returns the weight of the first of two keys, its slope, and what a step of gradient descent at rate 1
 * takes from it where ∂L/∂p = (0, −1); without cancellation, so that none of them is 0.
 * @param {number} gap of their logits z_1 − z_2, at most 170 in magnitude
 * @returns {{ weight: number, slope: number, update: number }}
 */
export function exactGap(gap) {
  const weight = 1 / (1 + Math.exp(-gap));
  const slope = 1 / (2 + Math.exp(gap) + Math.exp(-gap));
  // Each logit moves by the slope: the gap shrinks by twice as much.
  const others = 1 / (1 + Math.exp(gap - 2 * slope));
  return { weight, slope, update: -weight * others * Math.expm1(-2 * slope) };
}

/** Step of the trapezoidal rule over a normal density; it converges exponentially. */
const STEP = 0.1;
const FARTHEST = 9;

/**
 * Returns P(largest − second largest > gap) of n iid N(0, 1): n ∫ φ(x) Φ(x − gap)^{n−1} dx.
 * @param {number} n at least 2
 * @param {number} gap not negative
 * @returns {number}
 */
export function gapTail(n, gap) {
  let sum = 0;
  for (let x = -FARTHEST; x <= FARTHEST; x += STEP) {
    sum += normalDensity(x) * (1 - normalTail(x - gap)) ** (n - 1);
  }
  return n * sum * STEP;
}

/** The gap is remembered for this many numbers of keys. */
const KEPT = 8;
/** After this many halvings the bracket is below the rounding error of float64. */
const HALVINGS = 45;

/** Returns the median of that gap. @param {number} n at least 2 @returns {number} */
export const medianGap = recent(KEPT, (/** @type {number} */ n) => {
  let low = 0;
  let high = FARTHEST;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (gapTail(n, middle) > 0.5) low = middle;
    else high = middle;
  }
  return low;
});

/**
 * Returns the median over rows of tr J where two keys share all the weight: with p = 1/(1 + e^{−Δ})
 * and Δ the gap between the two largest of n scores iid N(0, σ²), tr J = 2p(1 − p) = 1/(2 cosh²(Δ/2)).
 * It is right where softmax is saturated, with σ well above √(2 ln n).
 * @param {number} sigma
 * @param {number} gap `medianGap(n)`
 * @returns {number}
 */
export const medianTraceOfTwo = (sigma, gap) => 0.5 / Math.cosh((sigma * gap) / 2) ** 2;
