/**
 * Matrices among the results of attention, [n_q, n_k] a head. The kernel computes some rows of them at
 * a time, which are copied out while they are in cache, so its memory never has n² numbers.
 */

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { AttnAttentionResults } from './kernel/generated/structs.js'
 * @import { Tensor } from './tensor.js'
 */

/** @typedef {'scores' | 'cappedScores' | 'maskedScores' | 'weights'} MatrixName */

/** The results that are matrices of a head. @type {readonly MatrixName[]} */
const NAMES = ['scores', 'cappedScores', 'maskedScores', 'weights'];
/** Numbers of all matrices that are in the kernel at a time, 512 kB: they fit a second-level cache. */
const NUMBERS_AT_ONCE = 131072;
/** The least number of rows in a call, because each call arranges keys and values anew. */
const LEAST_ROWS = 64;

/**
 * @typedef {Partial<Record<MatrixName | 'meanWeights', Tensor>>} MatrixResults
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
  const blockOf = (/** @type {MatrixName} */ name) =>
    names.includes(name) ? kernel.floats(rows * nK) : null;
  const blocks = {
    scores: blockOf('scores'),
    cappedScores: blockOf('cappedScores'),
    maskedScores: blockOf('maskedScores'),
    weights: blockOf('weights'),
  };
  const mean = meanWeights ? kernel.floats(nQ * nK) : null;
  return {
    rows,
    hasWeights: names.includes('weights'),
    /** Returns the fields of an attn_attention_results for rows from `first`.
     *  @param {Block | null} output @param {Block | null} lse @param {number} first
     *  @returns {AttnAttentionResults} */
    fields: (output, lse, first) => ({
      output,
      lse,
      scores: blocks.scores,
      capped: blocks.cappedScores,
      masked: blocks.maskedScores,
      weights: blocks.weights,
      mean: mean && kernel.part(mean, first * nK),
      share: 1 / heads,
    }),
    /** Copies rows of a head to its results. @param {number} head @param {number} first
     *  @param {number} count */
    store(head, first, count) {
      for (const name of names) {
        const [block, result] = [blocks[name], results[name]];
        if (block && result) {
          kernel.read(block, result.data, (head * nQ + first) * nK, count * nK);
        }
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
