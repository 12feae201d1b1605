/**
 * The size of an attention layer against its number of heads (Vaswani et al. 2017, §3.2.2; grouped
 * heads: Ainslie et al. 2023). Every count is the package's `parameterCount`.
 */
import { parameterCount } from '../attention/index.js';
import { checkNames, checkSizes } from '../shared/check.js';
import { cachePerToken, layerParameters } from '../theory/index.js';
import { times } from '../shared/times.js';

/** @typedef {'query' | 'key' | 'value' | 'output'} Matrix */

/** The four matrices of a layer, in the order of the rows. @type {readonly Matrix[]} */
const MATRICES = Object.freeze(['query', 'key', 'value', 'output']);

/**
 * Returns the largest number of key/value heads, up to a wish, that divides the query heads.
 * @param {number} heads
 * @param {number} wanted at least 1
 * @returns {number}
 * @throws {RangeError} unless both are positive integers
 */
export function groupedHeads(heads, wanted) {
  checkSizes('groupedHeads', { heads, wanted });
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
 * @throws {RangeError} for heads or kvHeads that are no positive integer
 */
export function headParameters({ heads, ...options }) {
  checkNames('headParameters', options, 'dModel, heads, kvHeads, dKey, bias');
  checkSizes('headParameters', { heads, kvHeads: options.kvHeads ?? heads });
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
 * @throws {RangeError} for heads that are no positive integer
 */
export function headCache({ heads, ...options }) {
  checkNames('headCache', options, 'dModel, heads, kvHeads, dKey, bias');
  checkSizes('headCache', { heads });
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
