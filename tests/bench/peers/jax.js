// jax-js on WebAssembly, one thread, with its compiler (`jit`). A use of an array ends its life there;
// `.ref` keeps it for one use more.
import { defaultDevice, init, jit, nn, numpy as np } from '@jax-js/jax';

/** @import { Call, Contender, Problem } from '../problems.js' */

/** @typedef {any} Tensor of jax-js */

/** @returns {Promise<Contender>} */
export async function openJax() {
  await init('wasm');
  defaultDevice('wasm');
  return { name: 'jax-js', prepare };
}

/**
 * @param {Problem} problem
 * @returns {Call}
 */
function prepare({ task, inputs, d }) {
  const formula = FORMULAS[task];
  if (!formula) throw new Error(`jax-js: no formula for ${task}`);
  const scale = 1 / Math.sqrt(d);
  const compute = jit((/** @type {Tensor[]} */ ...tensors) => formula(scale, ...tensors));
  return () => {
    const tensors = Object.values(inputs).map(({ data, shape }) => np.array(data, { shape }));
    return compute(...tensors).map((/** @type {Tensor} */ result) => result.dataSync());
  };
}

/** @param {Tensor} x a stack of matrices or one @returns {Tensor} */
const transpose = (x) => np.swapaxes(x, -1, -2);

/** @type {(scale: number, query: Tensor, key: Tensor) => Tensor} */
const weigh = (scale, query, key) => nn.softmax(np.matmul(query.mul(scale), transpose(key)), -1);

/** @param {number} scale @param {Tensor} query @param {Tensor} key @param {Tensor} value @returns {Tensor[]} */
function outputAndWeights(scale, query, key, value) {
  const weights = weigh(scale, query, key);
  return [np.matmul(weights.ref, value), weights];
}

/** @type {Partial<Record<Problem['task'], (scale: number, ...tensors: Tensor[]) => Tensor[]>>} */
const FORMULAS = {
  forward: (scale, query, key, value) => [np.matmul(weigh(scale, query, key), value)],

  weights: outputAndWeights,
  statistics: outputAndWeights, // the weights, which are to be reduced

  gradient(scale, query, key, value, dOutput) {
    const weights = weigh(scale, query.ref, key.ref);
    const dWeights = np.matmul(dOutput.ref, transpose(value));
    const sums = np.sum(weights.ref.mul(dWeights.ref), -1, { keepdims: true });
    const dScores = weights.ref.mul(dWeights.sub(sums)).mul(scale);
    return [
      np.matmul(dScores.ref, key),
      np.matmul(transpose(dScores), query),
      np.matmul(transpose(weights), dOutput),
    ];
  },

  softmax: (_, x) => [nn.softmax(x, -1)],
};
