/**
 * Multi-head attention (Vaswani et al., "Attention is all you need", 2017, §3.2.2): the layer
 * and its gradient, composed of linear maps and attention.
 */
import { operations } from './attention.js';
import { readOutputGradient } from './heads.js';
import { run } from './kernel/active.js';
import { computeLayer, differentiateLayer, nameOf } from './layer-kernel.js';
import { PARAMETERS, PARTS, readLayer, readLayerSettings } from './layer.js';
import { expectWithin } from './limit.js';
import { pick } from './options.js';
import { clearResults, makeResults } from './results.js';
import { ARRAYS } from './settings.js';
import { sinkShapes, writeSinkGradient } from './sink.js';

/**
 * @import { ScoreOptions } from './attention.js'
 * @import { Layer, LayerExtra } from './layer.js'
 * @import { Asking, Returned, Shapes } from './results.js'
 * @import { Settings } from './settings.js'
 * @import { Tensor, TensorLike } from './tensor.js'
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
 * @typedef {MultiHeadOwnOptions<R> & Omit<ScoreOptions, 'similarity' | 'returns' | 'into'>} MultiHeadOptions
 */
/**
 * @template {LayerExtra} [R=LayerExtra]
 * @typedef {object} MultiHeadOwnOptions
 * @property {number} heads
 * @property {number} [kvHeads] heads of key and value; fewer than heads (the default), dividing
 *   them, is grouped-query attention
 * @property {TensorLike | null} [context] [n_k, d_context] or [b, n_k, d_context], the source of keys
 *   and values (cross-attention); x by default
 * @property {R | readonly R[]} [returns] results besides the output
 * @property {Partial<Record<'output' | R, Float32Array>>} [into] as in `attention`
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
  const caller = 'multiHeadAttention';
  const layer = readLayer(caller, x, parameters, options);
  const settings = readLayerSettings(caller, layer, parameters, options);
  expectWithin(caller, settings.limit, countOperations(layer, settings, 1, 2, 2));
  const others = { x, ...pick(parameters, PARAMETERS), ...pick(options, TENSORS) };
  const shapes = resultShapes(layer, settings.returns);
  /** @type {any} */
  const results = makeResults(caller, settings.into, shapes, others);
  run(caller, (kernel) => computeLayer(kernel, layer, settings, results));
  return results;
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
  const caller = 'multiHeadAttentionGradient';
  const layer = readLayer(caller, x, parameters, options);
  const { lead, sizes, projections } = layer;
  const upstream = readOutputGradient(caller, dOutput, [
    ...lead,
    sizes.nQ,
    projections.output.dOut,
  ]);
  const settings = readLayerSettings(caller, layer, parameters, options);
  expectWithin(caller, settings.limit, countOperations(layer, settings, 4, 8, 6));
  const others = { x, dOutput, ...pick(parameters, PARAMETERS), ...pick(options, TENSORS) };
  const shapes = { ...gradientShapes(layer), ...sinkShapes(settings.scoring) };
  const gradients = makeResults(caller, settings.into, shapes, others);
  clearResults(gradients); // those of the inputs are added to
  if (sizes.batch === 0) return gradients;
  const dSinks = run(caller, (kernel) =>
    differentiateLayer(kernel, layer, settings, upstream, gradients),
  );
  writeSinkGradient(gradients.dSink, dSinks, sizes.heads);
  return gradients;
}

/**
 * The gradients of a layer: dContext only with a context, those of biases and of a sink only with them.
 *
 * @typedef {{ dX: Tensor, dContext?: Tensor, dQueryWeight: Tensor, dKeyWeight: Tensor,
 *   dValueWeight: Tensor, dOutputWeight: Tensor, dQueryBias?: Tensor, dKeyBias?: Tensor,
 *   dValueBias?: Tensor, dOutputBias?: Tensor, dSink?: Tensor }} MultiHeadGradients
 */

/**
 * Counts the floating-point operations of a layer.
 *
 * @param {Layer} layer
 * @param {Pick<Settings, 'scoring'>} settings
 * @param {number} products as large as those of the projections
 * @param {number} perKeyEntry
 * @param {number} perValueEntry
 * @returns {number}
 */
function countOperations({ sizes, projections }, settings, products, perKeyEntry, perValueEntry) {
  let sum = operations(sizes, settings, perKeyEntry, perValueEntry);
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
 * Returns the shapes of the output and of some further results.
 *
 * @param {Layer} layer
 * @param {readonly LayerExtra[]} names
 * @returns {Shapes<LayerResults>}
 */
function resultShapes({ lead, sizes, projections }, names) {
  const { heads, nQ, nK, dV } = sizes;
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
  for (const name of names) wanted[name] = shapes[name];
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
