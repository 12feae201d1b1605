/**
 * The gradient that softmax lets through as d_k grows: ∂L/∂q of whole rows, the trace of the
 * Jacobian, and the Jacobian of a few logits entry by entry; measured with the kernel.
 *
 * Assumption of the curves: entries of queries, keys and of the upstream gradient ∂L/∂p are iid
 * N(0, 1).
 */
import { softmax, softmaxGradient, softmaxJacobian } from '../attention/index.js';
import { exactGap, exactJacobian, medianGap, medianTraceOfTwo } from '../theory/gradient.js';
import { expectedSaturation } from '../theory/saturation.js';
import { noise, pairs } from './noise.js';
import { DIMENSIONS, scaleFactor } from './factors.js';
import { scoresOf } from './scores.js';
import { dot, largestOf, lessEach, rowsOf, summary, transposed } from './statistics.js';

/** @import { Tensor } from '../attention/index.js' */

/** @typedef {'none' | '1/√d' | '1/d'} GradientFactor */

/** The factors compared. @type {readonly GradientFactor[]} */
export const GRADIENT_FACTORS = Object.freeze(['none', '1/√d', '1/d']);

/** Added to the seed for the upstream gradient; seeds of figures are below a million. */
export const UPSTREAM_SEED = 1_000_000;

/** Two keys share the weight where σ exceeds √(2 ln n) by this factor. */
const WELL_FROZEN = 4;

/** "The top tenth". */
const TOP_SHARE = 0.1;

/**
 * The gradients at one d_k, as statistics over the queries.
 * @typedef {object} GradientRow
 * @property {GradientFactor} scaling
 * @property {number} dK
 * @property {number} gradient mean over queries of ‖∂L/∂q‖
 * @property {number} gradientMedian
 * @property {number} gradientP10 10th percentile over queries
 * @property {number} gradientP90
 * @property {number} trace mean over queries of tr J = 1 − Σp²
 * @property {number} traceMedian
 * @property {number} traceP10
 * @property {number} traceP90
 * @property {number} topShare share of Σ‖∂L/∂q‖² in the tenth of the queries where it is largest
 */

/**
 * Measures gradients against d_k, on the same nested noise at every d_k and for every factor; the
 * queries are divided among several sets of keys, as in `saturationCurve`.
 * @param {{ keys: number, queries?: number, seed: number, dimensions?: readonly number[] }} options
 *   `queries` 256, best a power of two; `dimensions` 1, 2, 4, … 1024
 * @returns {GradientRow[]} ordered by factor, then as `dimensions`
 */
export function gradientCurve({ keys, queries = 256, seed, dimensions = DIMENSIONS }) {
  const samples = dimensions.map((dK) => {
    const { query, key, at } = pairs({ dK, keys, queries, seed });
    const upstreamSeed = seed + UPSTREAM_SEED;
    const upstream = noise('query', { rows: queries, columns: keys, seed: upstreamSeed, at });
    return gradients({ query, key, upstream });
  });
  return GRADIENT_FACTORS.flatMap((scaling) =>
    dimensions.map((dK, index) => {
      const scale = scaleFactor(scaling, dK);
      return { scaling, dK, ...gradientSummary(samples[index](scale)) };
    }),
  );
}

/**
 * Returns a function of the scale that gives ‖∂L/∂q‖ and tr J of each query. The quantities that all
 * scales share are computed once.
 * @param {{ query: Tensor, key: Tensor, upstream: Tensor }} options query and key may
 *   have a leading axis of sets; upstream: ∂L/∂p, [queries, keys]
 * @returns {(scale: number) => { norms: Float64Array, traces: Float64Array }}
 */
export function gradients({ query, key, upstream }) {
  const scores = scoresOf(query, key);
  const columns = transposed(key);
  const [, keys] = scores.shape;
  return (scale) => {
    const temperature = 1 / scale;
    const rows = rowsOf(softmax(scores, { temperature }));
    const first = rows.map((row) => row.indexOf(largestOf(row)));
    // ∂L/∂(q·k), and by its product with the keys ∂L/∂q.
    const { data } = softmaxGradient(scores, relative(upstream, first), { temperature });
    const dScores = { data, shape: [...query.shape.slice(0, -1), keys] };
    const norms = Float64Array.from(rowsOf(scoresOf(dScores, columns)), norm);
    const traces = Float64Array.from(rows, (row, i) => trace(row, first[i]));
    return { norms, traces };
  };
}

/**
 * Summarises gradients and traces over the queries.
 * @param {ReturnType<ReturnType<typeof gradients>>} of
 * @returns {Omit<GradientRow, 'scaling' | 'dK'>}
 */
const gradientSummary = ({ norms, traces }) => ({
  ...summary('gradient', norms),
  ...summary('trace', traces),
  topShare: topShare(norms),
});

/**
 * Subtracts from the upstream gradient its value at the largest weight. Rows of J sum to 0, so that
 * this changes no gradient; but the differences are of the size of the small weights, and float32 keeps
 * digits that would otherwise drown in the rounding error of 1.
 * @param {Tensor} upstream
 * @param {readonly number[]} first index of the largest weight in each row
 * @returns {Tensor}
 */
const relative = (upstream, first) =>
  lessEach(
    upstream,
    rowsOf(upstream).map((row, i) => row[first[i]]),
  );

/** Returns the length of a row. @param {Float32Array} row */
const norm = (row) => Math.sqrt(dot(row, row));

/**
 * Returns tr J = Σ p(1 − p) without cancellation: for the largest weight, 1 − p is the sum of the
 * others.
 * @param {Float32Array} weights of one row
 * @param {number} largest its index
 */
function trace(weights, largest) {
  let others = 0;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    if (i === largest) continue;
    others += weights[i];
    sum += weights[i] * (1 - weights[i]);
  }
  return sum + weights[largest] * others;
}

/**
 * Returns the share of the energy in the largest tenth, with a part of its last row.
 * @param {Float64Array} norms
 */
export function topShare(norms) {
  const sorted = norms
    .map((norm) => norm ** 2)
    .sort()
    .reverse();
  const total = sorted.reduce((sum, energy) => sum + energy, 0);
  const top = TOP_SHARE * sorted.length;
  const part = (/** @type {number} */ index) => Math.min(1, Math.max(0, top - index));
  return sorted.reduce((sum, energy, index) => sum + part(index) * energy, 0) / total;
}

/**
 * @typedef {object} TraceRow
 * @property {GradientFactor} scaling
 * @property {number} dK
 * @property {number} trace exact expectation of tr J for finite keys and d_k
 * @property {number} [traceMedian] of the unscaled series where it is well frozen: the median if two
 *   keys shared all the weight, an approximation
 */

/**
 * Returns the expectation of tr J in `gradientCurve`.
 * @param {{ keys: number, dimensions?: readonly number[] }} options `dimensions` need not be integers
 * @returns {TraceRow[]} ordered by factor, then as `dimensions`
 */
export function gradientTheory({ keys, dimensions = DIMENSIONS }) {
  const gap = keys > 1 ? medianGap(keys) : Infinity;
  return GRADIENT_FACTORS.flatMap((scaling) =>
    dimensions.map((dK) => {
      const factor = scaleFactor(scaling, dK);
      const trace = 1 - expectedSaturation({ dK, keys, factor, largest: false }).sumOfSquares;
      const frozen = scaling === 'none' && dK > WELL_FROZEN ** 2 * 2 * Math.log(keys);
      if (!frozen) return { scaling, dK, trace };
      return { scaling, dK, trace, traceMedian: medianTraceOfTwo(Math.sqrt(dK), gap) };
    }),
  );
}

/**
 * One entry of the Jacobian of softmax.
 * @typedef {object} JacobianRow
 * @property {number} weight i of ∂p_i/∂z_j, from 0
 * @property {number} logit j
 * @property {number} exact in float64 without cancellation
 * @property {number} float32 as the kernel computes it: p_i(1 − p_i) and −p_i·p_j in float32
 */

/**
 * Returns the Jacobian of softmax at given logits, exact and in float32.
 * @param {{ logits: readonly number[] }} options
 * @returns {JacobianRow[]} n² rows, ordered by `weight`, then by `logit`
 */
export function jacobianEntries({ logits }) {
  const n = logits.length;
  const float32 = softmaxJacobian([...logits]).data;
  return exactJacobian(logits).flatMap((entries, weight) =>
    entries.map((exact, logit) => ({ weight, logit, exact, float32: float32[weight * n + logit] })),
  );
}

/**
 * Two keys whose logits differ by a gap: what softmax passes of a gradient, exactly and in float32.
 * @typedef {object} GapRow
 * @property {number} gap z_1 − z_2
 * @property {number} weight p, of the first key: 1/(1 + e^(−gap))
 * @property {number} slope ∂p/∂z_1 = p(1 − p)
 * @property {number} update by how much p falls in one step of gradient descent at rate 1 where
 *   ∂L/∂p = (0, −1), that is, where all the gradient pulls toward the second key
 * @property {number} slope32 what the kernel computes in float32
 * @property {number} update32
 */

/**
 * Returns the slope of softmax between two keys, and the step it allows, against the gap of their logits.
 * @param {{ gaps: readonly number[] }} options
 * @returns {GapRow[]} ordered as `gaps`
 */
export function gapCurve({ gaps }) {
  return gaps.map((gap) => {
    const [slope32] = softmaxJacobian([gap, 0]).data;
    const [fall, rise] = softmaxGradient([gap, 0], [0, -1]).data;
    const moved = Float32Array.of(gap - fall, -rise);
    // The second weight keeps digits that the first loses near 1.
    const update32 = softmax(moved).data[1] - softmax([gap, 0]).data[1];
    return { gap, ...exactGap(gap), slope32, update32 };
  });
}
