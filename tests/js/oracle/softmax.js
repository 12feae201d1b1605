/** Softmax and its sum, entropy and Jacobian, in float64. */
import { dot, sum } from './matrices.js';

/**
 * Returns the softmax of z / T; 0 for a row that is −Infinity throughout.
 * @param {number[]} z
 * @param {number} [temperature]
 */
export function softmax(z, temperature = 1) {
  const top = Math.max(...z);
  if (top === -Infinity) return z.map(() => 0);
  const exponentials = z.map((x) => Math.exp((x - top) / temperature));
  const total = sum(exponentials);
  return exponentials.map((e) => e / total);
}

/** @param {number[]} z @param {number} [temperature] */
export function logSumExp(z, temperature = 1) {
  const top = Math.max(...z);
  if (top === -Infinity) return -Infinity;
  return top / temperature + Math.log(sum(z, (x) => Math.exp((x - top) / temperature)));
}

/**
 * Returns the error that a float32 softmax of z / T may have in each entry, in units of EPSILON: p_i
 * times one for its own exponential, and the rounding of its argument.
 * @param {number[]} z
 * @param {number} [temperature]
 */
export function softmaxMagnitude(z, temperature = 1) {
  const top = Math.max(...z);
  const argument = z.map((x) => (x === -Infinity ? 0 : Math.abs(x - top) / temperature));
  const weights = softmax(z, temperature);
  const mean = dot(weights, argument);
  return weights.map((p, i) => p * (2 + argument[i] + mean));
}

/** −Σ p ln p, with 0 ln 0 = 0. @param {number[]} p */
export const entropy = (p) => -sum(p, (x) => (x === 0 ? 0 : x * Math.log(x)));

/** ∂p_i/∂x_j = p_i (δ_ij − p_j) / T. @param {number[]} z @param {number} [temperature] */
export function softmaxJacobian(z, temperature = 1) {
  const p = softmax(z, temperature);
  return p.map((pi, i) => p.map((pj, j) => (pi * ((i === j ? 1 : 0) - pj)) / temperature));
}
