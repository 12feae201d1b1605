/**
 * Additive attention (Bahdanau, Cho & Bengio, "Neural machine translation by jointly learning to
 * align and translate", 2015). The twin of c/additive.c.
 */
import { ShapeError } from './errors.js';
import {
  allocateResults,
  fail,
  forHeads,
  readCausal,
  readHeadMask,
  readInputs,
  readReturns,
  takeMask,
  takeResults,
} from './heads.js';
import { run } from './kernel/active.js';
import { readChoice, readOptions } from './options.js';
import { readTensor, showShape } from './tensor.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */
/** @typedef {import('./tensor.js').MaskLike} MaskLike */
/** @typedef {import('./heads.js').Extra} Extra */
/** @typedef {import('./heads.js').Causal} Causal */
/** @typedef {import('./heads.js').Inputs} Inputs */
/** @typedef {import('./heads.js').HeadMask} HeadMask */
/** @typedef {import('./heads.js').Results} Results */
/** @typedef {import('./heads.js').Block} Block */
/** @typedef {import('./kernel/active.js').Kernel} Kernel */

/**
 * @template {Extra} [R=never]
 * @typedef {object} AdditiveOptions
 * @property {TensorLike} queryWeight [h, d_q]
 * @property {TensorLike} keyWeight [h, d_k]
 * @property {TensorLike} scoreWeight [h]
 * @property {TensorLike | null} [bias] [h], none by default
 * @property {'factored' | 'pairwise'} [method] 'factored' (default) projects each query and key
 *   once; 'pairwise' projects them again for every pair, as textbooks write it, for comparison
 * @property {Causal} [causal] as in `attention`
 * @property {MaskLike | null} [mask] as in `attention`
 * @property {readonly R[]} [returns] as in `attention`
 */

/** The parameters as they lie in C: h is dHidden.
 *  @typedef {{ queryWeight: Float32Array, keyWeight: Float32Array, scoreWeight: Float32Array,
 *    bias: Float32Array | null, dHidden: number }} Parameters */

/**
 * output = softmax(scores + mask) value with
 * scores_ij = scoreWeight · tanh(queryWeight query_i + keyWeight key_j + bias).
 *
 * All heads share the weights. Masked rows, NaN and empty inputs are as in `attention`.
 *
 * Cost a head: 'factored' 2·(n_q·d_q + n_k·d_k)·h flop, then n_q·n_k·h tanh; 'pairwise'
 * 2·n_q·n_k·(d_q + d_k)·h flop and as many tanh; memory O((n_q + n_k)·h).
 *
 * Error against float64, as a multiple of 2^-24·magnitude (additiveAttention of
 * tests/js/oracle.js), worst of random problems: output 1.0, weights 1.6, scores 2.1,
 * logSumExp 1.2.
 *
 * @template {Extra} [R=never]
 * @param {TensorLike} query [n_q, d_q], with leading [h] or [b, h] as in `attention`
 * @param {TensorLike} key [n_k, d_k], likewise; as many heads as query
 * @param {TensorLike} value [n_k, d_v], likewise
 * @param {AdditiveOptions<R>} options
 * @returns {Results & { [name in R]: Tensor }} output [..., n_q, d_v]; weights and
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
  const results = allocateResults(caller, inputs, settings.returns);
  run(caller, (kernel) => attendHeads(kernel, inputs, settings, results));
  return /** @type {any} */ (results);
}

/**
 * @typedef {{ parameters: Parameters, pairwise: boolean, causal: number, mask: HeadMask | null,
 *   returns: Extra[] }} Settings
 */

/**
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {unknown} options
 * @returns {Settings}
 */
function readSettings(caller, inputs, options) {
  const known = [
    'queryWeight',
    'keyWeight',
    'scoreWeight',
    'bias',
    'method',
    'causal',
    'mask',
    'returns',
  ];
  const given = readOptions(caller, options, known);
  const method = readChoice(caller, 'method', given.method, ['factored', 'pairwise']);
  return {
    parameters: readParameters(caller, inputs, given),
    pairwise: method === 'pairwise',
    causal: readCausal(caller, given.causal),
    mask: readHeadMask(caller, given.mask, inputs),
    returns: readReturns(caller, given.returns),
  };
}

/**
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Record<string, unknown>} given
 * @returns {Parameters}
 */
function readParameters(caller, { dQ, dK }, given) {
  const queryWeight = readTensor(caller, 'queryWeight', given.queryWeight);
  const { shape } = queryWeight;
  if (shape.length !== 2 || shape[0] === 0 || shape[1] !== dQ) {
    throw new ShapeError(
      `${caller}: queryWeight is ${showShape(shape)}, expected [h, ${dQ}] with h above 0, where ${dQ} is the last axis of query`,
    );
  }
  const dHidden = shape[0];
  /** @param {string} name @param {number[]} expected */
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

/**
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {Results} results filled
 */
function attendHeads(kernel, inputs, { parameters, pairwise, causal, ...settings }, results) {
  const { nQ, nK, dQ, dK, dV } = inputs;
  const [query, key, value] = [nQ * dQ, nK * dK, nK * dV].map((count) => kernel.floats(count));
  const mask = takeMask(kernel, settings.mask, inputs);
  const { output, logSumExp, weights, scores, store } = takeResults(kernel, inputs, results);
  const pointers = [query, key, value, mask.added, ...loadParameters(kernel, parameters)];
  const sizes = [nQ, nK, dQ, dK, dV, parameters.dHidden];
  const call = kernel.struct([...pointers, ...sizes, causal]); // an attn_additive
  const scratch = kernel.scratch('attn_additive_forward_scratch', call);
  const forward = pairwise ? 'attn_additive_pairwise_forward' : 'attn_additive_forward';
  forHeads(inputs, {
    begin(group) {
      kernel.write(key, inputs.key, group * nK * dK, nK * dK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
    },
    work(head) {
      kernel.write(query, inputs.query, head * nQ * dQ, nQ * dQ);
      mask.load(head);
      kernel.call(forward, call, output, logSumExp, weights, scores, scratch);
      store(head);
    },
  });
}

/**
 * @param {Kernel} kernel
 * @param {Parameters} parameters
 * @returns {(Block | null)[]} query_weight, key_weight, score_weight, bias
 */
const loadParameters = (kernel, { queryWeight, keyWeight, scoreWeight, bias }) =>
  [queryWeight, keyWeight, scoreWeight, bias].map((data) => data && kernel.load(data));
