// A step of training of the small language model in TensorFlow.js on WebAssembly, one thread, with its own
// gradients. Tokens are one-hot: its gradient of a lookup does not run on WebAssembly. Only a bundler finds the
// files that the gradients import, so Node does not run this.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { openTfjs } from './tfjs.js';

/** @import { Files } from '../contenders.js' */
/** @import { Sizes, Step } from '../measure/training.js' */

/** @typedef {any} Tensor of TensorFlow.js */

const [RATE, BETA1, BETA2, EPSILON, DECAY] = [0.002, 0.9, 0.99, 1e-8, 0.01];

/** @param {Sizes} sizes @param {Files} files @returns {Promise<Step>} */
export async function openTrainingOfTfjs(sizes, files) {
  await openTfjs(files);
  const { vocabulary } = sizes;
  let state = start(sizes);
  const hotOf = (/** @type {number[][]} */ rows) =>
    tf.cast(tf.oneHot(tf.tensor1d(rows.flat(), 'int32'), vocabulary), 'float32');
  return (tokens, targets) => {
    const [before, x] = [state, state[0]];
    const [value, after] = tf.tidy(() => {
      const [hot, wanted] = [hotOf(tokens), hotOf(targets)];
      const lossOf = (/** @type {Tensor[]} */ ...parameters) =>
        loss(sizes, parameters, hot, wanted);
      const found = tf.valueAndGrads(lossOf)(x);
      return [found.value, update(state, found.grads)];
    });
    state = after;
    tf.dispose(before);
    const [number] = value.dataSync();
    value.dispose();
    return number;
  };
}

/** Returns parameters and moments. @param {Sizes} sizes */
function start({ vocabulary, context, dModel: d, layers }) {
  const square = [d, d];
  const layer = [square, square, square, square, [d, 4 * d], [4 * d], [4 * d, d], [d], [d], [d], [d], [d]]; // prettier-ignore
  const shapes = [[vocabulary, d], [context, d], ...Array(layers).fill(layer).flat(), [d], [d]];
  return [0.1, 0, 0].map((x) => shapes.map((shape) => tf.randomUniform(shape, -x, x)));
}

/** @param {Tensor} x @param {Tensor} weight @param {Tensor} bias */
function norm(x, weight, bias) {
  const centred = tf.sub(x, tf.mean(x, -1, true));
  const variance = tf.mean(tf.square(centred), -1, true);
  return tf.add(tf.mul(tf.mul(centred, tf.rsqrt(tf.add(variance, 1e-5))), weight), bias);
}

/** @param {Tensor} x */
function gelu(x) {
  const inner = tf.mul(
    tf.add(x, tf.mul(tf.mul(x, tf.square(x)), 0.044715)),
    Math.sqrt(2 / Math.PI),
  );
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

/** The mean cross-entropy of the targets.
 *  @param {Sizes} sizes @param {Tensor[]} p @param {Tensor} hot @param {Tensor} wanted */
function loss({ batch, context, layers, dModel: d }, p, hot, wanted) {
  const places = [batch, context, d];
  const [token, position, ...rest] = p;
  const later = tf.sub(1, tf.linalg.bandPart(tf.ones([context, context]), -1, 0));
  const mask = tf.mul(later, -1e9);
  let x = tf.reshape(tf.add(tf.reshape(tf.matMul(hot, token), places), position), [-1, d]);
  for (let l = 0; l < layers; l++) {
    const [wq, wk, wv, output, up, upBias, down, downBias, w1, b1, w2, b2] = rest.splice(0, 12);
    const normal = norm(x, w1, b1);
    const [q, k, v] = [wq, wk, wv].map((w) => tf.reshape(tf.matMul(normal, w), places));
    const scores = tf.add(tf.matMul(tf.mul(q, 1 / Math.sqrt(d)), k, false, true), mask);
    const mixed = tf.reshape(tf.matMul(tf.softmax(scores), v), [-1, d]);
    x = tf.add(x, tf.matMul(mixed, output));
    const wide = gelu(tf.add(tf.matMul(norm(x, w2, b2), up), upBias));
    x = tf.add(x, tf.add(tf.matMul(wide, down), downBias));
  }
  const logits = tf.matMul(norm(x, rest[0], rest[1]), tf.transpose(token, [1, 0]));
  const surprise = tf.sub(tf.logSumExp(logits, -1), tf.sum(tf.mul(logits, wanted), -1));
  return tf.mean(surprise);
}

/** A step of AdamW on a gradient of clipped norm. @param {Tensor[][]} state @param {Tensor[]} gradients */
function update([x, m, v], gradients) {
  const squares = tf.addN(gradients.map((g) => tf.sum(tf.square(g))));
  const factor = tf.minimum(tf.rsqrt(squares), 1);
  const clipped = gradients.map((g) => tf.mul(g, factor));
  const first = clipped.map((g, i) => tf.add(tf.mul(m[i], BETA1), tf.mul(g, 1 - BETA1)));
  const second = clipped.map((g, i) =>
    tf.add(tf.mul(v[i], BETA2), tf.mul(tf.square(g), 1 - BETA2)),
  );
  const moved = x.map((t, i) => {
    const change = tf.mul(tf.div(first[i], tf.add(tf.sqrt(second[i]), EPSILON)), RATE);
    return tf.sub(tf.mul(t, 1 - RATE * DECAY), change);
  });
  return [moved, first, second];
}
