/**
 * Attention scores in number formats of 16 and 32 bits as d_k grows: overflow of the dot product,
 * overflow of exp where the maximum is not subtracted, and weights lost to 0 where it is.
 *
 * Assumptions: entries of queries and keys are iid N(0, entrySize²). They are rounded to the format,
 * products are accumulated in float32 as matrix units do, and scores and softmax are rounded to the
 * format. In the scaled series the query is scaled before the product.
 */
import { logSoftmax, roundToBFloat16, roundToFloat16, softmaxFloat16 } from '../attention/index.js';
import { checkChoice } from '../shared/check.js';
import { farBelowLargest, FORMATS, rowTail, scoreTail } from '../theory/index.js';
import { pairs } from './noise.js';
import { scoresOf } from './scores.js';
import { checkScaled, DIMENSIONS, factorOf, SCALINGS } from './factors.js';
import { largestOf, lessEach, mean, rowsOf, share } from './statistics.js';

/**
 * @import { Format } from '../theory/precision.js'
 * @import { ScaleFactor, Scaling } from './factors.js'
 */

/** @typedef {{ data: Float32Array, shape: number[] }} Tensor */

/** @type {Record<Format, (x: Tensor) => Tensor>} */
const ROUND = { fp16: roundToFloat16, bf16: roundToBFloat16, fp32: (x) => x };

/**
 * @typedef {object} PrecisionOptions
 * @property {Format} [format] 'fp16' (default), 'bf16' or 'fp32'
 * @property {number} keys
 * @property {number} [entrySize] 1
 * @property {ScaleFactor} [factor] of the 'scaled' series; '1/√d'
 * @property {readonly number[]} [dimensions] 1, 2, 4, … 1024
 */

/**
 * Shares of scores, entries, rows and weights that fail at one d_k, each 0 … 1.
 * @typedef {object} PrecisionRow
 * @property {Scaling} scaling
 * @property {number} dK
 * @property {number} productOverflow share of the scores that are infinite
 * @property {number} expOverflow share of the entries whose exp is infinite if the maximum is not
 *   subtracted
 * @property {number} expOverflowRows share of the rows with at least one such entry
 * @property {number} zeroWeights share of the weights that are exactly 0 though the maximum was
 *   subtracted, among rows without infinite scores; NaN if there is no such row
 */

/**
 * Measures failures on the same nested noise at every d_k; the queries are divided among several sets
 * of keys, as in `saturationCurve`.
 * @param {PrecisionOptions & { queries?: number, seed: number }} options `queries` 64
 * @returns {PrecisionRow[]} ordered by series, then as `dimensions`
 */
export function precisionCurve({
  format = 'fp16',
  keys,
  queries = 64,
  seed,
  entrySize = 1,
  factor = '1/√d',
  dimensions = DIMENSIONS,
}) {
  checkScaled('precisionCurve', { keys, queries, dimensions }, factor, entrySize);
  checkChoice('precisionCurve', 'format', format, ROUND);
  // Both series use the same keys, which are rounded once.
  const both = dimensions.map((dK) => {
    const { query, key } = pairs({ dK, keys, queries, seed, entrySize });
    const rounded = ROUND[format](key);
    return SCALINGS.map((scaling) => {
      const scores = scoresIn(format, query, rounded, factorOf(scaling, factor, dK));
      return { scaling, dK, ...failures(format, scores) };
    });
  });
  return SCALINGS.flatMap((_, series) => both.map((rows) => rows[series]));
}

/**
 * Returns the scores in a format.
 * @param {Format} format
 * @param {Tensor} query
 * @param {Tensor} key rounded to the format
 * @param {number} scale
 * @returns {Tensor} [queries, keys]
 */
function scoresIn(format, query, key, scale) {
  const round = ROUND[format];
  const scaled = { data: query.data.map((entry) => scale * entry), shape: query.shape };
  return round(scoresOf(round(scaled), key));
}

/**
 * Counts the failures of a format.
 * @param {Format} format
 * @param {Tensor} scores [queries, keys], rounded to the format
 * @returns {Omit<PrecisionRow, 'scaling' | 'dK'>}
 */
export function failures(format, scores) {
  const { expOverflow, zeroBelow } = FORMATS[format];
  const rows = rowsOf(scores);
  const overflows = (/** @type {number} */ score) => score > expOverflow;
  // The kernel's float32 softmax has no subnormal weights; its logarithms show which would round to 0.
  const [weights, least] =
    format === 'fp16'
      ? [softmaxFloat16(scores), 0]
      : [logSoftmax(lessMaximum(format, scores)), zeroBelow];
  const kept = rowsOf(weights).filter((_, row) => rows[row].every(Number.isFinite));
  return {
    productOverflow: share(scores.data, (score) => Math.abs(score) === Infinity),
    expOverflow: share(scores.data, overflows),
    expOverflowRows: share(rows, (row) => row.some(overflows)),
    zeroWeights: mean(kept.map((row) => share(row, (weight) => weight <= least))),
  };
}

/** Subtracts from each score the maximum of its row, and rounds. @param {Format} format @param {Tensor} scores */
const lessMaximum = (format, scores) =>
  ROUND[format](lessEach(scores, rowsOf(scores).map(largestOf)));

/**
 * Returns the expectation of `precisionCurve`. It is exact for finite keys and d_k, except that it
 * neglects the roundings of entries and scores, and takes the largest weight for the sum of all.
 * @param {PrecisionOptions} options `dimensions` need not be integers
 * @returns {PrecisionRow[]} ordered by series, then as `dimensions`
 */
export function precisionTheory({
  format = 'fp16',
  keys,
  entrySize = 1,
  factor = '1/√d',
  dimensions = DIMENSIONS,
}) {
  checkScaled('precisionTheory', { keys }, factor, entrySize);
  checkChoice('precisionTheory', 'format', format, ROUND);
  const { overflow, expOverflow, zeroBelow } = FORMATS[format];
  return SCALINGS.flatMap((scaling) =>
    dimensions.map((dK) => {
      const options = { dK, keys, entrySize, factor: factorOf(scaling, factor, dK) };
      return {
        scaling,
        dK,
        productOverflow: 2 * scoreTail(overflow, options),
        expOverflow: scoreTail(expOverflow, options),
        expOverflowRows: rowTail(expOverflow, options),
        zeroWeights: farBelowLargest(-zeroBelow, options),
      };
    }),
  );
}
