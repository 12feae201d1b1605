/** Scores alone, by the kernel. */
import { attentionScores } from '../attention/index.js';
import { recent } from '../shared/recent.js';
import { pairs } from './noise.js';

/** @typedef {{ data: Float32Array, shape: number[] }} Tensor */

/**
 * Returns the scores of queries and keys as one matrix, also where they are in several sets.
 * @param {Tensor} query [..., d]
 * @param {Tensor} key [..., keys, d]
 * @param {{ scale?: number, similarity?: 'dot' | 'cosine' }} [options] `scale` 1
 * @returns {Tensor} [queries, keys]
 */
export function scoresOf(query, key, options) {
  const { scores } = attentionScores(query, key, { scale: 1, ...options });
  const [keys] = scores.shape.slice(-1);
  return { data: scores.data, shape: [scores.data.length / keys, keys] };
}

/** The number of samples that are remembered: those of a curve, and the reader's. */
const KEPT = 12;

const sampleOf = recent(KEPT, drawScores);

/**
 * Draws a sample and returns its scores.
 * @param {number} dK
 * @param {number} keys
 * @param {number} queries
 * @param {number} seed
 * @param {number} mean
 */
function drawScores(dK, keys, queries, seed, mean) {
  const { query, key } = pairs({ dK, keys, queries, seed, mean });
  return scoresOf(query, key);
}

/**
 * Returns the scores of a sample with entries of size 1, which is remembered: sizes and factors only
 * multiply them.
 * @param {{ dK: number, keys: number, queries: number, seed: number, mean?: number }} options
 * @returns {Tensor} [queries, keys]; do not write to it
 */
export const sampledScores = ({ dK, keys, queries, seed, mean = 0 }) =>
  sampleOf(dK, keys, queries, seed, mean);
