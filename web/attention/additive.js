/**
 * Additive attention (Bahdanau, Cho & Bengio, "Neural machine translation by jointly learning to
 * align and translate", 2015) and its gradient. The twin of c/additive.c and c/additive_backward.c.
 */
import { attendHeads, differentiateHeads } from './additive-kernel.js';
import { compute } from './compute.js';
import { fail, gradientShapes, readInputs, readOutputGradient, resultShapes } from './heads.js';
import { EXPONENTIAL, expectWithin } from './limit.js';
import { readHeadMask } from './mask.js';
import {
  expectKnown,
  expectRequired,
  pick,
  readChoice,
  readChoices,
  readEntries,
} from './options.js';
import { readTensor } from './read.js';
import { makeResults } from './results.js';
import { ARRAYS, OF_DOTS, optionsWithout } from './settings.js';
import { rejectShape, showShape } from './shape.js';
import { readSinks, sinkShapes, writeSinkGradient } from './sink.js';
import { readSpans, widestSpan } from './visible.js';

/**
 * @import { ScoreOptions } from './attention.js'
 * @import { Inputs } from './heads.js'
 * @import { HeadMask } from './mask.js'
 * @import { Asking, Returned } from './results.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 * @import { Sinks } from './sink.js'
 * @import { Span } from './structs.js'
 */

/** @typedef {(typeof EXTRAS)[number]} AdditiveExtra */
/** @typedef {{ output: Tensor, weights?: Tensor, scores?: Tensor, logSumExp?: Tensor }} AdditiveResults */

/**
 * @template {AdditiveExtra} [R=AdditiveExtra]
 * @typedef {AdditiveOwnOptions<R>
 *   & Pick<ScoreOptions, 'causal' | 'window' | 'offset' | 'keyLengths' | 'sink' | 'mask' | 'limit'>} AdditiveOptions
 */
/**
 * @template {AdditiveExtra} [R=AdditiveExtra]
 * @typedef {object} AdditiveOwnOptions
 * @property {TensorLike} queryWeight [h, d_q]
 * @property {TensorLike} keyWeight [h, d_k]
 * @property {TensorLike} scoreWeight [h]
 * @property {TensorLike | null} [bias] [h], none by default
 * @property {'factored' | 'pairwise'} [method] 'factored' (default) projects each query and key
 *   once; 'pairwise' projects them again for every pair, as textbooks write it, for comparison
 * @property {R | readonly R[]} [returns] as in `attention`
 * @property {Partial<Record<'output' | R, Float32Array>>} [into] as in `attention`
 */

/** The options that are tensors. */
const PARAMETERS = ['queryWeight', 'keyWeight', 'scoreWeight', 'bias'];
const TENSORS = [...PARAMETERS, ...ARRAYS];
const OPTIONS = [...PARAMETERS, 'method', ...optionsWithout(...OF_DOTS)];
const EXTRAS = /** @type {const} */ (['weights', 'scores', 'logSumExp']);

/** The parameters as they lie in C: h is dHidden.
 *  @typedef {{ queryWeight: Float32Array, keyWeight: Float32Array, scoreWeight: Float32Array,
 *    bias: Float32Array | null, dHidden: number }} AdditiveParameters */

/**
 * Computes output = softmax(scores + mask) value with
 * scores_ij = scoreWeight · tanh(queryWeight query_i + keyWeight key_j + bias).
 *
 * All heads share the weights. Masked rows, NaN and empty inputs are as in `attention`.
 *
 * Cost a head: 'factored' 2·(n_q·d_q + n_k·d_k)·h flop, then n_q·n_k·h tanh; 'pairwise'
 * 2·n_q·n_k·(d_q + d_k)·h flop and as many tanh; memory O(n_k·(h + d_v) + h·(d_q + d_k)) beside
 * the arrays and 32 rows of n_k numbers.
 *
 * Error against float64 in the units of `attention`, worst of random problems (normal entries, up
 * to 12 queries, 20 keys, d 9 and h 20): output 1.0, weights 1.6, scores 2.1, logSumExp 1.2. Of
 * values uniform in [0, 1) over 100 000 keys the output's is 3; of score weights uniform in [0, 1) and
 * up to 2048 hidden units that of 'factored' scores is 3. 'factored' scores have an error of
 * 6·2^-24·Σ|scoreWeight| besides (18 where all hidden units are alike), which shows where all
 * projections are nearly 0; 'pairwise' ones have not.
 *
 * @template {string | readonly string[] | undefined} [const A=readonly []]
 * @param {TensorLike} query [n_q, d_q], with leading [h] or [b, h] as in `attention`
 * @param {TensorLike} key [n_k, d_k], likewise; as many heads as query
 * @param {TensorLike} value [n_k, d_v], likewise
 * @param {Asking<AdditiveOptions, A, AdditiveExtra>} options
 * @returns {Returned<A, AdditiveResults>} output [..., n_q, d_v]; weights and
 *   scores [..., n_q, n_k]; logSumExp of the masked scores [..., n_q]
 * @throws {ShapeError} if shapes do not fit, or d_q, d_k or h is 0
 * @throws {DTypeError} for entries that are no numbers, missing weights, unknown options or values
 * @throws {CapacityError} if a head with its results exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const x = randomNormal([8, 4], { seed: 1 });
 * const { output } = additiveAttention(x, x, x, {
 *   queryWeight: randomNormal([16, 4], { seed: 2 }),
 *   keyWeight: randomNormal([16, 4], { seed: 3 }),
 *   scoreWeight: randomNormal([16], { seed: 4 }),
 * });
 * output.shape; // [8, 4]
 */
export function additiveAttention(query, key, value, options) {
  const caller = 'additiveAttention';
  const inputs = readInputs(caller, query, key, value, 'additive');
  const settings = readSettings(caller, inputs, options);
  const { returns, into } = settings;
  expectWithin(caller, settings.limit, operations(inputs, settings, TANH));
  const others = { query, key, value, ...pick(options, TENSORS) };
  const results = makeResults(caller, into, resultShapes(inputs, ['output', ...returns]), others);
  compute(caller, inputs, results, (kernel) => attendHeads(kernel, inputs, settings, results));
  return /** @type {any} */ (results);
}

/**
 * Computes the gradients of L = Σ output ∘ dOutput, where output is that of `additiveAttention` with the
 * same arguments: with T_ij = tanh(queryWeight query_i + keyWeight key_j + bias) and dS = ∂L/∂scores,
 *   dScoreWeight = Σ_ij dS_ij T_ij, dA_i = Σ_j dS_ij scoreWeight ∘ (1 − T_ij²), dB_j the sum over i,
 *   dQuery = dA queryWeight, dQueryWeight = dAᵀ query, dKey = dB keyWeight, dKeyWeight = dBᵀ key,
 *   dBias = Σ_i dA_i.
 * Weights, score vector and bias get the sum over all heads and batches.
 *
 * A query that may attend nowhere, and a position that may not be attended, take part in no
 * gradient. NaN reaches the gradients it touches. Empty inputs give empty or zero gradients.
 *
 * Cost a head: that of the factored forward pass, 20·n_q·n_k·h + 4·n_q·n_k·d_v flop and twice its
 * projections; memory O((n_q + n_k)·(h + d_v)) and 2·min(n_q, 32)·n_k numbers, no n_q × n_k
 * matrix.
 *
 * Error against float64 in the units of `attention`, worst of random problems (normal entries, up
 * to 80 queries, 150 keys, d 9 and h 18): 2.0 (dScoreWeight; the others 0.9). dScoreWeight has an
 * error of 2^-24·Σ|∂L/∂score| besides, which shows where all projections are nearly 0.
 *
 * @param {TensorLike} query [n_q, d_q], with leading [h] or [b, h] as in `attention`
 * @param {TensorLike} key [n_k, d_k], likewise; as many heads as query
 * @param {TensorLike} value [n_k, d_v], likewise
 * @param {TensorLike} dOutput like the output, [..., n_q, d_v]: ∂L/∂output
 * @param {AdditiveGradientOptions} options those of `additiveAttention`; `method` (both have the
 *   same gradient) and `returns` are without effect, and `into` has names of gradients
 * @returns {AdditiveGradients} each with the shape of its argument
 * @throws {ShapeError} if shapes do not fit, or d_q, d_k or h is 0
 * @throws {DTypeError} for entries that are no numbers, missing weights, unknown options or values
 * @throws {CapacityError} if a head with its gradients exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const [x, dOutput] = [1, 2].map((seed) => randomNormal([8, 4], { seed }));
 * const gradients = additiveAttentionGradient(x, x, x, dOutput, {
 *   queryWeight: randomNormal([16, 4], { seed: 3 }),
 *   keyWeight: randomNormal([16, 4], { seed: 4 }),
 *   scoreWeight: randomNormal([16], { seed: 5 }),
 * });
 * gradients.dQueryWeight.shape; // [16, 4]
 * Object.keys(gradients).length; // 6
 */
export function additiveAttentionGradient(query, key, value, dOutput, options) {
  const caller = 'additiveAttentionGradient';
  const inputs = readInputs(caller, query, key, value, 'additive');
  const upstream = readOutputGradient(caller, dOutput, [...inputs.lead, inputs.nQ, inputs.dV]);
  const settings = readSettings(caller, inputs, options);
  const { dHidden, bias } = settings.parameters;
  const shapes = {
    ...gradientShapes(inputs),
    dQueryWeight: [dHidden, inputs.dQ],
    dKeyWeight: [dHidden, inputs.dK],
    dScoreWeight: [dHidden],
    ...(bias && { dBias: [dHidden] }),
    ...sinkShapes(settings),
  };
  const count = operations(inputs, { ...settings, pairwise: false }, 3 * TANH);
  expectWithin(caller, settings.limit, count);
  const others = { query, key, value, dOutput, ...pick(options, TENSORS) };
  const gradients = makeResults(caller, settings.into, shapes, others);
  compute(caller, inputs, gradients, (kernel) => {
    const dSinks = differentiateHeads(kernel, inputs, upstream, settings, gradients);
    writeSinkGradient(gradients.dSink, dSinks, inputs.heads);
  });
  return gradients;
}

/**
 * dBias only where there is a bias, dSink only where there is a sink.
 *
 * @typedef {{ dQuery: Tensor, dKey: Tensor, dValue: Tensor, dQueryWeight: Tensor,
 *   dKeyWeight: Tensor, dScoreWeight: Tensor, dBias?: Tensor,
 *   dSink?: Tensor }} AdditiveGradients
 */

/**
 * Options of `additiveAttention`; `into` has names of gradients.
 *
 * @typedef {AdditiveOptions | (Omit<AdditiveOptions, 'into'> & {
 *   into?: Partial<Record<keyof AdditiveGradients, Float32Array>> })} AdditiveGradientOptions
 */

/**
 * @typedef {{ parameters: AdditiveParameters, pairwise: boolean, mask: HeadMask | null,
 *   spans: readonly Span[], returns: AdditiveExtra[], into: unknown, limit: unknown } & Sinks
 *   } Settings
 */

/** A hyperbolic tangent costs about as much as this many operations of a matrix product. */
const TANH = 12;

/**
 * Counts the floating-point operations of all heads, in the units of `limit.js`.
 *
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {number} perHidden operations for a pair of query and key and a hidden unit
 * @returns {number}
 */
function operations({ batch, heads, nQ, nK, dQ, dK, dV }, settings, perHidden) {
  const { pairwise, parameters, spans } = settings;
  const { dHidden } = parameters;
  const projections = pairwise ? nQ * nK * (dQ + dK) : nQ * dQ + nK * dK;
  const pair = dHidden * perHidden + 2 * dV + EXPONENTIAL;
  return batch * heads * (2 * dHidden * projections + nQ * widestSpan(spans, nK) * pair);
}

/**
 * Reads the options.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {unknown} options
 * @returns {Settings}
 */
function readSettings(caller, inputs, options) {
  const given = readEntries(caller, options);
  expectRequired(caller, given, ['queryWeight', 'keyWeight', 'scoreWeight'], OPTIONS);
  const parameters = readParameters(caller, inputs, given);
  const mask = readHeadMask(caller, given.mask, inputs);
  expectKnown(caller, given, OPTIONS);
  return {
    parameters,
    mask,
    pairwise: readChoice(caller, 'method', given.method, ['factored', 'pairwise']) === 'pairwise',
    spans: readSpans(caller, given, inputs),
    ...readSinks(caller, given.sink, inputs.heads),
    returns: readChoices(caller, 'returns', given.returns, EXTRAS),
    into: given.into,
    limit: given.limit,
  };
}

/**
 * Reads the weights and the bias and compares their shapes.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Record<string, unknown>} given
 * @returns {AdditiveParameters}
 */
function readParameters(caller, { dQ, dK }, given) {
  const queryWeight = readTensor(caller, 'queryWeight', given.queryWeight);
  const { shape } = queryWeight;
  if (shape.length !== 2 || shape[0] === 0 || shape[1] !== dQ) {
    rejectShape(
      caller,
      'queryWeight',
      shape,
      `[h, ${dQ}] with h above 0, where ${dQ} is the last axis of query`,
    );
  }
  const dHidden = shape[0];
  /** Reads a parameter of an expected shape. @param {string} name @param {number[]} expected */
  const like = (name, expected) => {
    const weight = readTensor(caller, name, given[name]);
    if (showShape(weight.shape) === showShape(expected)) return weight.data;
    return fail(caller, name, weight.shape, showShape(expected), 'queryWeight', shape);
  };
  return {
    queryWeight: queryWeight.data,
    keyWeight: like('keyWeight', [dHidden, dK]),
    scoreWeight: like('scoreWeight', [dHidden]),
    bias: given.bias === undefined || given.bias === null ? null : like('bias', [dHidden]),
    dHidden,
  };
}
