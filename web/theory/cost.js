/**
 * Counts of the arithmetic and memory that dot-product and additive attention take, from their
 * formulas. n queries attend to n keys of length d_k; values have length d_v; h is the hidden size
 * of the additive score e_ij = v·tanh(W₁q_i + W₂k_j + b).
 */

import { checkChoice, checkOptions, checkRange } from './check.js';

/**
 * The cost of one tanh in flop: the number of floating-point operations that take as long in the
 * matrix products of the same implementation. The numbers are round; lines that are calibrated on a
 * measurement of the same method hardly depend on them.
 * 'vectorised': tanh(a + b) = 1 − 2e^{−2a}/(e^{−2a} + e^{2b}) with both exponentials known.
 * 'scalar': Math.tanh.
 */
export const TANH_FLOPS = Object.freeze({ vectorised: 3, scalar: 30 });

/** Operations of the additive score for each hidden unit of each pair besides tanh: add, multiply, add. */
const FLOP_PER_UNIT = 3;

/**
 * Counts the floating-point operations of one head, without softmax's n² exponentials.
 *   dot       2n²d_k + 2n²d_v
 *   factored  4n·d_k·h + n²·h·(3 + c_tanh) + 2n²d_v    each projection computed once
 *   pairwise  n²·(4d_k·h + h·(3 + c_tanh)) + 2n²d_v    projections computed for every pair
 * @param {{ method: 'dot' | 'factored' | 'pairwise', keys: number, dK: number, dV?: number,
 *   hidden?: number, tanhFlops?: number }} options `dV` is d_k and `tanhFlops` 3 unless given;
 *   `hidden` (d_k unless given) and `tanhFlops` do not matter to 'dot'
 * @returns {number} flop
 * @throws {DTypeError} for an unknown option or method, a negative number
 */
export function costModel(options) {
  checkOptions('costModel', options, 'method, keys, dK, dV, hidden, tanhFlops');
  const { method, keys, dK, dV = dK, hidden = dK, tanhFlops = TANH_FLOPS.vectorised } = options;
  checkChoice('costModel', 'method', method, ['dot', 'factored', 'pairwise']);
  checkRange('costModel', { keys, dK, dV, hidden, tanhFlops });
  const pairs = keys ** 2;
  const weightedSum = 2 * pairs * dV;
  const scores = pairs * hidden * (FLOP_PER_UNIT + tanhFlops);
  if (method === 'dot') return 2 * pairs * dK + weightedSum;
  if (method === 'factored') return 4 * keys * dK * hidden + scores + weightedSum;
  return 4 * pairs * dK * hidden + scores + weightedSum;
}

/** Bytes of a float32. */
const BYTES = 4;

/**
 * Returns the working memory of one head beyond inputs and output, in float32: the largest
 * intermediate result.
 *   dot        n² weights as a matrix
 *   broadcast  n²·h: additive attention in a tensor framework, where W₁q_i + W₂k_j becomes a tensor
 *   fused      2n·d_k + 2n, no n × n matrix: queries and keys packed for the tiles, and the running
 *              maximum and sum of each query (Rabe & Staats, "Self-attention does not need O(n²)
 *              memory", 2021; Dao et al., "FlashAttention", 2022)
 * @param {{ method: 'dot' | 'broadcast' | 'fused', keys: number, dK: number, hidden?: number }} options
 *   `hidden` is d_k unless given
 * @returns {number} bytes
 * @throws {DTypeError} for an unknown option or method, a negative number
 */
export function memoryModel(options) {
  checkOptions('memoryModel', options, 'method, keys, dK, hidden');
  const { method, keys, dK, hidden = dK } = options;
  checkChoice('memoryModel', 'method', method, ['dot', 'broadcast', 'fused']);
  checkRange('memoryModel', { keys, dK, hidden });
  if (method === 'dot') return BYTES * keys ** 2;
  if (method === 'broadcast') return BYTES * keys ** 2 * hidden;
  return BYTES * 2 * keys * (dK + 1);
}
