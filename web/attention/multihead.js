/**
 * Multi-head attention (Vaswani et al., "Attention is all you need", 2017, §3.2.2): the layer
 * and its gradient. The twin of c/multihead.c, which has the linear maps and the orders of heads;
 * attention itself is that of attention.js.
 */
import { readOutputGradient } from './heads.js';
import { computeLayer, differentiateLayer, nameOf } from './layer-kernel.js';
import { LAYER_CUTS, PARAMETERS, PARTS, readLayer, readShapes } from './layer.js';
import { EXPONENTIAL, expectWithin } from './limit.js';
import { pick } from './options.js';
import { clearResults, makeResults } from './results.js';
import { ARRAYS } from './settings.js';
import { sinkShapes, writeSinkGradient } from './sink.js';
import { widestSpan } from './visible.js';
import { perform } from './work.js';

/**
 * @import { Layer, LayerExtra } from './layer.js'
 * @import { Limit } from './limit.js'
 * @import { Asking, Returned, Shapes } from './results.js'
 * @import { MaskLike, Tensor, TensorLike } from './tensor.js'
 * @import { Causal, Integers } from './visible.js'
 * @import { Prepared, Work } from './work.js'
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
 * @property {TensorLike | null} [context] [n_k, d_context] or [b, n_k, d_context], the source of keys
 *   and values (cross-attention); x by default
 * @property {number} [scale] 1/√d_k by default
 * @property {number} [temperature] as in `attention`
 * @property {number | null} [softcap] as in `attention`
 * @property {Causal} [causal] as in `attention`
 * @property {readonly [left: number, right: number] | null} [window] as in `attention`
 * @property {Integers | null} [offset] as in `attention`
 * @property {Integers | null} [keyLengths] as in `attention`
 * @property {number | TensorLike | null} [sink] as in `attention`
 * @property {MaskLike | null} [mask] as in `attention`: [n, n_k], or with leading axes that
 *   broadcast to [b, heads, n, n_k], where n may be 1 as well
 * @property {R | readonly R[]} [returns] results besides the output
 * @property {Partial<Record<'output' | R, Float32Array>>} [into] as in `attention`
 * @property {Limit} [limit] as in `attention`
 */

/**
 * Options of `multiHeadAttention`; `into` has names of gradients.
 *
 * @typedef {MultiHeadOptions | (Omit<MultiHeadOptions, 'into'> & {
 *   into?: Partial<Record<keyof MultiHeadGradients, Float32Array>> })} MultiHeadGradientOptions
 */

/**
 * Computes a multi-head attention layer: query, key and value are projections of x (key and value of the
 * context), split into heads of consecutive columns; each head attends by itself; their outputs
 * side by side are projected once more.
 *
 * Masked rows, NaN and empty inputs are as in `attention`; biases are added to rows of 0, too.
 *
 * Cost a batch: 2 flop for each row and weight, and that of `attention` for each head; memory for
 * the projections and one head's attention. 'weights' cost heads·n·n_k numbers and a product.
 *
 * Error against float64: at worst 0.16 of the tolerance of PyTorch's golden vectors (8 times
 * PyTorch's own float32 error and 4·2^-24 of the array's largest entry; n up to 6, d_model up to
 * 16, 1 to 8 heads).
 *
 * @template {string | readonly string[] | undefined} [const A=readonly []]
 * @param {TensorLike} x [n, d_model] or [b, n, d_model]
 * @param {MultiHeadParameters} parameters
 * @param {Asking<MultiHeadOptions, A, LayerExtra>} options
 * @returns {Returned<A, LayerResults>} output [..., n, d_out]; weights [..., heads, n, n_k]; meanWeights [..., n, n_k]; query [..., n, heads·d_k], key
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
  return perform(layerWork, 'multiHeadAttention', [x, parameters, options]);
}

/**
 * Reads the arguments of `multiHeadAttention` and makes its results.
 *
 * @param {string} caller
 * @param {TensorLike} x
 * @param {MultiHeadParameters} parameters
 * @param {any} options
 * @returns {Prepared<LayerData, LayerResults>}
 */
function prepareLayer(caller, x, parameters, options) {
  const shapes = readShapes(caller, x, parameters, options);
  const layer = readLayer(caller, shapes, parameters, options);
  const count = operations(layer, 1, 2, 2);
  expectWithin(caller, layer.limit, count);
  const others = { x, ...pick(parameters, PARAMETERS), ...pick(options, TENSORS) };
  const results = makeResults(caller, layer.into, resultShapes(layer), others);
  const { into } = layer;
  return { data: { layer }, results, sizes: layer, operations: count, isEmpty: false, into };
}

/**
 * Computes the gradients of L = Σ output ∘ dOutput, where output is that of `multiHeadAttention` with
 * the same arguments. Weights and biases get the sum over all rows and batches. Without a context, dX
 * includes the gradient that reaches x through keys and values.
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
 * @param {MultiHeadGradientOptions} options those of `multiHeadAttention`; `returns` has no effect,
 *   and `into` has names of gradients
 * @returns {MultiHeadGradients} each with the shape of its argument
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
  const args = [x, parameters, dOutput, options];
  return perform(gradientWork, 'multiHeadAttentionGradient', args);
}

/**
 * Reads the arguments of `multiHeadAttentionGradient` and makes the gradients.
 *
 * @param {string} caller
 * @param {TensorLike} x
 * @param {MultiHeadParameters} parameters
 * @param {TensorLike} dOutput
 * @param {any} options
 * @returns {Prepared<GradientData, MultiHeadGradients>}
 */
function prepareGradient(caller, x, parameters, dOutput, options) {
  const shapes = readShapes(caller, x, parameters, options);
  const { lead, nQ, projections } = shapes;
  const upstream = readOutputGradient(caller, dOutput, [...lead, nQ, projections.output.dOut]);
  const layer = readLayer(caller, shapes, parameters, options);
  const count = operations(layer, 4, 8, 6);
  expectWithin(caller, layer.limit, count);
  const others = { x, dOutput, ...pick(parameters, PARAMETERS), ...pick(options, TENSORS) };
  const gradients = makeResults(
    caller,
    layer.into,
    { ...gradientShapes(layer), ...sinkShapes(layer) },
    others,
  );
  const isEmpty = layer.batch === 0;
  if (isEmpty) clearResults(gradients);
  const data = { layer, upstream };
  return { data, results: gradients, sizes: layer, operations: count, isEmpty, into: layer.into };
}

/** @typedef {{ layer: Layer }} LayerData */
/** @typedef {LayerData & { upstream: Float32Array }} GradientData */

/** @type {Work<LayerData, LayerResults>} */
const layerWork = {
  prepare: prepareLayer,
  compute: (kernel, { layer }, results) => computeLayer(kernel, layer, results),
  cuts: { layer: LAYER_CUTS },
  places: {
    output: 'items',
    weights: 'items',
    meanWeights: 'items',
    query: 'items',
    key: 'items',
    value: 'items',
    concatenated: 'items',
  },
};

/** The gradients of the weights are sums over all items, so there is one part.
 *  @type {Work<GradientData, MultiHeadGradients>} */
const gradientWork = {
  prepare: prepareGradient,
  compute(kernel, { layer, upstream }, gradients) {
    // Those of the inputs are sums over the projections, which are added one after another.
    clearResults({ dX: gradients.dX, dContext: gradients.dContext });
    return { dSinks: differentiateLayer(kernel, layer, upstream, gradients) };
  },
  finish({ data, results }, { dSinks }) {
    writeSinkGradient(results.dSink, dSinks, data.layer.heads);
    return results;
  },
  cuts: { layer: LAYER_CUTS, upstream: 'items' },
  places: { dSink: 'here' },
};

export const works = {
  multiHeadAttention: layerWork,
  multiHeadAttentionGradient: gradientWork,
};

/**
 * The gradients of a layer: dContext only with a context, those of biases and of a sink only with them.
 *
 * @typedef {{ dX: Tensor, dContext?: Tensor, dQueryWeight: Tensor, dKeyWeight: Tensor,
 *   dValueWeight: Tensor, dOutputWeight: Tensor, dQueryBias?: Tensor, dKeyBias?: Tensor,
 *   dValueBias?: Tensor, dOutputBias?: Tensor, dSink?: Tensor }} MultiHeadGradients
 */

/**
 * Counts the floating-point operations of a layer: for each row of a projection, for each pair of query
 * and key in every head.
 *
 * @param {Layer} layer
 * @param {number} products as large as those of the projections
 * @param {number} perKeyEntry
 * @param {number} perValueEntry
 * @returns {number}
 */
function operations(layer, products, perKeyEntry, perValueEntry) {
  const { batch, heads, nQ, nK, dK, dV, projections, spans } = layer;
  const pairs = batch * heads * nQ * widestSpan(spans, nK);
  let sum = pairs * (perKeyEntry * dK + perValueEntry * dV + EXPONENTIAL);
  for (const part of PARTS) {
    const { rows, dIn, dOut } = projections[part];
    sum += products * 2 * rows * dIn * dOut;
  }
  return sum;
}

/** The options that are tensors. */
const TENSORS = ['context', ...ARRAYS];

/**
 * @typedef {{ output: Tensor, weights?: Tensor, meanWeights?: Tensor, query?: Tensor,
 *   key?: Tensor, value?: Tensor, concatenated?: Tensor }} LayerResults
 */

/**
 * Returns the shapes of the results that the options name.
 *
 * @param {Layer} layer
 * @returns {Shapes<LayerResults>}
 */
function resultShapes({ lead, heads, nQ, nK, dV, projections, returns }) {
  const shapes = {
    weights: [...lead, heads, nQ, nK],
    meanWeights: [...lead, nQ, nK],
    query: [...lead, nQ, projections.query.dOut],
    key: [...lead, nK, projections.key.dOut],
    value: [...lead, nK, projections.value.dOut],
    concatenated: [...lead, nQ, heads * dV],
  };
  /** @type {Shapes<LayerResults>} */
  const wanted = { output: [...lead, nQ, projections.output.dOut] };
  for (const name of returns) wanted[name] = shapes[name];
  return wanted;
}

/**
 * Returns the shapes of the gradients.
 *
 * @param {Layer} layer
 * @returns {Shapes<MultiHeadGradients>}
 */
function gradientShapes({ x, context, isSelf, projections }) {
  /** @type {Record<string, number[]>} */
  const shapes = { dX: x.shape };
  if (!isSelf) shapes.dContext = context.shape;
  for (const part of PARTS) {
    const { dIn, dOut } = projections[part];
    shapes[nameOf(part, 'Weight')] = [dOut, dIn];
  }
  for (const part of PARTS) {
    const { bias, dOut } = projections[part];
    if (bias) shapes[nameOf(part, 'Bias')] = [dOut];
  }
  return /** @type {any} */ (shapes);
}
