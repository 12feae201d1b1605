/**
 * The dot product as a random walk: q·k adds up d_k products of entries, each a step up or down, so after d_k
 * steps it has strayed about √d_k from where it began. Eight keys belong to each query, and every query and key
 * is drawn anew, so walks are independent of one another; those of the first query are walks 0 to 7.
 *
 * Assumption: entries of queries and keys are iid N(0, entrySize²).
 */
import { attentionScores, describe, jacobianTrace, softmax } from '../attention/index.js';
import { recent } from '../shared/recent.js';
import { times } from '../shared/times.js';
import { scoreProbability } from '../theory/density.js';
import { expectedSaturation } from '../theory/saturation.js';
import { scaleFactor } from './factors.js';
import { noise } from './noise.js';
import { countInBins, largestOf, mean, rowsOf, summary } from './statistics.js';

/** @import { ScaleFactor } from './factors.js' */

/** Keys of a query. */
export const WALK_KEYS = 8;

/**
 * The factors by which scores are multiplied, in the order of the rows.
 * @type {readonly Exclude<ScaleFactor, number | '1/(2√d)'>[]}
 */
export const WALK_FACTORS = Object.freeze(['none', '1/√d', '1/d']);

/**
 * @typedef {object} WalkOptions
 * @property {number} dK steps of a walk
 * @property {number} seed non-negative integer; more steps and more walks leave the others as they are
 * @property {number} [queries] each with eight walks; 128
 * @property {number} [entrySize] standard deviation of the entries of both q and k; 1
 */

/** Returns queries and keys, [queries, 1, d_k] and [queries, 8, d_k]. @param {Required<WalkOptions>} options */
function drawPairs({ dK, seed, queries, entrySize }) {
  const common = { columns: dK, seed, entrySize };
  const query = noise('query', { ...common, rows: queries });
  const key = noise('key', { ...common, rows: queries * WALK_KEYS });
  return {
    query: { data: query.data, shape: [queries, 1, dK] },
    key: { data: key.data, shape: [queries, WALK_KEYS, dK] },
  };
}

/** The samples that are remembered: a slider goes back and forth. */
const KEPT = 4;

/** Returns the scores of a sample, [queries, 8], which are remembered. */
const scoresOf = recent(
  KEPT,
  (
    /** @type {number} */ dK,
    /** @type {number} */ seed,
    /** @type {number} */ queries,
    /** @type {number} */ entrySize,
  ) => {
    const { query, key } = drawPairs({ dK, seed, queries, entrySize });
    const { scores } = attentionScores(query, key, { scale: 1 });
    return { data: scores.data, shape: [queries, WALK_KEYS] };
  },
);

/** Returns the scores of a sample. @param {Required<WalkOptions>} options */
const sampled = ({ dK, seed, queries, entrySize }) => scoresOf(dK, seed, queries, entrySize);

/** Returns options with their defaults. @param {WalkOptions} options */
const complete = ({ queries = 128, entrySize = 1, ...options }) => ({
  ...options,
  queries,
  entrySize,
});

/**
 * A place that a walk passes.
 * @typedef {object} WalkRow
 * @property {number} walk counted from 0; those of one query follow one another
 * @property {number} step how many products have been added, 0 … d_k
 * @property {number} score their sum, unscaled
 */

/**
 * Returns the walks themselves.
 * @param {WalkOptions & { walks: number, points?: number }} options walks: how many, the first ones; points: the
 *   most places of a walk, evenly spread, with both ends; 129
 * @returns {WalkRow[]} ordered by walk, then by step
 */
export function walkPaths({ dK, seed, walks, entrySize = 1, points = 129 }) {
  const queries = Math.ceil(walks / WALK_KEYS);
  const { query, key } = drawPairs({ dK, seed, queries, entrySize });
  const stride = Math.max(1, Math.ceil(dK / (points - 1)));
  return times(walks, (walk) => {
    const from = Math.floor(walk / WALK_KEYS) * dK;
    let score = 0;
    /** @type {WalkRow[]} */
    const places = [{ walk, step: 0, score }];
    for (let step = 1; step <= dK; step++) {
      score += query.data[from + step - 1] * key.data[walk * dK + step - 1];
      if (step % stride === 0 || step === dK) places.push({ walk, step, score });
    }
    return places;
  }).flat();
}

/**
 * A bin of the ends of all walks.
 * @typedef {object} WalkEndRow
 * @property {ScaleFactor} factor
 * @property {number} low lower end of the bin, in units of the scaled score
 * @property {number} high
 * @property {number} density measured
 * @property {number} theory mean of the exact density over the bin
 */

/**
 * Returns how the ends of walks pile up. The bins of a factor are as wide as its scores are spread: they span
 * the same number of exact standard deviations, factor·entrySize²·√d_k.
 * @param {WalkOptions & { walks?: number, reach?: number, bins?: number }} options walks: how many, the first
 *   ones; all. reach: in deviations; 4. bins on both sides of 0 together; 32. Ends beyond are in no bin
 * @returns {WalkEndRow[]} ordered by factor, then by `low`
 */
export function walkEnds({ walks, reach = 4, bins = 32, ...options }) {
  const all = complete(options);
  const scores = sampled(all).data.subarray(0, walks);
  const { dK, entrySize } = all;
  const deviation = entrySize ** 2 * Math.sqrt(dK);
  const width = (2 * reach * deviation) / bins;
  const counts = countInBins(scores, reach * deviation, bins);
  const expected = times(bins, (bin) =>
    scoreProbability((bin - bins / 2) * width, (bin + 1 - bins / 2) * width, dK, { entrySize }),
  );
  return WALK_FACTORS.flatMap((factor) => {
    const each = width * scaleFactor(factor, dK);
    return times(bins, (bin) => ({
      factor,
      low: (bin - bins / 2) * each,
      high: (bin + 1 - bins / 2) * each,
      density: counts[bin] / (scores.length * each),
      theory: expected[bin] / each,
    }));
  });
}

/**
 * A key of the first query.
 * @typedef {{ factor: ScaleFactor, key: number, score: number, weight: number }} WalkWeightRow score: scaled
 */

/**
 * Returns the weights that the first query gives its keys.
 * @param {WalkOptions & { keys?: number }} options keys: how many of the eight it chooses from, the first
 *   ones; all
 * @returns {WalkWeightRow[]} ordered by factor, then by key
 */
export function walkWeights({ keys = WALK_KEYS, ...options }) {
  const all = complete(options);
  const first = sampled(all).data.slice(0, Math.min(keys, WALK_KEYS));
  return WALK_FACTORS.flatMap((factor) => {
    const scale = scaleFactor(factor, all.dK);
    const { data } = softmax(first, { temperature: 1 / scale });
    return [...first].map((score, key) => ({
      factor,
      key,
      score: scale * score,
      weight: data[key],
    }));
  });
}

/**
 * What becomes of the walks: means over all queries, beside exact theory.
 * @typedef {object} WalkSummaryColumns
 * @property {ScaleFactor} factor
 * @property {number} scale the number that it stands for
 * @property {number} deviation of the scaled scores
 * @property {number} deviationTheory scale·entrySize²·√d_k
 * @property {number} largestWeight
 * @property {number} largestWeightTheory
 * @property {number} trace 1 − Σp², how far the weights can still move
 * @property {number} traceTheory
 * @property {number} gradientTheory exact expectation of `gradient`
 */

/**
 * The columns, and four of the gradient: `gradient` is the mean of scale·entrySize·√d_k·(1 − Σp²), what of a mistake
 * reaches the query, since the keys that would move it are multiplied by the scale too. `gradientMedian` is that of the
 * typical query: without the scale a few queries hold up the mean. `gradientP10` and `gradientP90` are percentiles.
 * @typedef {WalkSummaryColumns & ReturnType<typeof summary<'gradient'>>} WalkSummaryRow
 */

/**
 * Returns the weights of all queries with one factor, and what of a mistake reaches each query.
 * @param {Required<WalkOptions>} all
 * @param {typeof WALK_FACTORS[number]} factor
 */
function learningOf(all, factor) {
  const scale = scaleFactor(factor, all.dK);
  const weights = softmax(sampled(all), { temperature: 1 / scale });
  const traces = jacobianTrace(weights).data;
  const push = scale * all.entrySize * Math.sqrt(all.dK);
  return { scale, push, weights, traces, gradients: Float64Array.from(traces, (t) => push * t) };
}

/**
 * What of a mistake reaches one query.
 * @typedef {{ factor: ScaleFactor, query: number, gradient: number }} WalkGradientRow  query: counted from 0;
 *   gradient: scale·entrySize·√d_k·(1 − Σp²)
 */

/**
 * Returns the gradient of single queries.
 * @param {WalkOptions & { shown?: number }} options shown: how many of the queries, the first ones; all
 * @returns {WalkGradientRow[]} ordered by factor, then by query
 */
export function walkGradients({ shown, ...options }) {
  const all = complete(options);
  return WALK_FACTORS.flatMap((factor) =>
    [...learningOf(all, factor).gradients.subarray(0, shown)].map((gradient, query) => ({
      factor,
      query,
      gradient,
    })),
  );
}

/** Returns the read-out. @param {WalkOptions} options @returns {WalkSummaryRow[]} a row a factor */
export function walkSummary(options) {
  const all = complete(options);
  const { dK, entrySize } = all;
  const deviation = Math.sqrt(describe(sampled(all)).variance);
  return WALK_FACTORS.map((factor) => {
    const { scale, push, weights, traces, gradients } = learningOf(all, factor);
    const law = { dK, keys: WALK_KEYS, factor: scale, entrySize };
    const { maxWeight, sumOfSquares } = expectedSaturation(law);
    return {
      factor,
      scale,
      deviation: scale * deviation,
      deviationTheory: scale * entrySize ** 2 * Math.sqrt(dK),
      largestWeight: mean(rowsOf(weights).map(largestOf)),
      largestWeightTheory: maxWeight,
      trace: mean(traces),
      traceTheory: 1 - sumOfSquares,
      ...summary('gradient', gradients),
      gradientTheory: push * (1 - sumOfSquares),
    };
  });
}
