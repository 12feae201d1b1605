/**
 * Scores alone, by the kernel.
 */
import { attention } from '../attention/index.js';

/** @typedef {{ data: Float32Array, shape: number[] }} Tensor */

/**
 * Returns the scores of queries and keys as one matrix, also where they are in several sets.
 * @param {Tensor} query [..., d]
 * @param {Tensor} key [..., keys, d]
 * @param {{ scale?: number, similarity?: 'dot' | 'cosine' }} [options] `scale` 1
 * @returns {Tensor} [queries, keys]
 */
export function scoresOf(query, key, options) {
  const noValue = { data: new Float32Array(0), shape: [...key.shape.slice(0, -1), 0] };
  const { scores } = attention(query, key, noValue, { scale: 1, ...options, returns: ['scores'] });
  const [keys] = scores.shape.slice(-1);
  return { data: scores.data, shape: [scores.data.length / keys, keys] };
}
