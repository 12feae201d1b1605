// How the functions of this package compute a problem of the benchmark.

/**
 * @import { Kernel } from '../../../web/attention/index.js'
 * @import { Problem } from '../problems.js'
 */

/** @typedef {Pick<Kernel, 'additiveAttention' | 'attention' | 'attentionGradient' | 'softmax'>} Library */

/**
 * @param {Library} library
 * @param {Problem} problem
 * @returns {() => Float32Array[]}
 */
export function callOf(library, { task, inputs }) {
  const { query, key, value, dOutput, x, ...weights } = inputs;
  /** @type {Record<Problem['task'], () => Float32Array[]>} */
  const calls = {
    forward: () => [library.attention(query, key, value).output.data],
    gradient() {
      const { dQuery, dKey, dValue } = library.attentionGradient(query, key, value, dOutput);
      return [dQuery.data, dKey.data, dValue.data];
    },
    additive: () => [
      library.additiveAttention(query, key, value, /** @type {any} */ (weights)).output.data,
    ],
    softmax: () => [library.softmax(x).data],
  };
  return calls[task];
}
