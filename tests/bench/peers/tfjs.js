// TensorFlow.js on WebAssembly, one thread. A product with a transposed operand is five times slower
// there than transposing first, so operands are transposed first.
import * as tf from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { addedTo } from '../problems.js';

/** @import { Call, Contender, Input, Problem } from '../problems.js' */

/**
 * @typedef {any} Tensor of TensorFlow.js
 * @typedef {{ n: number, d: number, mask?: Tensor }} Sizes the mask is added to scores
 */

/**
 * @param {{ tfjs?: string }} files where its WebAssembly is served; undefined where it finds it
 * @returns {Promise<Contender>}
 */
export async function openTfjs({ tfjs }) {
  if (tfjs) setWasmPaths(tfjs);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tf.setBackend('wasm');
  return { name: 'tfjs-wasm', prepare };
}

/**
 * Prepares head by head, since it transposes a matrix fast, but a stack of them ten times slower.
 * @param {Problem} problem
 * @returns {Call}
 */
function prepare({ task, inputs, visible, ...sizes }) {
  const mask = visible && tf.tensor(addedTo(visible), [sizes.n, sizes.n]);
  const heads = Array.from({ length: sizes.heads }, (_, head) =>
    Object.entries(inputs).map(([name, input]) => ({ name, ...headOf(input, head) })),
  );
  return () => {
    const results = heads.map((head) => computeHead(task, head, { ...sizes, mask }));
    return results.length === 1 ? results[0] : [concatenate(results.flat())];
  };
}

/** @param {Input} input @param {number} head */
function headOf({ data, shape }, head) {
  if (shape.length < 3) return { data, shape };
  const size = shape[1] * shape[2];
  return { data: data.subarray(head * size, (head + 1) * size), shape: shape.slice(1) };
}

/** @param {Float32Array[]} parts of one length */
function concatenate(parts) {
  const whole = new Float32Array(parts.length * parts[0].length);
  parts.forEach((part, i) => whole.set(part, i * part.length));
  return whole;
}

/**
 * @param {Problem['task']} task
 * @param {{ name: string, data: Float32Array, shape: number[] }[]} inputs
 * @param {Sizes} sizes
 * @returns {Float32Array[]}
 */
function computeHead(task, inputs, sizes) {
  const results = tf.tidy(() => {
    const tensors = inputs.map(({ name, data, shape }) => [name, tf.tensor(data, shape)]);
    return TASKS[task](Object.fromEntries(tensors), sizes);
  });
  const arrays = results.map((/** @type {Tensor} */ result) => result.dataSync());
  tf.dispose(results);
  return arrays;
}

/** @param {Tensor} x a matrix @returns {Tensor} */
const transpose = (x) => tf.transpose(x, [1, 0]);

/** @type {Record<Problem['task'], (inputs: Record<string, Tensor>, sizes: Sizes) => Tensor[]>} */
const TASKS = {
  forward: (inputs, sizes) => TASKS.weights(inputs, sizes).slice(0, 1),

  causal: (inputs, sizes) => TASKS.forward(inputs, sizes),

  masked: (inputs, sizes) => TASKS.forward(inputs, sizes),

  weights({ query, key, value }, { d, mask }) {
    const scores = tf.matMul(tf.mul(query, 1 / Math.sqrt(d)), transpose(key));
    const weights = tf.softmax(mask ? tf.add(scores, mask) : scores);
    return [tf.matMul(weights, value), weights];
  },

  statistics: (inputs, sizes) => TASKS.weights(inputs, sizes),

  gradient({ query, key, value, dOutput }, { d }) {
    const scale = 1 / Math.sqrt(d);
    const scaled = tf.mul(query, scale);
    const weights = tf.softmax(tf.matMul(scaled, transpose(key)));
    const dWeights = tf.matMul(dOutput, transpose(value));
    const sums = tf.sum(tf.mul(weights, dWeights), -1, true);
    const dScores = tf.mul(weights, tf.sub(dWeights, sums));
    return [
      tf.mul(tf.matMul(dScores, key), scale),
      tf.matMul(transpose(dScores), scaled),
      tf.matMul(transpose(weights), dOutput),
    ];
  },

  additive({ query, key, value, queryWeight, keyWeight, scoreWeight }, { n, d }) {
    const queries = tf.reshape(tf.matMul(query, transpose(queryWeight)), [n, 1, d]);
    const keys = tf.reshape(tf.matMul(key, transpose(keyWeight)), [1, n, d]);
    const units = tf.reshape(tf.tanh(tf.add(queries, keys)), [n * n, d]);
    const scores = tf.reshape(tf.matMul(units, tf.reshape(scoreWeight, [d, 1])), [n, n]);
    return [tf.matMul(tf.softmax(scores), value)];
  },

  softmax: ({ x }) => [tf.softmax(x)],
};
