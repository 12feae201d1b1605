/**
 * The saturation of the softmax of dot products as d_k grows, with and without a scale factor, measured
 * with the kernel, beside the exact expectation.
 *
 * Assumption everywhere: entries of queries and keys are iid N(mean·entrySize, entrySize²). Each function gives two series, `scaling: 'unscaled'` (factor 1) and
 * `scaling: 'scaled'` (the given factor, by default 1/√d_k), of the same queries and keys. The queries
 * are divided among several independent sets of keys, so that a mean over queries does not depend on
 * one set: up to 16 sets, fewer beyond keys = 128 or keys·d_k = 4096.
 */
import { describe, effectiveKeys, entropy, softmax } from '../attention/index.js';
import { times } from '../shared/times.js';
import { scoreProbability } from '../theory/density.js';
import { competitorsWithin } from '../theory/precision.js';
import { expectedSaturation } from '../theory/saturation.js';
import { noise } from './noise.js';
import { DIMENSIONS, factorOf, SCALINGS } from './factors.js';
import { sampledScores, scoresOf } from './scores.js';
import { countInBins, largestOf, mean, rowsOf, summary } from './statistics.js';

/** @import { ScaleFactor, Scaling } from './factors.js' */

/** @typedef {{ data: Float32Array, shape: number[] }} Tensor */

/**
 * The options of most functions.
 * @typedef {object} SaturationOptions
 * @property {number} dK length of queries and keys
 * @property {number} keys number of keys that each query sees
 * @property {number} [queries] number of queries measured; 64. Best is a power of two, since the number
 *   of sets of keys divides it
 * @property {number} seed non-negative integer; the noise is nested (noise.js)
 * @property {number} [entrySize] standard deviation of the entries of both q and k; 1
 * @property {number} [mean] of these entries, in deviations; 0
 * @property {ScaleFactor} [factor] of the 'scaled' series; '1/√d'
 */

/** A temperature at which all weights are equal, as for a factor of 0. */
const HOTTEST = 3e38;

/**
 * Returns the softmax of factor·scores; a factor is an inverse temperature.
 * @param {Tensor} scores
 * @param {number} factor
 * @returns {Tensor}
 */
function weightsOf(scores, factor) {
  return softmax(scores, { temperature: Math.min(1 / factor, HOTTEST) });
}

/**
 * One bin of the histogram of scores.
 * @typedef {object} HistogramRow
 * @property {Scaling} scaling
 * @property {number} low lower end of the bin, in units of the score
 * @property {number} high upper end; the bin is [low, high)
 * @property {number} count number of scores in it; scores beyond ±limit are in no bin
 * @property {number} density count / (queries·keys·width), which integrates to 1 over all scores
 * @property {number} theory mean of the exact density over the bin: probability / width
 */

/**
 * Returns the histogram of all queries × keys scores, on one fixed axis for both series.
 * @param {SaturationOptions & { bins?: number, limit?: number }} options `bins` on [−limit, limit]
 *   (96 on ±24); `limit` in units of the score
 * @returns {HistogramRow[]} 2·bins rows, ordered by series, then by `low`
 */
export function scoreHistogram({
  dK,
  keys,
  queries = 64,
  seed,
  entrySize = 1,
  mean: shift = 0,
  factor = '1/√d',
  bins = 96,
  limit = 24,
}) {
  const scores = sampledScores({ dK, keys, queries, seed, mean: shift }).data;
  const width = (2 * limit) / bins;
  return SCALINGS.flatMap((scaling) => {
    const scale = factorOf(scaling, factor, dK);
    const law = { entrySize, factor: scale, mean: shift };
    // Around a mean of 0 the law is symmetric: the bins below it have the probabilities of those above.
    const isSymmetric = shift === 0;
    const above = times(isSymmetric ? Math.ceil(bins / 2) : bins, (i) => {
      const bin = bins - 1 - i;
      return scoreProbability(-limit + bin * width, limit - i * width, dK, law) / width;
    });
    // The counted scores are those before the factor, and so is the reach.
    return countInBins(scores, limit / (scale * entrySize ** 2), bins).map((count, bin) => {
      const low = -limit + bin * width;
      const high = -limit + (bin + 1) * width;
      const theory = above[isSymmetric ? Math.min(bin, bins - 1 - bin) : bins - 1 - bin];
      return { scaling, low, high, count, density: count / (scores.length * width), theory };
    });
  });
}

/**
 * One of the largest weights of one query.
 * @typedef {object} WeightRow
 * @property {Scaling} scaling
 * @property {number} rank 1 for the largest
 * @property {number} key index of the key, 0 … keys − 1; the same in both series
 * @property {number} score factor·(q·k)
 * @property {number} weight softmax of the scores over all keys, 0 … 1
 */

/**
 * Returns the largest weights of the first query, in falling order, which is the same in both series. The
 * keys are those of the first set.
 * @param {Omit<SaturationOptions, 'queries'> & { count?: number }} options `count` is the number of weights (16; fewer
 *   if there are fewer keys)
 * @returns {WeightRow[]} ordered by series, then by rank
 */
export function largestWeights({
  dK,
  keys,
  seed,
  entrySize = 1,
  mean: shift = 0,
  factor = '1/√d',
  count = 16,
}) {
  const common = { columns: dK, seed, entrySize, mean: shift };
  const scores = scoresOf(
    noise('query', { ...common, rows: 1 }),
    noise('key', { ...common, rows: keys }),
  );
  const order = [...scores.data.keys()].sort((a, b) => scores.data[b] - scores.data[a]);
  return SCALINGS.flatMap((scaling) => {
    const scale = factorOf(scaling, factor, dK);
    const weights = weightsOf(scores, scale).data;
    return order.slice(0, count).map((key, index) => ({
      scaling,
      rank: index + 1,
      key,
      score: scale * scores.data[key],
      weight: weights[key],
    }));
  });
}

/**
 * Measured saturation at one d_k: statistics over the queries.
 * @typedef {object} CurveRow
 * @property {Scaling} scaling
 * @property {number} dK
 * @property {number} maxWeight mean over queries of the largest weight
 * @property {number} maxWeightMedian
 * @property {number} maxWeightP10 10th percentile over queries
 * @property {number} maxWeightP90
 * @property {number} entropyRatio mean over queries of entropy / ln keys (1 for a single key)
 * @property {number} entropyRatioMedian
 * @property {number} entropyRatioP10
 * @property {number} entropyRatioP90
 */

/**
 * Measures saturation against d_k, on the same nested noise at every d_k.
 * @param {Omit<SaturationOptions, 'dK'> & { dimensions?: readonly number[] }} options
 *   `dimensions` are the d_k to measure, by default 1, 2, 4, … 1024
 * @returns {CurveRow[]} ordered by series, then as `dimensions`
 */
export function saturationCurve({
  keys,
  queries = 64,
  seed,
  entrySize = 1,
  mean: shift = 0,
  factor = '1/√d',
  dimensions = DIMENSIONS,
}) {
  return SCALINGS.flatMap((scaling) =>
    dimensions.map((dK) => {
      const scores = sampledScores({ dK, keys, queries, seed, mean: shift });
      const scale = factorOf(scaling, factor, dK) * entrySize ** 2;
      return { scaling, dK, ...spread(weightsOf(scores, scale)) };
    }),
  );
}

/**
 * Returns statistics of weights over the queries.
 * @param {Tensor} weights [queries, keys]
 * @returns {Omit<CurveRow, 'scaling' | 'dK'>}
 */
function spread(weights) {
  const keys = weights.shape[1];
  const entropies = Float64Array.from(entropy(weights).data);
  const ratios = entropies.map((nats) => (keys > 1 ? nats / Math.log(keys) : 1));
  const maxima = rowsOf(weights).map(largestOf);
  return { ...summary('maxWeight', maxima), ...summary('entropyRatio', ratios) };
}

/**
 * Exact expectation at one d_k.
 * @typedef {object} TheoryRow
 * @property {Scaling} scaling
 * @property {number} dK
 * @property {number} maxWeight expected largest weight
 * @property {number} entropyRatio expected entropy / ln keys
 */

/**
 * Returns the exact expectation of `saturationCurve` for finite n and d.
 * @param {{ keys: number, factor?: ScaleFactor, entrySize?: number, mean?: number,
 *   dimensions?: readonly number[] }} options `dimensions` need not be integers
 * @returns {TheoryRow[]} ordered by series, then as `dimensions`
 */
export function saturationTheory({
  keys,
  factor = '1/√d',
  entrySize = 1,
  mean: shift = 0,
  dimensions = DIMENSIONS,
}) {
  return SCALINGS.flatMap((scaling) =>
    dimensions.map((dK) => {
      const scale = factorOf(scaling, factor, dK);
      const expected = expectedSaturation({ dK, keys, factor: scale, entrySize, mean: shift });
      const { maxWeight, entropyRatio } = expected;
      return { scaling, dK, maxWeight, entropyRatio };
    }),
  );
}

/**
 * The read-out: one series at one d_k, measured beside theory.
 * @typedef {object} SummaryColumns
 * @property {Scaling} scaling
 * @property {number} dK
 * @property {number} factor the factor of the scores
 * @property {number} scoreDeviation standard deviation of the queries × keys scores
 * @property {number} scoreDeviationTheory factor·entrySize²·√(d_k·(1 + 2·mean²)), by tr(M_q M_k) − (m_q·m_k)², where m_q
 *   is the mean of queries and M_q that of qqᵀ
 * @property {number} maxWeightTheory exact expectation
 * @property {number} minWeight mean over queries of the smallest weight
 * @property {number} entropyRatioTheory exact expectation
 * @property {number} sumOfSquares mean over queries of Σp²
 * @property {number} sumOfSquaresTheory exact expectation
 * @property {number} effectiveKeys mean over queries of 1/Σp², 1 … keys
 * @property {number} competitors mean over queries of the other keys with scores at most 1 below the largest
 * @property {number} competitorsTheory exact expectation
 */

/** @typedef {SummaryColumns & CurveRow} SummaryRow */

/** A key whose score is so far below the largest has 1/e of its weight. */
const GAP = 1;

/** Counts the other keys within the gap, on average over queries. @param {Tensor} weights [queries, keys] */
function competitors(weights) {
  const counts = rowsOf(weights).map((row) => {
    const least = largestOf(row) * Math.exp(-GAP);
    return row.filter((weight) => weight >= least).length - 1;
  });
  return mean(counts);
}

/**
 * Returns the read-out at one d_k: scores, largest weight, entropy and keys attended to, measured and
 * expected.
 * @param {SaturationOptions} options
 * @returns {SummaryRow[]} two rows: 'unscaled', 'scaled'
 */
export function saturationSummary({
  dK,
  keys,
  queries = 64,
  seed,
  entrySize = 1,
  mean: shift = 0,
  factor = '1/√d',
}) {
  const scores = sampledScores({ dK, keys, queries, seed, mean: shift });
  const size = entrySize ** 2;
  const deviation = size * Math.sqrt(describe(scores).variance);
  return SCALINGS.map((scaling) => {
    const scale = factorOf(scaling, factor, dK);
    const weights = weightsOf(scores, scale * size);
    const counts = effectiveKeys(weights).data;
    const law = { dK, keys, factor: scale, entrySize, mean: shift };
    const expected = expectedSaturation(law);
    return {
      scaling,
      dK,
      factor: scale,
      scoreDeviation: scale * deviation,
      scoreDeviationTheory: scale * size * Math.sqrt(dK * (1 + 2 * shift ** 2)),
      ...spread(weights),
      maxWeightTheory: expected.maxWeight,
      minWeight: mean(rowsOf(weights).map((row) => Math.min(...row))),
      entropyRatioTheory: expected.entropyRatio,
      sumOfSquares: mean(Float64Array.from(counts, (count) => 1 / count)),
      sumOfSquaresTheory: expected.sumOfSquares,
      effectiveKeys: mean(counts),
      competitors: competitors(weights),
      competitorsTheory: competitorsWithin(GAP, law),
    };
  });
}
