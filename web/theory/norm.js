/** Averages over the length of a query with d iid N(mean, 1) entries: |q|² ~ χ²_d where the mean is 0. */

import { checkLength } from './law.js';
import { recent } from '../shared/recent.js';
import { times } from '../shared/times.js';
import { normalDensity } from './special.js';

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

/** @typedef {{ radius: Float64Array, weight: Float64Array, along?: Float64Array }} Nodes */

/**
 * Nodes of the part of a query along the direction of its mean, which is normal: how far the farthest are, the distance
 * between them in many dimensions and in few, where the rest of a query may be short; the length below which a rest counts as 0, and the weight of a node
 * left out.
 */
const ALONG = { farthest: 6.5, many: 0.5, few: 0.2, fewest: 16, shortest: 0.01, negligible: 1e-10 };

/**
 * Returns quadrature nodes for |q| and for the sum of its entries over √d, its part along the direction of the mean.
 * That part is N(mean·√d, 1), and the rest of q has d − 1 dimensions of mean 0.
 * @param {number} d at least 1
 * @param {number} mean of an entry, in deviations
 * @returns {Nodes & { along: Float64Array }}
 */
export const shiftedNodes = recent(KEPT, (/** @type {number} */ d, /** @type {number} */ mean) => {
  const { radius, weight } = d === 1 ? { radius: [0], weight: [1] } : normNodes(d - 1);
  const rest = times(radius.length, (i) => ({ beside: radius[i], share: weight[i] }));
  const long = rest.filter(({ beside }) => beside >= ALONG.shortest);
  const short = { beside: 0, share: 1 - long.reduce((sum, { share }) => sum + share, 0) };
  const step = d < ALONG.fewest ? ALONG.few : ALONG.many;
  const reach = Math.round(ALONG.farthest / step);
  const all = times(2 * reach + 1, (i) => step * (i - reach)).flatMap((normal) =>
    [short, ...long].map(({ beside, share }) => ({
      along: mean * Math.sqrt(d) + normal,
      beside,
      weight: step * normalDensity(normal) * share,
    })),
  );
  const nodes = all.filter(({ weight }) => weight > ALONG.negligible);
  return {
    // A query of no length has no law of its own.
    radius: Float64Array.from(nodes, ({ along, beside }) => Math.hypot(along, beside, 1e-9)),
    along: Float64Array.from(nodes, ({ along }) => along),
    weight: Float64Array.from(nodes, ({ weight }) => weight),
  };
});

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
 * Returns E f(|q|) for q with d iid N(mean, 1) entries and f smooth in ln |q|.
 * @param {(radius: number) => number} f
 * @param {number} d
 * @param {number} [mean] 0
 * @returns {number}
 */
export function overRandomNorm(f, d, mean = 0) {
  const { radius, weight } = mean === 0 ? normNodes(d) : shiftedNodes(d, mean);
  let sum = 0;
  for (let i = 0; i < radius.length; i++) sum += weight[i] * f(radius[i]);
  return sum;
}
