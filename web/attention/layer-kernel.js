/**
 * Runs a multi-head layer on the kernel: projections of the whole batch, heads one after another.
 */
import { keysOf } from '../shared/keys.js';
import { headBackward, headForward, allocateSums } from './attention-kernel.js';
import { allocateMask } from './mask.js';

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Layer, Part, Projection } from './layer.js'
 * @import { LayerResults, MultiHeadGradients } from './multihead.js'
 * @import { MatrixResults } from './matrices.js'
 * @import { Tensor } from './tensor.js'
 */

/** Blocks of the kernel with the rows of the whole batch, heads side by side.
 *  @typedef {Record<'query' | 'key' | 'value', Block>} Projected */

/** Returns the name of a gradient, dQueryWeight and so on. @param {Part} part @param {'Weight' | 'Bias'} kind */
export const nameOf = (part, kind) =>
  /** @type {'dQueryWeight'} */ (`d${part[0].toUpperCase()}${part.slice(1)}${kind}`);

/**
 * Computes the results of a layer.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {LayerResults} results filled
 */
export function computeLayer(kernel, layer, results) {
  const { heads, dV, projections } = layer;
  const { rows, dOut } = projections.output;
  const concatenated = kernel.floats(rows * heads * dV);
  kernel.within(() => {
    const projected = projectInputs(kernel, layer);
    kernel.within(() => attendHeads(kernel, layer, projected, concatenated, results));
    for (const name of keysOf(projected)) {
      if (results[name]) kernel.read(projected[name], results[name].data);
    }
  });
  if (results.concatenated) kernel.read(concatenated, results.concatenated.data);
  const output = kernel.floats(rows * dOut);
  project(kernel, projections.output, concatenated, output);
  kernel.read(output, results.output.data);
}

/**
 * Allocates memory for the projections.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @returns {Projected} content arbitrary
 */
function allocateProjected(kernel, { projections: { query, key, value } }) {
  const allocate = (/** @type {Projection} */ { rows, dOut }) => kernel.floats(rows * dOut);
  return { query: allocate(query), key: allocate(key), value: allocate(value) };
}

/**
 * Projects the input and the context.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @returns {Projected}
 */
function projectInputs(kernel, layer) {
  const { x, context, isSelf, projections } = layer;
  const projected = allocateProjected(kernel, layer);
  kernel.within(() => {
    const input = kernel.load(x.data);
    const other = isSelf ? input : kernel.load(context.data);
    project(kernel, projections.query, input, projected.query);
    project(kernel, projections.key, other, projected.key);
    project(kernel, projections.value, other, projected.value);
  });
  return projected;
}

/**
 * Computes y = x weightᵀ + bias.
 *
 * @param {Kernel} kernel
 * @param {Projection} projection
 * @param {Block} x
 * @param {Block} y written
 */
function project(kernel, { weight, bias, rows, dIn, dOut }, x, y) {
  kernel.within(() => {
    const [weights, biases] = [kernel.load(weight), bias && kernel.load(bias)];
    const scratch = kernel.scratch('attn_linear_scratch', rows, dIn, dOut);
    kernel.call('attn_linear_forward', x, weights, biases, rows, dIn, dOut, y, scratch);
  });
}

/**
 * Allocates memory for the heads of one item: `load` splits those of an item, `ofHead` returns the block
 * of one, `store` puts them side by side again.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Projected} projected
 */
function allocateHeads(kernel, { heads, kvHeads, nQ, nK, dK, dV }, { query, key, value }) {
  const lists = [
    allocateHeadList(kernel, query, nQ, heads, dK),
    allocateHeadList(kernel, key, nK, kvHeads, dK),
    allocateHeadList(kernel, value, nK, kvHeads, dV),
  ];
  const [queries, keys, values] = lists;
  return {
    load: (/** @type {number} */ item) => lists.forEach((list) => list.load(item)),
    clear: () => lists.forEach((list) => list.clear()),
    store: (/** @type {number} */ item) => lists.forEach((list) => list.store(item)),
    ofHead(/** @type {number} */ head) {
      const group = Math.floor(head / (heads / kvHeads));
      return { query: queries.at(head), key: keys.at(group), value: values.at(group) };
    },
  };
}

/**
 * Allocates memory for one matrix of each head of an item.
 *
 * @param {Kernel} kernel
 * @param {Block} rows [batch · n, heads · d]
 * @param {number} n
 * @param {number} heads
 * @param {number} d
 */
function allocateHeadList(kernel, rows, n, heads, d) {
  const size = heads * n * d;
  const split = kernel.floats(size); // [heads, n, d]
  const itemOf = (/** @type {number} */ item) => kernel.part(rows, item * size);
  return {
    load: (/** @type {number} */ item) =>
      kernel.call('attn_swap_axes', itemOf(item), n, heads, d, split),
    clear: () => kernel.clear(split, size),
    store: (/** @type {number} */ item) =>
      kernel.call('attn_swap_axes', split, heads, n, d, itemOf(item)),
    at: (/** @type {number} */ head) => kernel.part(split, head * n * d),
  };
}

/**
 * Attends in all heads and puts their outputs side by side.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Projected} projected
 * @param {Block} concatenated written
 * @param {MatrixResults} [results] its matrices are filled
 */
function attendHeads(kernel, layer, projected, concatenated, results = {}) {
  const { batch, heads, nQ, dV } = layer;
  const split = allocateHeads(kernel, layer, projected);
  const outputs = allocateHeadList(kernel, concatenated, nQ, heads, dV);
  const mask = allocateMask(kernel, layer.mask, layer);
  const attend = headForward(kernel, layer, layer, results);
  for (let item = 0; item < batch; item++) {
    split.load(item);
    for (let head = 0; head < heads; head++) {
      const place = item * heads + head;
      mask.load(place);
      const { added } = mask;
      attend(place, { ...split.ofHead(head), added, output: outputs.at(head), logSumExp: null });
    }
    outputs.store(item);
  }
}

/**
 * Computes the gradients of a layer.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Float32Array} upstream ∂L/∂output
 * @param {MultiHeadGradients} gradients filled
 * @returns {Float64Array} ∂L/∂sink of each head
 */
export function differentiateLayer(kernel, layer, upstream, gradients) {
  const { x, context } = layer;
  const dProjected = allocateProjected(kernel, layer);
  const dSinks = kernel.within(() =>
    differentiateHeads(kernel, layer, upstream, dProjected, gradients),
  );
  const dContext = gradients.dContext ?? gradients.dX;
  /** @type {[part: 'query' | 'key' | 'value', source: Tensor, target: Tensor][]} */
  const inputs = [
    ['query', x, gradients.dX],
    ['key', context, dContext],
    ['value', context, dContext],
  ];
  for (const [part, source, target] of inputs) {
    kernel.within(() => {
      const { rows, dIn, dOut } = layer.projections[part];
      const input = kernel.load(source.data);
      const dInput = kernel.floats(source.data.length);
      // Rows that nothing attends to have gradient 0, also where they are not finite.
      kernel.clearIdleRows(input, dProjected[part], rows, dIn, dOut);
      const at = { x: input, dY: dProjected[part], dX: dInput };
      differentiateProjection(kernel, layer, part, at, gradients);
      kernel.readSum(dInput, target.data);
    });
  }
  return dSinks;
}

/**
 * Differentiates from the output back to the projections, through a forward pass that the weights of
 * the output need.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Float32Array} upstream ∂L/∂output
 * @param {Projected} dProjected written
 * @param {MultiHeadGradients} gradients those of the output's projection are filled
 */
function differentiateHeads(kernel, layer, upstream, dProjected, gradients) {
  const { batch, heads, nQ, dV } = layer;
  const size = batch * nQ * heads * dV;
  const projected = projectInputs(kernel, layer);
  const dConcatenated = kernel.floats(size);
  kernel.within(() => {
    const concatenated = kernel.floats(size);
    kernel.within(() => attendHeads(kernel, layer, projected, concatenated));
    const dOutput = kernel.load(upstream);
    const at = { x: concatenated, dY: dOutput, dX: dConcatenated };
    differentiateProjection(kernel, layer, 'output', at, gradients);
  });
  const split = allocateHeads(kernel, layer, projected);
  const dSplit = allocateHeads(kernel, layer, dProjected);
  const dOutputs = allocateHeadList(kernel, dConcatenated, nQ, heads, dV);
  const mask = allocateMask(kernel, layer.mask, layer);
  const sums = allocateSums(kernel, batch * heads);
  const differentiate = headBackward(kernel, layer, layer, sums);
  for (let item = 0; item < batch; item++) {
    split.load(item);
    dOutputs.load(item);
    dSplit.clear();
    for (let head = 0; head < heads; head++) {
      const place = item * heads + head;
      mask.load(place);
      const { query: dQuery, key: dKey, value: dValue } = dSplit.ofHead(head);
      const dOutput = dOutputs.at(head);
      const blocks = { added: mask.added, dOutput, dQuery, dKey, dValue };
      differentiate(place, { ...split.ofHead(head), ...blocks });
    }
    dSplit.store(item);
  }
  return sums.read().dSinks;
}

/**
 * Differentiates one projection.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Part} part
 * @param {{ x: Block, dY: Block, dX: Block }} blocks x: the input of the projection; dX is written
 * @param {MultiHeadGradients} gradients those of weight and bias are filled
 */
function differentiateProjection(kernel, layer, part, { x, dY, dX }, gradients) {
  const { weight, bias, rows, dIn, dOut } = layer.projections[part];
  kernel.within(() => {
    const weights = kernel.load(weight);
    const dWeight = kernel.floats(weight.length);
    const dBias = bias && kernel.floats(dOut);
    const scratch = kernel.scratch('attn_linear_scratch', rows, dIn, dOut);
    /** @type {[dX: Block, dWeight: Block, dBias: Block | null, scratch: Block]} */
    const results = [dX, dWeight, dBias, scratch];
    kernel.call('attn_linear_backward', x, weights, dY, rows, dIn, dOut, ...results);
    kernel.read(dWeight, gradients[nameOf(part, 'Weight')].data);
    if (dBias) kernel.read(dBias, gradients[nameOf(part, 'Bias')].data);
  });
}
