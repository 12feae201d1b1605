// A step of training of the small language model in jax-js on WebAssembly, compiled (`jit`). A use of an array
// ends its life there; `.ref` keeps it for one use more.
import { defaultDevice, init, jit, nn, numpy as np, valueAndGrad } from '@jax-js/jax';

/** @import { Sizes, Step } from '../measure/training.js' */

/** @typedef {any} Tensor of jax-js */

const [RATE, BETA1, BETA2, EPSILON, DECAY] = [0.002, 0.9, 0.99, 1e-8, 0.01];

/** @param {Sizes} sizes @returns {Promise<Step>} */
export async function openTrainingOfJax(sizes) {
  await init('wasm');
  defaultDevice('wasm');
  const { vocabulary, batch, context } = sizes;
  const lossOf = valueAndGrad(
    (/** @type {Tensor[]} */ parameters, /** @type {Tensor} */ hot, /** @type {Tensor} */ wanted) =>
      loss(sizes, parameters, hot, wanted),
  );
  const step = jit(
    (
      /** @type {Tensor[]} */ x,
      /** @type {Tensor[]} */ m,
      /** @type {Tensor[]} */ v,
      /** @type {Tensor} */ hot,
      /** @type {Tensor} */ wanted,
    ) => {
      const [value, gradients] = lossOf(
        x.map((t) => t.ref),
        hot,
        wanted,
      );
      return [value, ...update(x, m, v, gradients)];
    },
  );
  let state = start(sizes);
  const hotOf = (/** @type {number[][]} */ rows) =>
    nn.oneHot(
      np.array(Int32Array.from(rows.flat()), { shape: [batch, context], dtype: np.int32 }),
      vocabulary,
    );
  return (tokens, targets) => {
    const [value, ...next] = step(...state, hotOf(tokens), hotOf(targets));
    state = next;
    return value.dataSync();
  };
}

/** Returns parameters and moments. @param {Sizes} sizes */
function start({ vocabulary, context, dModel: d, layers }) {
  const make = (/** @type {number[]} */ shape, /** @type {number} */ x) =>
    np.array(
      Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => x * (Math.random() - 0.5)),
      { shape },
    );
  const layer = () => [
    [d, 3 * d],
    [d, d],
    [d, 4 * d],
    [4 * d],
    [4 * d, d],
    [d],
    [d],
    [d],
    [d],
    [d],
  ];
  const shapes = [
    [vocabulary, d],
    [context, d],
    ...Array.from({ length: layers }, layer).flat(),
    [d],
    [d],
  ];
  return [0.2, 0, 0].map((x) => shapes.map((shape) => make(shape, x)));
}

/** @param {Tensor} x @param {Tensor} weight @param {Tensor} bias */
const norm = (x, weight, bias) => nn.standardize(x, -1, { epsilon: 1e-5 }).mul(weight).add(bias);

/** @param {Tensor} x */
const transpose = (x) => np.swapaxes(x, -1, -2);

/** The mean cross-entropy of the targets.
 *  @param {Sizes} sizes @param {Tensor[]} p @param {Tensor} hot @param {Tensor} wanted */
function loss({ batch, context, layers, dModel: d }, p, hot, wanted) {
  const mask = np.triu(np.ones([context, context]), 1).mul(-1e9);
  const [token, position, ...rest] = p;
  let x = np.matmul(hot, token.ref).add(position);
  for (let l = 0; l < layers; l++) {
    const [mixed, output, up, upBias, down, downBias, w1, b1, w2, b2] = rest.splice(0, 10);
    const [q, k, v] = np.split(np.matmul(norm(x.ref, w1, b1), mixed), 3, -1);
    const scores = np.matmul(q.mul(1 / Math.sqrt(d)), transpose(k)).add(mask.ref);
    x = x.add(np.matmul(np.matmul(nn.softmax(scores, -1), v), output));
    const wide = nn.gelu(np.matmul(norm(x.ref, w2, b2), up).add(upBias));
    x = x.add(np.matmul(wide, down).add(downBias));
  }
  mask.dispose?.();
  const logits = np.matmul(norm(x, rest[0], rest[1]), transpose(token));
  return nn
    .logSoftmax(logits, -1)
    .mul(wanted)
    .sum()
    .mul(-1 / (batch * context));
}

/** A step of AdamW on a gradient of clipped norm. @param {Tensor[]} x @param {Tensor[]} m @param {Tensor[]} v @param {Tensor[]} g */
function update(x, m, v, g) {
  const squares = g.map((t) => np.square(t.ref).sum()).reduce((a, b) => a.add(b));
  const factor = np.minimum(np.reciprocal(np.sqrt(squares)), 1);
  const clipped = g.map((t) => t.mul(factor.ref));
  factor.dispose?.();
  const first = clipped.map((t, i) => m[i].mul(BETA1).add(t.ref.mul(1 - BETA1)));
  const second = clipped.map((t, i) => v[i].mul(BETA2).add(np.square(t).mul(1 - BETA2)));
  const moved = x.map((t, i) => {
    const change = first[i].ref.div(np.sqrt(second[i].ref).add(EPSILON)).mul(RATE);
    return t.mul(1 - RATE * DECAY).sub(change);
  });
  return [moved, first, second];
}
