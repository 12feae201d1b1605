/**
 * Multi-head attention (Vaswani et al., "Attention is all you need", 2017, §3.2.2): the layer,
 * its gradient and its size. The twin of c/multihead.c, which has the linear maps and the orders
 * of heads; attention itself is that of attention.js.
 */
import { headBackward, headForward } from './attention.js';
import { ShapeError } from './errors.js';
import { allocateTensor, readOutputGradient, takeMask } from './heads.js';
import { run } from './kernel/active.js';
import { PARTS, readHeads, readLayer, readShapes } from './layer.js';
import { readChoice, readInteger, readOptions } from './options.js';

/**
 * @import { Block, Causal, Returned } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Layer, LayerExtra, Part, Projection } from './layer.js'
 * @import { MaskLike, Tensor, TensorLike } from './tensor.js'
 */

/**
 * Weights are [out, in], as in torch.nn.Linear: a projection of x is x weightᵀ + bias.
 *
 * @typedef {object} MultiHeadParameters
 * @property {TensorLike} queryWeight [heads·d_k, d_model]
 * @property {TensorLike} keyWeight [kvHeads·d_k, d_context]
 * @property {TensorLike} valueWeight [kvHeads·d_v, d_context]
 * @property {TensorLike} outputWeight [d_out, heads·d_v]; d_out is d_model as a rule
 * @property {TensorLike | null} [queryBias] [heads·d_k], none by default
 * @property {TensorLike | null} [keyBias] [kvHeads·d_k]
 * @property {TensorLike | null} [valueBias] [kvHeads·d_v]
 * @property {TensorLike | null} [outputBias] [d_out]
 */

/**
 * @template {LayerExtra} [R=LayerExtra]
 * @typedef {object} MultiHeadOptions
 * @property {number} heads
 * @property {number} [kvHeads] heads of key and value; fewer than heads (the default), dividing
 *   them, is grouped-query attention
 * @property {TensorLike | null} [context] [n_k, d_context] or [b, n_k, d_context]: what keys and
 *   values are made of (cross-attention); x by default
 * @property {number} [scale] 1/√d_k by default
 * @property {Causal} [causal] as in `attention`
 * @property {MaskLike | null} [mask] as in `attention`: [n, n_k], or with leading axes that
 *   broadcast to [b, heads, n, n_k], where n may be 1 as well
 * @property {readonly R[]} [returns] what to give besides the output
 */

/**
 * A multi-head attention layer: query, key and value are projections of x (key and value of the
 * context), split into heads of consecutive columns; each head attends by itself; their outputs
 * side by side are projected once more.
 *
 * Masked rows, NaN and empty inputs are as in `attention`; biases are added to what is 0.
 *
 * Cost a batch: 2 flop for each row and weight, and that of `attention` for each head; memory for
 * the projections and one head's attention. 'weights' cost heads·n·n_k numbers and a product.
 *
 * Error against float64: at worst 0.16 of the tolerance of PyTorch's golden vectors (8 times
 * PyTorch's own float32 error and 4·2^-24 of the array's largest entry; n up to 6, d_model up to
 * 16, 1 to 8 heads).
 *
 * @template {readonly LayerExtra[] | undefined} [const A=readonly []]
 * @param {TensorLike} x [n, d_model] or [b, n, d_model]
 * @param {MultiHeadParameters} parameters
 * @param {MultiHeadOptions & ({ returns: A } | { returns?: undefined })} options
 * @returns {Returned<A, LayerResults>} output [..., n, d_out]; weights [..., heads, n, n_k]; query [..., n, heads·d_k], key
 *   [..., n_k, kvHeads·d_k] and value [..., n_k, kvHeads·d_v] as projected; concatenated
 *   [..., n, heads·d_v], the heads' outputs
 * @throws {ShapeError} if shapes do not fit, kvHeads do not divide heads, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, missing weights, unknown parameters,
 *   options or values
 * @throws {CapacityError} if the projections exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const x = randomNormal([5, 16], { seed: 1 });
 * const [queryWeight, keyWeight, valueWeight, outputWeight] = [2, 3, 4, 5].map((seed) =>
 *   randomNormal([16, 16], { seed, std: 0.25 }),
 * );
 * const layer = { queryWeight, keyWeight, valueWeight, outputWeight };
 * const { output, weights } = multiHeadAttention(x, layer, { heads: 4, returns: ['weights'] });
 * output.shape; // [5, 16]
 * weights.shape; // [4, 5, 5]
 */
export function multiHeadAttention(x, parameters, options) {
  const caller = 'multiHeadAttention';
  const shapes = readShapes(caller, x, parameters, options);
  const layer = readLayer(caller, shapes, parameters, options);
  const results = allocateResults(caller, layer);
  run(caller, (kernel) => computeLayer(kernel, layer, results));
  return /** @type {any} */ (results);
}

/**
 * The gradients of L = Σ output ∘ dOutput, where output is that of `multiHeadAttention` with the
 * same arguments. Weights and biases get the sum over all rows and batches. Where no context was
 * given, what reaches x through keys and values is part of dX.
 *
 * Cost a batch: 8 flop for each row and weight, and those of `attention` and `attentionGradient`
 * for each head; memory for two of each projection and one head's gradients.
 *
 * Error against float64: at worst 0.22 of the tolerance of PyTorch's golden vectors (see
 * `multiHeadAttention`). Gradients of parameters are sums over all rows: of random positive terms over a
 * million rows they are within 16·2^-24 of themselves, of equal ones within 300.
 *
 * @param {TensorLike} x [n, d_model] or [b, n, d_model]
 * @param {MultiHeadParameters} parameters
 * @param {TensorLike} dOutput like the output, [..., n, d_out]: ∂L/∂output
 * @param {MultiHeadOptions} options those of `multiHeadAttention`; `returns` is
 *   without effect
 * @returns {MultiHeadGradients} each shaped like what it is the gradient of
 * @throws {ShapeError} if shapes do not fit, kvHeads do not divide heads, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, missing weights, unknown parameters,
 *   options or values
 * @throws {CapacityError} if the projections exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const [x, dOutput] = [1, 2].map((seed) => randomNormal([5, 8], { seed }));
 * const weight = randomNormal([8, 8], { seed: 3 });
 * const layer = { queryWeight: weight, keyWeight: weight, valueWeight: weight, outputWeight: weight };
 * const gradients = multiHeadAttentionGradient(x, layer, dOutput, { heads: 2 });
 * Object.keys(gradients).length; // 5
 * gradients.dKeyWeight.shape; // [8, 8]
 */
export function multiHeadAttentionGradient(x, parameters, dOutput, options) {
  const caller = 'multiHeadAttentionGradient';
  const shapes = readShapes(caller, x, parameters, options);
  const { lead, nQ, projections } = shapes;
  const upstream = readOutputGradient(caller, dOutput, [...lead, nQ, projections.output.dOut]);
  const layer = readLayer(caller, shapes, parameters, options);
  const gradients = allocateGradients(caller, layer);
  run(caller, (kernel) => differentiateLayer(kernel, layer, upstream, gradients));
  return gradients;
}

/**
 * dContext only where a context was given, gradients of biases where there are any.
 *
 * @typedef {{ dX: Tensor, dContext?: Tensor, dQueryWeight: Tensor, dKeyWeight: Tensor,
 *   dValueWeight: Tensor, dOutputWeight: Tensor, dQueryBias?: Tensor, dKeyBias?: Tensor,
 *   dValueBias?: Tensor, dOutputBias?: Tensor }} MultiHeadGradients
 */

/**
 * @typedef {object} ParameterCountOptions
 * @property {number} dModel
 * @property {number} heads
 * @property {number} [kvHeads] heads of key and value; fewer than heads (the default) is
 *   grouped-query attention
 * @property {number} [dKey] size of a query or key in one head; dModel / heads by default
 * @property {number} [dValue] size of a value in one head; dKey by default
 * @property {boolean} [bias] whether the four projections have one; false by default
 */

/**
 * How many numbers a self-attention layer learns: query dModel·heads·dKey, key
 * dModel·kvHeads·dKey, value dModel·kvHeads·dValue, output heads·dValue·dModel, each with its
 * bias where there is one. With the default sizes that is 4·dModel² whatever the number of heads.
 * kvCachePerToken = kvHeads·(dKey + dValue) numbers are kept for each token when decoding.
 *
 * @param {ParameterCountOptions} options
 * @returns {{ query: number, key: number, value: number, output: number, total: number,
 *   kvCachePerToken: number }}
 * @throws {DTypeError} if a size is not a positive integer
 * @throws {ShapeError} if heads do not divide dModel (without dKey), or kvHeads do not divide heads
 * @example
 * parameterCount({ dModel: 512, heads: 8 }).total; // 1048576
 */
export function parameterCount(options) {
  const caller = 'parameterCount';
  const given = readOptions(caller, options, [
    'dModel',
    'heads',
    'kvHeads',
    'dKey',
    'dValue',
    'bias',
  ]);
  const dModel = readInteger(caller, 'dModel', given.dModel, 1);
  const { heads, kvHeads } = readHeads(caller, given);
  if (given.dKey === undefined && dModel % heads !== 0) {
    throw new ShapeError(`${caller}: heads is ${heads}, expected a divisor of dModel ${dModel}`);
  }
  const dKey = readInteger(caller, 'dKey', given.dKey, 1, dModel / heads);
  const dValue = readInteger(caller, 'dValue', given.dValue, 1, dKey);
  const bias = readChoice(caller, 'bias', given.bias, [false, true]);
  /** @param {number} from @param {number} to */
  const projection = (from, to) => from * to + (bias ? to : 0);
  const query = projection(dModel, heads * dKey);
  const key = projection(dModel, kvHeads * dKey);
  const value = projection(dModel, kvHeads * dValue);
  const output = projection(heads * dValue, dModel);
  const total = query + key + value + output;
  return { query, key, value, output, total, kvCachePerToken: kvHeads * (dKey + dValue) };
}

/**
 * @typedef {{ output: Tensor, weights?: Tensor, query?: Tensor, key?: Tensor, value?: Tensor,
 *   concatenated?: Tensor }} LayerResults
 */
/** Blocks of the kernel: rows of the whole batch, heads side by side.
 *  @typedef {Record<'query' | 'key' | 'value', Block>} Projected */

/**
 * @param {string} caller
 * @param {Layer} layer
 * @returns {LayerResults} zero throughout
 */
function allocateResults(caller, { lead, heads, nQ, nK, dV, projections, returns }) {
  const shapes = {
    weights: [...lead, heads, nQ, nK],
    query: [...lead, nQ, projections.query.dOut],
    key: [...lead, nK, projections.key.dOut],
    value: [...lead, nK, projections.value.dOut],
    concatenated: [...lead, nQ, heads * dV],
  };
  /** @type {LayerResults} */
  const results = { output: allocateTensor(caller, [...lead, nQ, projections.output.dOut]) };
  for (const name of returns) results[name] = allocateTensor(caller, shapes[name]);
  return results;
}

/**
 * @param {string} caller
 * @param {Layer} layer
 * @returns {MultiHeadGradients} zero throughout
 */
function allocateGradients(caller, { x, context, isSelf, projections }) {
  /** @type {Record<string, Tensor>} */
  const gradients = { dX: allocateTensor(caller, x.shape) };
  if (!isSelf) gradients.dContext = allocateTensor(caller, context.shape);
  for (const part of PARTS) {
    const { dIn, dOut } = projections[part];
    gradients[nameOf(part, 'Weight')] = allocateTensor(caller, [dOut, dIn]);
  }
  for (const part of PARTS) {
    const { bias, dOut } = projections[part];
    if (bias) gradients[nameOf(part, 'Bias')] = allocateTensor(caller, [dOut]);
  }
  return /** @type {MultiHeadGradients} */ (gradients);
}

/** dQueryWeight and so on. @param {Part} part @param {'Weight' | 'Bias'} kind */
const nameOf = (part, kind) =>
  /** @type {'dQueryWeight'} */ (`d${part[0].toUpperCase()}${part.slice(1)}${kind}`);

/**
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {LayerResults} results filled
 */
function computeLayer(kernel, layer, results) {
  const { heads, dV, projections } = layer;
  const { rows, dOut } = projections.output;
  const concatenated = kernel.floats(rows * heads * dV);
  kernel.within(() => {
    const projected = projectInputs(kernel, layer);
    kernel.within(() => attendHeads(kernel, layer, projected, concatenated, results.weights));
    for (const name of /** @type {const} */ (['query', 'key', 'value'])) {
      if (results[name]) kernel.read(projected[name], results[name].data);
    }
  });
  if (results.concatenated) kernel.read(concatenated, results.concatenated.data);
  const output = kernel.floats(rows * dOut);
  project(kernel, projections.output, concatenated, output);
  kernel.read(output, results.output.data);
}

/**
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @returns {Projected} content arbitrary
 */
function takeProjected(kernel, { projections: { query, key, value } }) {
  const take = (/** @type {Projection} */ { rows, dOut }) => kernel.floats(rows * dOut);
  return { query: take(query), key: take(key), value: take(value) };
}

/**
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @returns {Projected}
 */
function projectInputs(kernel, layer) {
  const { x, context, isSelf, projections } = layer;
  const projected = takeProjected(kernel, layer);
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
 * y = x weightᵀ + bias.
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
 * Memory for the heads of one item: `load` splits those of an item, `ofHead` tells where one lies,
 * `store` puts them side by side again.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Projected} projected
 */
function takeHeads(kernel, { heads, kvHeads, nQ, nK, dK, dV }, { query, key, value }) {
  const lists = [
    takeHeadList(kernel, query, nQ, heads, dK),
    takeHeadList(kernel, key, nK, kvHeads, dK),
    takeHeadList(kernel, value, nK, kvHeads, dV),
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
 * The same for one matrix of each head.
 *
 * @param {Kernel} kernel
 * @param {Block} rows [batch · n, heads · d]
 * @param {number} n
 * @param {number} heads
 * @param {number} d
 */
function takeHeadList(kernel, rows, n, heads, d) {
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
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Projected} projected
 * @param {Block} concatenated written
 * @param {Tensor} [weights] filled
 */
function attendHeads(kernel, layer, projected, concatenated, weights) {
  const { batch, heads, nQ, nK, dV } = layer;
  const split = takeHeads(kernel, layer, projected);
  const outputs = takeHeadList(kernel, concatenated, nQ, heads, dV);
  const logSumExp = kernel.floats(nQ);
  const matrix = weights ? kernel.floats(nQ * nK) : null;
  const mask = takeMask(kernel, layer.mask, layer);
  const attend = headForward(kernel, layer, layer, matrix !== null);
  const blocks = { added: mask.added, logSumExp, weights: matrix, scores: null };
  for (let item = 0; item < batch; item++) {
    split.load(item);
    for (let head = 0; head < heads; head++) {
      const place = item * heads + head;
      mask.load(place);
      attend({ ...split.ofHead(head), output: outputs.at(head), ...blocks });
      if (weights && matrix) kernel.read(matrix, weights.data, place * nQ * nK, nQ * nK);
    }
    outputs.store(item);
  }
}

/**
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Float32Array} upstream ∂L/∂output
 * @param {MultiHeadGradients} gradients filled
 */
function differentiateLayer(kernel, layer, upstream, gradients) {
  const { x, context } = layer;
  const dProjected = takeProjected(kernel, layer);
  kernel.within(() => differentiateHeads(kernel, layer, upstream, dProjected, gradients));
  const dContext = gradients.dContext ?? gradients.dX;
  for (const [part, source, target] of /** @type {const} */ ([
    ['query', x, gradients.dX],
    ['key', context, dContext],
    ['value', context, dContext],
  ])) {
    kernel.within(() => {
      const { rows, dIn, dOut } = layer.projections[part];
      const input = kernel.load(source.data);
      const dInput = kernel.floats(source.data.length);
      // What nobody attends to has no gradient, and shall have none where it is not finite.
      kernel.clearIdleRows(input, dProjected[part], rows, dIn, dOut);
      differentiateProjection(kernel, layer, part, input, dProjected[part], dInput, gradients);
      kernel.readSum(dInput, target.data);
    });
  }
}

/**
 * From the output back to the projections, through a forward pass that the weights of the output
 * need.
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
    const blocks = /** @type {const} */ ([concatenated, dOutput, dConcatenated]);
    differentiateProjection(kernel, layer, 'output', ...blocks, gradients);
  });
  const split = takeHeads(kernel, layer, projected);
  const dSplit = takeHeads(kernel, layer, dProjected);
  const dOutputs = takeHeadList(kernel, dConcatenated, nQ, heads, dV);
  const mask = takeMask(kernel, layer.mask, layer);
  const dScale = kernel.bytes(8); // a double that nobody asked for
  const differentiate = headBackward(kernel, layer, layer);
  for (let item = 0; item < batch; item++) {
    split.load(item);
    dOutputs.load(item);
    dSplit.clear();
    for (let head = 0; head < heads; head++) {
      mask.load(item * heads + head);
      const { query: dQuery, key: dKey, value: dValue } = dSplit.ofHead(head);
      const dOutput = dOutputs.at(head);
      const blocks = { added: mask.added, dOutput, dQuery, dKey, dValue, dScale };
      differentiate({ ...split.ofHead(head), ...blocks });
    }
    dSplit.store(item);
  }
}

/**
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Part} part
 * @param {Block} x what was projected
 * @param {Block} dY
 * @param {Block} dX written
 * @param {MultiHeadGradients} gradients those of weight and bias are filled
 */
function differentiateProjection(kernel, layer, part, x, dY, dX, gradients) {
  const { weight, bias, rows, dIn, dOut } = layer.projections[part];
  kernel.within(() => {
    const weights = kernel.load(weight);
    const dWeight = kernel.floats(weight.length);
    const dBias = bias && kernel.floats(dOut);
    const scratch = kernel.scratch('attn_linear_scratch', rows, dIn, dOut);
    const results = /** @type {const} */ ([dX, dWeight, dBias, scratch]);
    kernel.call('attn_linear_backward', x, weights, dY, rows, dIn, dOut, ...results);
    kernel.read(dWeight, gradients[nameOf(part, 'Weight')].data);
    if (dBias) kernel.read(dBias, gradients[nameOf(part, 'Bias')].data);
  });
}
