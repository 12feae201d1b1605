/** Averages over the length of a query with d iid N(0, 1) entries: |q|² ~ χ²_d. */

import { checkLength } from './law.js';
import { recent } from '../shared/recent.js';

/** Nodes are left out where their density is below e^{−20} of the greatest near 0, and below e^{−36}
 *  far out, since the averaged functions may be tails. */
const NEGLIGIBLE_NEAR = 20;
const NEGLIGIBLE_FAR = 36;

const KEPT = 512;

/**
 * Returns quadrature nodes for |q|: the trapezoidal rule in x = ln(|q|/√d), where the density is
 * proportional to e^{d(x − e^{2x}/2)}. It is smooth, so that the rule converges exponentially;
 * the step follows the width 1/√(2d) of the peak. Moments are right to 1e-9.
 * @param {number} d at least 0.01, not necessarily an integer
 * @returns {Nodes} `weight` sums to 1; do not write to it
 * @throws {RangeError} for a smaller d
 */
export const normNodes = recent(KEPT, nodesOf);

/** @typedef {{ radius: Float64Array, weight: Float64Array }} Nodes */

/** Returns the nodes of the quadrature. @param {number} d @returns {Nodes} */
function nodesOf(d) {
  checkLength('normNodes', { d });
  const step = Math.min(0.14, 0.6 / Math.sqrt(2 * d));
  const logDensity = (/** @type {number} */ k) => {
    const x = k * step;
    return d * (x - (Math.exp(2 * x) - 1) / 2);
  };
  let first = 0;
  let last = 0;
  while (logDensity(first) > -NEGLIGIBLE_NEAR) first--;
  while (logDensity(last) > -NEGLIGIBLE_FAR) last++;
  const at = Float64Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const density = at.map((k) => Math.exp(logDensity(k)));
  const total = density.reduce((a, b) => a + b);
  return {
    radius: at.map((k) => Math.sqrt(d) * Math.exp(k * step)),
    weight: density.map((value) => value / total),
  };
}

/**
 * Returns E f(|q|) for q with d iid N(0, 1) entries and f smooth in ln |q|.
 * @param {(radius: number) => number} f
 * @param {number} d
 * @returns {number}
 */
export function overRandomNorm(f, d) {
  const { radius, weight } = normNodes(d);
  let sum = 0;
  for (let i = 0; i < radius.length; i++) sum += weight[i] * f(radius[i]);
  return sum;
}
