// How the functions of this package compute a problem of the benchmark.

import { addedTo } from '../problems.js';

/**
 * @import { Kernel } from '../../../web/attention/index.js'
 * @import { Problem } from '../problems.js'
 */

/** @typedef {Pick<Kernel, 'additiveAttention' | 'attention' | 'attentionGradient' | 'attentionStatistics' | 'softmax'>} Library */
/** @typedef {Record<string, Float32Array>} Arrays */

const STATISTICS = /** @type {const} */ (['entropy', 'effectiveKeys', 'largestWeight']);

/** @type {Record<Problem['task'], readonly string[]>} */
const RESULTS = {
  forward: ['output'],
  causal: ['output'],
  masked: ['output'],
  weights: ['output', 'weights'],
  statistics: STATISTICS,
  gradient: ['dQuery', 'dKey', 'dValue'],
  additive: ['output'],
  softmax: ['output'],
};

/**
 * @param {Library} library
 * @param {Problem} problem
 * @param {boolean} [reuses] whether calls write to the arrays of the first one, by `into`
 * @returns {() => Float32Array[]}
 */
export function callOf(library, { task, inputs, n, visible }, reuses = false) {
  const { query, key, value, dOutput, x, ...parameters } = inputs;
  const mask = visible && { data: addedTo(visible), shape: [n, n] };
  /** @type {Record<Problem['task'], (into?: Arrays) => Record<string, any>>} */
  const functions = {
    forward: (into) => library.attention(query, key, value, { into }),
    causal: (into) => library.attention(query, key, value, { causal: true, into }),
    masked: (into) => library.attention(query, key, value, { mask, into }),
    weights: (into) => library.attention(query, key, value, { returns: ['weights'], into }),
    statistics: (into) => library.attentionStatistics(query, key, { returns: STATISTICS, into }),
    gradient: (into) => library.attentionGradient(query, key, value, dOutput, { into }),
    additive: (into) =>
      library.additiveAttention(query, key, value, /** @type {any} */ ({ ...parameters, into })),
    softmax: (into) => ({ output: library.softmax(x, { into }) }),
  };
  const compute = functions[task];
  const dataOf = (/** @type {Record<string, any>} */ results) =>
    RESULTS[task].map((name) => results[name].data);
  if (!reuses) return () => dataOf(compute());
  const arrays = dataOf(compute());
  const into = Object.fromEntries(RESULTS[task].map((name, i) => [name, arrays[i]]));
  return () => dataOf(compute(into));
}
