/**
 * The expected saturation of the softmax of dot products at a finite d_k: the exact expectations of
 * moments.js, averaged over the random length of the query, fast enough to follow a slider.
 */
import { checkLaw } from './law.js';
import { COARSE, softmaxMoments } from './moments.js';
import { normNodes } from './norm.js';
import { recent } from '../shared/recent.js';

/**
 * For one n, the moments are computed at σ = sinh(k·SPACING) when first needed, and interpolated
 * between by polynomials of degree 7: ln(moment) against asinh σ is smooth from the quadratic
 * beginning to the power law at the end. The relative error is below 1e-5 for n up to 1024, and below
 * 1e-4 up to 65536.
 */
const SPACING = 0.1;
const POINTS = 8;
/** Barycentric weights of 8 equidistant points: alternating binomials. */
const BARYCENTRIC = [1, -7, 21, -35, 35, -21, 7, -1];

/** Logarithms of E max p, E H and E Σp². @typedef {[number, number, number]} LogMoments */

const TABLES_KEPT = 64;
/** Tables by n; the table of −n lacks E max p. @type {(n: number) => LogMoments[]} */
const tableOf = recent(TABLES_KEPT, () => []);

/**
 * Returns point k of a table, computed when first needed.
 * @param {LogMoments[]} table of n
 * @param {number} n as in `tableOf`
 * @param {number} k
 * @returns {LogMoments}
 */
function node(table, n, k) {
  if (!table[k]) {
    const resolution = n < 0 ? { ...COARSE, order: 0 } : COARSE;
    const moments = softmaxMoments(Math.abs(n), Math.sinh(k * SPACING), resolution);
    table[k] = [
      Math.log(moments.maxWeight),
      Math.log(moments.entropy),
      Math.log(moments.sumOfSquares),
    ];
  }
  return table[k];
}

/** Returns the position of σ in the table. @param {number} sigma */
const positionOf = (sigma) => Math.asinh(sigma) / SPACING;

/** Returns the first of the points that surround a position. @param {number} position */
const firstPoint = (position) => Math.max(0, Math.floor(position) - POINTS / 2 + 1);

/**
 * Interpolates the moments at one σ.
 * @param {LogMoments[]} table of n
 * @param {number} n as in `tableOf`
 * @param {number} sigma
 * @param {Float64Array} out [3], receives E max p, E H, E Σp²
 */
function momentsAt(table, n, sigma, out) {
  const position = positionOf(sigma);
  const first = firstPoint(position);
  out.fill(0);
  let total = 0;
  for (let i = 0; i < POINTS; i++) {
    const values = node(table, n, first + i);
    // At a point, where the barycentric formula would divide by 0, a hair beside it.
    const weight = BARYCENTRIC[i] / (position - first - i || 1e-12);
    total += weight;
    for (let m = 0; m < 3; m++) out[m] += weight * values[m];
  }
  for (let m = 0; m < 3; m++) out[m] = Math.exp(out[m] / total);
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
 * @param {{ dK: number, keys: number, factor?: number, entrySize?: number, largest?: boolean }} options
 *   `factor` 1/√d_k unless given, `entrySize` 1; neither below 0; without `largest`, which takes half
 *   of the time, `maxWeight` is NaN
 * @returns {Saturation}
 * @throws {RangeError} for a d_k below 0.01, keys that are no positive integer, a negative factor or size
 */
export function expectedSaturation({
  dK,
  keys,
  factor = 1 / Math.sqrt(dK),
  entrySize = 1,
  largest = true,
}) {
  checkLaw('expectedSaturation', { dK, keys, factor, entrySize });
  if (keys === 1) return { maxWeight: 1, entropyRatio: 1, entropy: 0, sumOfSquares: 1 };
  const { radius, weight } = normNodes(dK);
  const n = largest ? keys : -keys;
  const table = tableOf(n);
  const at = new Float64Array(3);
  const mean = [0, 0, 0];
  for (let i = 0; i < radius.length; i++) {
    momentsAt(table, n, factor * entrySize ** 2 * radius[i], at);
    for (let m = 0; m < 3; m++) mean[m] += weight[i] * at[m];
  }
  const [maxWeight, entropy, sumOfSquares] = mean;
  return { maxWeight, entropyRatio: entropy / Math.log(keys), entropy, sumOfSquares };
}
