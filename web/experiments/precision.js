/**
 * Attention scores in number formats of 16 and 32 bits as d_k grows: overflow of the dot product,
 * overflow of exp where the maximum is not subtracted, and weights lost to 0 where it is.
 *
 * Assumptions: entries of queries and keys are iid N(0, entrySize²). They are rounded to the format,
 * products are accumulated in float32 as matrix units do, and scores and softmax are rounded to the
 * format. In the scaled series the query is scaled before the product.
 */
import { logSoftmax, roundToBFloat16, roundToFloat16, softmaxFloat16 } from '../attention/index.js';
import { farBelowLargestNear, FORMATS, rowTail, scoreTail } from '../theory/precision.js';
import { pairs } from './noise.js';
import { sampledScores, scoresOf } from './scores.js';
import { DIMENSIONS, factorOf, SCALINGS } from './factors.js';
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
 * @param {PrecisionOptions & { queries?: number, seed: number, rounded?: boolean }} options
 *   `queries` 64; `rounded` true: false neglects all roundings and counts by the limits of the format,
 *   shares within 0.01 of the others in a fiftieth of the time where a format, size or factor is new
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
  rounded = true,
}) {
  const both = dimensions.map((dK) => {
    const sample = { dK, keys, queries, seed };
    const failuresAt = rounded
      ? roundedFailures(format, { ...sample, entrySize })
      : limitFailures(format, sample, entrySize ** 2);
    return SCALINGS.map((scaling) => ({
      scaling,
      dK,
      ...failuresAt(factorOf(scaling, factor, dK)),
    }));
  });
  return SCALINGS.flatMap((_, series) => both.map((rows) => rows[series]));
}

/** @typedef {Omit<PrecisionRow, 'scaling' | 'dK'>} Failures */

/**
 * Returns a function that counts failures in a format, by factor. Both series use the same keys, which
 * are rounded once.
 * @param {Format} format
 * @param {Parameters<typeof pairs>[0]} sample
 * @returns {(factor: number) => Failures}
 */
function roundedFailures(format, sample) {
  const round = ROUND[format];
  const { query, key } = pairs(sample);
  const roundedKey = round(key);
  return (factor) => {
    const scaled = { data: query.data.map((entry) => factor * entry), shape: query.shape };
    return failures(format, round(scoresOf(round(scaled), roundedKey)));
  };
}

/**
 * Counts the failures of a format.
 * @param {Format} format
 * @param {Tensor} scores [queries, keys], rounded to the format
 * @returns {Failures}
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

/**
 * Returns the same function without roundings: a score fails beyond the limits of the format.
 * @param {Format} format
 * @param {Parameters<typeof sampledScores>[0]} sample
 * @param {number} size of the products of two entries
 * @returns {(factor: number) => Failures}
 */
function limitFailures(format, sample, size) {
  const { shape, data } = sampledScores(sample);
  const [rows, keys] = shape;
  return (factor) => {
    const counts = { infinite: 0, beyond: 0, beyondRows: 0, kept: 0, lost: 0 };
    for (let row = 0; row < rows; row++) {
      countRow(data.subarray(row * keys, (row + 1) * keys), factor * size, FORMATS[format], counts);
    }
    return {
      productOverflow: counts.infinite / data.length,
      expOverflow: counts.beyond / data.length,
      expOverflowRows: counts.beyondRows / rows,
      zeroWeights: counts.lost / counts.kept,
    };
  };
}

/**
 * Adds the failures of a row to the counts.
 * @param {Float32Array} scores before the factor
 * @param {number} factor
 * @param {typeof FORMATS[Format]} limits
 * @param {Record<'infinite' | 'beyond' | 'beyondRows' | 'kept' | 'lost', number>} counts
 */
function countRow(scores, factor, { overflow, expOverflow, zeroBelow }, counts) {
  let [infinite, beyond, sum, lost] = [0, 0, 0, 0];
  const largest = factor * largestOf(scores);
  for (let i = 0; i < scores.length; i++) {
    const score = factor * scores[i];
    if (Math.abs(score) >= overflow) infinite += 1;
    if (score > expOverflow) beyond += 1;
    if (score > largest + zeroBelow) sum += Math.exp(score - largest);
  }
  const least = largest + zeroBelow + Math.log(sum);
  for (let i = 0; i < scores.length; i++) if (factor * scores[i] < least) lost += 1;
  counts.infinite += infinite;
  counts.beyond += beyond;
  if (beyond > 0) counts.beyondRows += 1;
  if (infinite > 0) return;
  counts.kept += scores.length;
  counts.lost += lost;
}

/** Subtracts from each score the maximum of its row, and rounds. @param {Format} format @param {Tensor} scores */
const lessMaximum = (format, scores) =>
  ROUND[format](lessEach(scores, rowsOf(scores).map(largestOf)));

/**
 * Returns the expectation of `precisionCurve`. It is exact for finite keys and d_k, except that it
 * neglects the roundings of entries and scores, takes the largest weight for the sum of all, and
 * interpolates its share of lost weights (to 1e-5).
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
  const { overflow, expOverflow, zeroBelow } = FORMATS[format];
  return SCALINGS.flatMap((scaling) =>
    dimensions.map((dK) => {
      const score = { dK, entrySize, factor: factorOf(scaling, factor, dK) };
      return {
        scaling,
        dK,
        productOverflow: 2 * scoreTail(overflow, score),
        expOverflow: scoreTail(expOverflow, score),
        expOverflowRows: rowTail(expOverflow, { ...score, keys }),
        zeroWeights: farBelowLargestNear(-zeroBelow, { ...score, keys }),
      };
    }),
  );
}
