/**
 * The size of an attention layer against its number of heads (Vaswani et al. 2017, §3.2.2; grouped
 * heads: Ainslie et al. 2023), and what a second head can hold that one cannot. Every count is the
 * package's `parameterCount`.
 */
import { attention, parameterCount, randomNormal } from '../attention/index.js';
import { lostInMean } from '../theory/mean.js';
import { cachePerToken, layerParameters } from '../theory/parameters.js';
import { dot, rowsOf } from './statistics.js';
import { times } from '../shared/times.js';

/** @typedef {'query' | 'key' | 'value' | 'output'} Matrix */

/** The four matrices of a layer, in the order of the rows. @type {readonly Matrix[]} */
const MATRICES = Object.freeze(['query', 'key', 'value', 'output']);

/**
 * Returns the largest number of key/value heads, up to a wish, that divides the query heads.
 * @param {number} heads
 * @param {number} wanted at least 1
 */
export function groupedHeads(heads, wanted) {
  let kvHeads = 1;
  for (let g = 2; g <= Math.min(heads, wanted); g++) if (heads % g === 0) kvHeads = g;
  return kvHeads;
}

/**
 * @typedef {object} HeadOptions
 * @property {number} dModel
 * @property {number} [kvHeads] the number wanted, at most that of heads, which is the default
 * @property {number} [dKey] length of a query, key or value in one head; d_model/h, rounded down,
 *   by default
 * @property {boolean} [bias] false
 */

/** Returns the sizes of a layer. @param {number} heads @param {HeadOptions} options */
function sizesOf(heads, { dModel, kvHeads = heads, dKey, bias = false }) {
  const dK = dKey ?? Math.floor(dModel / heads);
  return { dModel, heads, kvHeads: groupedHeads(heads, kvHeads), dKey: dK, bias };
}

/**
 * Counts the parameters of a layer against its number of heads.
 * @param {HeadOptions & { heads: readonly number[] }} options
 * @returns {{ heads: number, kvHeads: number, dK: number, matrix: Matrix, parameters: number,
 *   total: number, theory: number }[]} a row for each number of heads and matrix: `parameters` of
 *   the matrix with its bias; `total` of the layer, counted; `theory`, the total by the formula
 */
export function headParameters({ heads, ...options }) {
  return heads.flatMap((count) => {
    const sizes = sizesOf(count, options);
    const counted = parameterCount(sizes);
    return MATRICES.map((matrix) => ({
      heads: count,
      kvHeads: sizes.kvHeads,
      dK: sizes.dKey,
      matrix,
      parameters: counted[matrix],
      total: counted.total,
      theory: layerParameters(sizes),
    }));
  });
}

/**
 * Counts the numbers kept for each token while decoding, against the number of key/value heads.
 * @param {HeadOptions & { heads: number }} options
 * @returns {{ kvHeads: number, numbers: number, theory: number }[]} a row for every divisor of
 *   `heads`, rising; `kvHeads` of the options has no effect
 */
export function headCache({ heads, ...options }) {
  const divisors = times(heads, (i) => i + 1).filter((g) => heads % g === 0);
  return divisors.map((kvHeads) => {
    const sizes = sizesOf(heads, { ...options, kvHeads });
    return {
      kvHeads,
      numbers: parameterCount(sizes).kvCachePerToken,
      theory: cachePerToken({ kvHeads, dKey: sizes.dKey }),
    };
  });
}

/**
 * A query that should read two words at once, with one head and with two.
 * @typedef {object} RelationsRow
 * @property {number} heads 1 or 2
 * @property {number} weight of a head on its own word; the rest is on the other one
 * @property {number} first share of the first word's value that no linear map recovers from the output
 * @property {number} second
 * @property {number} both their sum
 * @property {number} firstTheory
 * @property {number} secondTheory
 */

/**
 * Measures what is lost of the values of two words in the output of one head, and of two that look apart: the
 * second has as much weight on the second word as the first on the first.
 * @param {{ weights: readonly number[], samples?: number, seed: number }} options
 *   `weights` between 0 and 1; at ½ both heads are one; `samples` 4096 pairs of values N(0, 1)
 * @returns {RelationsRow[]} two rows a weight: one head, two heads
 */
export function relationsHeld({ weights, samples = 4096, seed }) {
  const values = randomNormal([2, samples], { seed });
  const words = rowsOf(values);
  return weights.flatMap((weight) => {
    const gap = Math.log(weight / (1 - weight));
    const { output } = attention([[gap], [-gap]], [[1], [0]], values, { scale: 1 });
    const means = rowsOf(output);
    const expected = lostInMean(weight);
    return [1, 2].map((heads) => {
      const [first, second] = words.map((word) => lostShare(word, means.slice(0, heads)));
      const [firstTheory, secondTheory] = heads === 1 ? [expected.first, expected.second] : [0, 0];
      return { heads, weight, first, second, both: first + second, firstTheory, secondTheory };
    });
  });
}

/**
 * Returns the share of a vector outside of what others span, by Gram and Schmidt.
 * @param {Float32Array} vector
 * @param {readonly Float32Array[]} others one or two
 */
function lostShare(vector, others) {
  /** @type {Float64Array[]} */
  const spanning = [];
  for (const other of others) spanning.push(without(other, spanning));
  const rest = without(vector, spanning);
  return dot(rest, rest) / dot(vector, vector);
}

/** Returns a vector without its parts along others. @param {Float32Array} vector @param {readonly Float64Array[]} others */
function without(vector, others) {
  const rest = Float64Array.from(vector);
  for (const other of others) {
    const along = dot(rest, other) / (dot(other, other) || 1);
    for (let i = 0; i < rest.length; i++) rest[i] -= along * other[i];
  }
  return rest;
}
