/**
 * The expected saturation of the softmax of dot products at a finite d_k: the exact expectations of
 * moments.js, averaged over the random length of the query, fast enough to follow a slider.
 */
import { checkFinite, checkOptions } from './check.js';
import { checkLaw } from './law.js';
import { COARSE, softmaxMoments } from './moments.js';
import { normNodes, shiftedNodes } from './norm.js';
import { effectiveKeysOf, normalLaw } from './rows.js';
import { recent } from '../shared/recent.js';

/**
 * For one n, moments are computed at σ = sinh(k·SPACING) when first needed, and interpolated
 * between by polynomials of degree 7: ln(moment) against asinh σ is smooth from the quadratic
 * beginning to the power law at the end. The relative error is below 1e-5 for n up to 1024, and below
 * 1e-4 up to 65536.
 */
const SPACING = 0.1;
const POINTS = 8;
/** Barycentric weights of 8 equidistant points: alternating binomials. */
const BARYCENTRIC = [1, -7, 21, -35, 35, -21, 7, -1];

/** Logarithms of moments at one σ. @typedef {readonly number[]} LogMoments */

const TABLES_KEPT = 64;
/** E max p, E H and E Σp² by n; the table of −n lacks E max p. @type {(n: number) => LogMoments[]} */
const tableOf = recent(TABLES_KEPT, () => []);
/** E 1/Σp² by n. @type {(n: number) => LogMoments[]} */
const countsOf = recent(TABLES_KEPT, () => []);

/**
 * Returns the logarithms of the moments at one σ.
 * @param {number} n as in `tableOf`
 * @param {number} sigma
 * @returns {LogMoments}
 */
function logMoments(n, sigma) {
  const resolution = n < 0 ? { ...COARSE, order: 0 } : COARSE;
  const { maxWeight, entropy, sumOfSquares } = softmaxMoments(Math.abs(n), sigma, resolution);
  return [Math.log(maxWeight), Math.log(entropy), Math.log(sumOfSquares)];
}

/**
 * Interpolates moments at one σ.
 * @param {LogMoments[]} table by k, whose points are computed when first needed
 * @param {(sigma: number) => LogMoments} compute
 * @param {number} sigma
 * @param {Float64Array} out receives the moments
 */
function interpolate(table, compute, sigma, out) {
  const position = Math.asinh(sigma) / SPACING;
  const first = Math.max(0, Math.floor(position) - POINTS / 2 + 1); // of the points around it
  out.fill(0);
  let total = 0;
  for (let i = 0; i < POINTS; i++) {
    const values = (table[first + i] ??= compute(Math.sinh((first + i) * SPACING)));
    // At a point, where the barycentric formula would divide by 0, a hair beside it.
    const weight = BARYCENTRIC[i] / (position - first - i || 1e-12);
    total += weight;
    for (let m = 0; m < out.length; m++) out[m] += weight * values[m];
  }
  for (let m = 0; m < out.length; m++) out[m] = Math.exp(out[m] / total);
}

/**
 * @typedef {object} Saturation
 * @property {number} maxWeight expected largest weight of a query
 * @property {number} entropyRatio expected entropy / ln keys; 1 for a single key
 * @property {number} entropy expected entropy in nats
 * @property {number} sumOfSquares expected Σp²
 */

/**
 * Returns the expectations for softmax(factor·q·k_j), j = 1 … keys, with q and k_j of d_k iid
 * N(0, entrySize²) entries: given q the scores are iid N(0, (factor·entrySize·|q|)²), and |q|² is
 * entrySize²·χ² with d_k degrees of freedom. Exact for finite keys and d_k up to the
 * interpolation above.
 * @param {{ dK: number, keys: number, factor?: number, entrySize?: number, mean?: number, largest?: boolean }} options
 *   `factor` 1/√d_k unless given, `entrySize` 1; neither below 0; `mean` of an entry, in sizes, 0: a key's moves no
 *   weight, for all keys share it, but a query's makes it longer; without `largest`, which takes half
 *   of the time, `maxWeight` is NaN
 * @returns {Saturation}
 * @throws {DTypeError} for an unknown option, a d_k below 0.01, keys that are no positive integer, a negative factor or size
 */
export function expectedSaturation(options) {
  checkOptions('expectedSaturation', options, 'dK, keys, factor, entrySize, mean, largest');
  const { dK, keys, factor = 1 / Math.sqrt(dK), entrySize = 1, mean = 0, largest = true } = options;
  checkFinite('expectedSaturation', { mean });
  checkLaw('expectedSaturation', { dK, keys, factor, entrySize });
  if (keys === 1) return { maxWeight: 1, entropyRatio: 1, entropy: 0, sumOfSquares: 1 };
  const n = largest ? keys : -keys;
  const compute = (/** @type {number} */ sigma) => logMoments(n, sigma);
  const nodes = mean === 0 ? normNodes(dK) : shiftedNodes(dK, mean);
  const [maxWeight, entropy, sumOfSquares] = averaged(3, nodes, (length, out) =>
    interpolate(tableOf(n), compute, factor * entrySize ** 2 * length, out),
  );
  return { maxWeight, entropyRatio: entropy / Math.log(keys), entropy, sumOfSquares };
}

/**
 * Averages moments over the random length of the query.
 * @param {number} count of the moments
 * @param {import('./norm.js').Nodes} nodes
 * @param {(length: number, out: Float64Array) => void} moments
 */
function averaged(count, { radius, weight }, moments) {
  const at = new Float64Array(count);
  const means = new Float64Array(count);
  for (let i = 0; i < radius.length; i++) {
    moments(radius[i], at);
    for (let m = 0; m < count; m++) means[m] += weight[i] * at[m];
  }
  return means;
}

/**
 * Returns the expected effective keys 1/Σp² of a query, 1 … keys, under the law of `expectedSaturation`. It is more
 * than 1/EΣp², for 1/x is convex.
 * @param {{ dK: number, keys: number, factor?: number }} options `factor` 1/√d_k unless given
 * @returns {number} within 1e-4
 * @throws {DTypeError} as `expectedSaturation`
 */
export function expectedEffectiveKeys(options) {
  checkOptions('expectedEffectiveKeys', options, 'dK, keys, factor');
  const { dK, keys, factor = 1 / Math.sqrt(dK) } = options;
  checkLaw('expectedEffectiveKeys', { dK, keys, factor, entrySize: 1 });
  if (keys === 1) return 1;
  const compute = (/** @type {number} */ sigma) => [
    Math.log(
      effectiveKeysOf(
        normalLaw((g) => sigma * g, sigma),
        keys,
      ),
    ),
  ];
  const [mean] = averaged(1, normNodes(dK), (length, out) =>
    interpolate(countsOf(keys), compute, factor * length, out),
  );
  return mean;
}
