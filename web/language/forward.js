/** What a model computes from tokens: logits, the loss and its gradient, attention in every layer. */
import { reject, ShapeError } from '../attention/errors.js';
import {
  ATTN_ATTENTION,
  ATTN_ATTENTION_RESULTS,
  ATTN_TEXT,
} from '../attention/kernel/generated/structs.js';
import { allocate } from '../attention/results.js';
import { showShape } from '../attention/shape.js';
import { attentionFields, resultsFields } from '../attention/structs.js';
import { times } from '../shared/times.js';
import { loadConfig, loadParameters, parameterTotal, readModel, takeParameters } from './model.js';
import { run } from './module.js';
import { readTexts } from './tokens.js';

/**
 * @import { Block } from '../attention/heads.js'
 * @import { Kernel } from '../attention/kernel/kernel.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @import { Config, Model, Parameters } from './model.js'
 * @import { Texts, TokensLike } from './tokens.js'
 */

/**
 * The attention of a layer, [batch, heads, n, …]: queries and keys as they meet, normalised where the model does
 * so; `scores` are before the causal mask.
 *
 * @typedef {{ query: Tensor, key: Tensor, value: Tensor, scores: Tensor, weights: Tensor }} LayerAttention
 */

/**
 * Computes the logits of the next token at every place of a text.
 *
 * Cost: 2 flop a weight and token, and those of attention. Error against float64, in units of 2^-24 times
 * the largest logit: at worst 7 on the golden vectors, 13 where queries and keys are normalised.
 * @param {Model} model
 * @param {TokensLike} tokens [n] or [batch, n], n up to the context
 * @returns {Tensor} [n, vocabulary] or [batch, n, vocabulary]
 * @throws {ShapeError} for texts longer than the context, and a model whose parameters do not fit
 * @throws {DTypeError} for tokens that are no integers below the vocabulary
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = createModel({ vocabulary: 12, context: 8, dModel: 4, seed: 1 });
 * logits(model, [[3, 1, 4], [1, 5, 9]]).shape; // [2, 3, 12]
 */
export function logits(model, tokens) {
  const caller = 'logits';
  const read = readModel(caller, model);
  const texts = readTexts(caller, 'tokens', tokens, read.config);
  const shape = [...texts.shape, read.config.vocabulary];
  const data = allocate(caller, shape);
  run(caller, (kernel) => {
    const block = kernel.floats(data.length);
    const parameters = loadParameters(kernel, read);
    computeLogits(kernel, loadConfig(kernel, read.config), parameters, texts, block);
    kernel.read(block, data);
  });
  return { data, shape };
}

/**
 * Computes logits in the kernel's memory.
 * @param {Kernel} kernel
 * @param {Block} config
 * @param {Block} parameters
 * @param {Texts} texts
 * @param {Block} target
 */
export function computeLogits(kernel, config, parameters, texts, target) {
  const text = loadText(kernel, texts, null);
  const scratch = kernel.scratch('attn_language_forward_scratch', config, text);
  kernel.call('attn_language_forward', config, parameters, text, target, null, null, null, scratch);
}

/**
 * Computes the loss, the mean cross-entropy of the targets, and its gradient with respect to every
 * parameter.
 *
 * Cost: 6 flop a weight and token, and those of attention. Error of a gradient against float64, in units of
 * 2^-24 times its largest entry: at worst 43 on the golden vectors, 128 where queries and keys are normalised.
 * @param {Model} model
 * @param {TokensLike} tokens [n] or [batch, n], n up to the context
 * @param {TokensLike} targets like tokens: the token that follows each, −1 where none counts
 * @returns {{ loss: number, gradients: Parameters }} gradients by the names of the parameters
 * @throws {ShapeError} for texts longer than the context, targets of another shape
 * @throws {DTypeError} for tokens that are no integers below the vocabulary, no target that counts
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = createModel({ vocabulary: 12, context: 8, dModel: 4, seed: 1 });
 * const { loss, gradients } = lossGradient(model, [[3, 1, 4]], [[1, 4, -1]]);
 * loss > 0; // true
 * gradients['norm.bias'].shape; // [4]
 */
export function lossGradient(model, tokens, targets) {
  const caller = 'lossGradient';
  const read = readModel(caller, model);
  const texts = readTexts(caller, 'tokens', tokens, read.config);
  const wanted = readTargets(caller, targets, texts, read.config);
  return run(caller, (kernel) => {
    const config = loadConfig(kernel, read.config);
    const parameters = loadParameters(kernel, read);
    const gradients = kernel.floats(parameterTotal(read.config));
    const text = loadText(kernel, texts, wanted);
    const loss = computeGradient(kernel, config, parameters, text, gradients);
    return { loss, gradients: takeParameters(kernel, read.config, gradients) };
  });
}

/**
 * Computes a loss and its gradients in the kernel's memory.
 * @param {Kernel} kernel
 * @param {Block} config
 * @param {Block} parameters
 * @param {Block} text
 * @param {Block} gradients to fill
 * @returns {number} the loss
 */
export function computeGradient(kernel, config, parameters, text, gradients) {
  const loss = kernel.bytes(8);
  const scratch = kernel.scratch('attn_language_step_scratch', config, text);
  kernel.call('attn_language_gradient', config, parameters, text, gradients, loss, scratch);
  return kernel.readDoubles(loss, 1)[0];
}

/**
 * Reads targets: of the shape of the tokens, one of which counts.
 * @param {string} caller
 * @param {unknown} targets
 * @param {Texts} texts
 * @param {Config} config
 * @returns {Int32Array}
 */
export function readTargets(caller, targets, { shape }, config) {
  const read = readTexts(caller, 'targets', targets, config, -1);
  if (showShape(read.shape) !== showShape(shape)) {
    throw new ShapeError(
      `${caller}: targets is ${showShape(read.shape)}, expected ${showShape(shape)} to match tokens`,
    );
  }
  if (read.data.some((target) => target >= 0)) return read.data;
  return reject(caller, 'targets', targets, 'at least one that is not −1');
}

/** Allocates an attn_text. @param {Kernel} kernel @param {Texts} texts @param {Int32Array | null} targets */
export function loadText(kernel, { data, batch, n }, targets) {
  const tokens = kernel.integers(data);
  const wanted = targets && kernel.integers(targets);
  return kernel.struct(ATTN_TEXT, { tokens, targets: wanted, batch, n });
}

/**
 * Computes the attention of every layer: its queries, keys and values, scores and weights.
 *
 * Cost: that of `logits`, and a number a pair of places, head and layer, for scores and weights each.
 * @param {Model} model
 * @param {TokensLike} tokens [n] or [batch, n], n up to the context
 * @returns {LayerAttention[]} a layer each: query, key and value [batch, heads, n, dKey], scores and weights
 *   [batch, heads, n, n]; [n] is a batch of one
 * @throws {ShapeError} for texts longer than the context
 * @throws {DTypeError} for tokens that are no integers below the vocabulary
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = createModel({ vocabulary: 12, context: 8, dModel: 4, heads: 2, seed: 1 });
 * const [first] = attentionOf(model, [3, 1, 4]);
 * first.weights.shape; // [1, 2, 3, 3]
 * Array.from(first.weights.data.slice(0, 3)); // [1, 0, 0]
 */
export function attentionOf(model, tokens) {
  const caller = 'attentionOf';
  const read = readModel(caller, model);
  const texts = readTexts(caller, 'tokens', tokens, read.config);
  const { layers, heads, dKey } = read.config;
  const { batch, n } = texts;
  const vectors = [batch, heads, n, dKey];
  const pairs = [batch, heads, n, n];
  const make = (/** @type {number[]} */ shape) => ({
    data: allocate(caller, shape),
    shape: [...shape],
  });
  return run(caller, (kernel) => {
    const size = batch * heads * n * dKey;
    const blocks = [0, 0, 0].map(() => kernel.floats(layers * size));
    const factors = new Float32Array(layers * heads);
    const config = loadConfig(kernel, read.config);
    const text = loadText(kernel, texts, null);
    const parameters = loadParameters(kernel, read);
    const scratch = kernel.scratch('attn_language_forward_scratch', config, text);
    const [query, key, value] = blocks;
    kernel.call(
      'attn_language_forward',
      config,
      parameters,
      text,
      null,
      query,
      key,
      value,
      scratch,
    );
    const scales = kernel.floats(factors.length);
    kernel.call('attn_language_scales', config, parameters, scales);
    kernel.read(scales, factors);
    return times(layers, (layer) => {
      const parts = blocks.map((block) => kernel.part(block, layer * size));
      const [q, k, v] = parts.map((part) => {
        const tensor = make(vectors);
        kernel.read(part, tensor.data);
        return tensor;
      });
      const of = { query: q, key: k, value: v, scores: make(pairs), weights: make(pairs) };
      weigh(kernel, factors.subarray(layer * heads, (layer + 1) * heads), parts, of);
      return of;
    });
  });
}

/**
 * Computes the scores and weights of a layer.
 * @param {Kernel} kernel
 * @param {Float32Array} factors of the scores of each head
 * @param {Block[]} parts queries, keys and values of the layer
 * @param {LayerAttention} of
 */
function weigh(kernel, factors, parts, { query, scores, weights }) {
  const [n, dKey] = query.shape.slice(-2);
  const sizes = { nQ: n, nK: n, dK: dKey, dV: dKey };
  const span = { offset: 0, left: -1, right: 0, keyCount: n };
  for (let first = 0, head = 0; first < scores.data.length; first += n * n, head++) {
    kernel.within(() => {
      const [query, key, value] = parts.map((part) => kernel.part(part, head * n * dKey));
      const fields = attentionFields({ query, key, value, mask: null }, sizes, {
        factor: factors[head % factors.length],
        span,
      });
      const call = kernel.struct(ATTN_ATTENTION, fields);
      const [all, shares] = [kernel.floats(n * n), kernel.floats(n * n)];
      const wanted = resultsFields({ scores: all, weights: shares });
      const results = kernel.struct(ATTN_ATTENTION_RESULTS, wanted);
      const scratch = kernel.scratch('attn_attention_forward_scratch', call, 1);
      kernel.call('attn_attention_forward', call, results, scratch);
      kernel.read(all, scores.data, first, n * n);
      kernel.read(shares, weights.data, first, n * n);
    });
  }
}
