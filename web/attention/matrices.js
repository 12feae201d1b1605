/**
 * Matrices among the results of attention, [n_q, n_k] a head. The kernel computes some rows of them at
 * a time, which are copied out while they are in cache, so its memory never has n² numbers.
 */

import { floatBits } from './structs.js';

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Tensor } from './tensor.js'
 */

/** The results that are matrices, in the order of attn_attention_results. */
const NAMES = /** @type {const} */ (['scores', 'cappedScores', 'maskedScores', 'weights']);
/** Numbers of all matrices that are in the kernel at a time, 512 kB: they fit a second-level cache. */
const NUMBERS_AT_ONCE = 131072;
/** The least number of rows in a call, because each call arranges keys and values anew. */
const LEAST_ROWS = 64;

/**
 * @typedef {Partial<Record<typeof NAMES[number] | 'meanWeights', Tensor>>} MatrixResults
 */

/**
 * Allocates memory for the rows of the matrices among some results.
 *
 * @param {Kernel} kernel
 * @param {{ nQ: number, nK: number, heads: number }} sizes
 * @param {MatrixResults} results
 */
export function allocateMatrices(kernel, { nQ, nK, heads }, results) {
  const { meanWeights } = results;
  const names = NAMES.filter((name) => results[name] || (name === 'weights' && meanWeights));
  const rows = rowsAtOnce(nQ, nK * names.length);
  const blocks = NAMES.map((name) => (names.includes(name) ? kernel.floats(rows * nK) : null));
  const mean = meanWeights ? kernel.floats(nQ * nK) : null;
  const share = floatBits(1 / heads);
  return {
    rows,
    hasWeights: names.includes('weights'),
    /** Returns an attn_attention_results for rows from `first`.
     *  @param {Block | null} output @param {Block | null} logSumExp @param {number} first */
    fields: (output, logSumExp, first) => [
      output,
      logSumExp,
      blocks[0],
      blocks[1],
      blocks[2],
      blocks[3],
      mean && kernel.part(mean, first * nK),
      share,
    ],
    /** Copies rows of a head to its results. @param {number} head @param {number} first
     *  @param {number} count */
    store(head, first, count) {
      for (let i = 0; i < NAMES.length; i++) {
        const block = blocks[i];
        const result = results[NAMES[i]];
        if (!block || !result) continue;
        kernel.read(block, result.data, (head * nQ + first) * nK, count * nK);
      }
    },
    /** Prepares for the first head of an item. */
    beginItem() {
      if (mean) kernel.clear(mean, nQ * nK);
    },
    /** Stores the mean after the last head of an item. @param {number} item */
    endItem(item) {
      if (mean && meanWeights) kernel.read(mean, meanWeights.data, item * nQ * nK, nQ * nK);
    },
  };
}

/**
 * Returns the number of rows of matrices to compute at a time: a multiple of 8, or all.
 *
 * @param {number} nQ
 * @param {number} columns of all matrices together; 0 if there is none
 * @returns {number}
 */
function rowsAtOnce(nQ, columns) {
  if (columns === 0) return nQ;
  const fit = Math.floor(NUMBERS_AT_ONCE / columns / 8) * 8;
  return Math.min(nQ, Math.max(LEAST_ROWS, fit));
}
