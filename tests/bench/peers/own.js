// This package as published, through its public interface.
import {
  additiveAttention,
  attention,
  attentionGradient,
  createKernel,
  softmax,
} from 'attention-lab';

/** @typedef {import('../problems.js').Problem} Problem */

/** The shared kernel: what a first call without `init` takes. */
const shared = { additiveAttention, attention, attentionGradient, softmax };

/** @type {import('../problems.js').Contender} */
export const own = { name: 'attention-lab', prepare: (problem) => callOf(shared, problem) };

/**
 * @param {'simd' | 'relaxed'} backend
 * @returns {Promise<import('../problems.js').Contender | undefined>} undefined where the engine lacks it
 */
export async function openOwn(backend) {
  const kernel = await createKernel({ backend });
  if (kernel.backend() !== backend) return undefined;
  return { name: `attention-lab ${backend}`, prepare: (problem) => callOf(kernel, problem) };
}

/**
 * @param {typeof shared} library
 * @param {Problem} problem
 * @returns {() => Float32Array[]}
 */
function callOf(library, { task, inputs }) {
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
