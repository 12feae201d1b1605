/**
 * attention-lab/parallel: the functions of the package in workers, so that a page stays responsive and all
 * processors compute. No SharedArrayBuffer, no header and no file: the workers are text in this module.
 * No side effects at import; a pool starts its workers at its first call.
 */
import { reject } from '../attention/errors.js';
import { BACKENDS } from '../attention/kernel/backends.js';
import { readChoice, readInteger, readOptions } from '../attention/options.js';
import { METHODS } from './methods.js';
import { Pool as Workers } from './pool.js';
import { concurrency } from './threads.js';

/** @import * as FUNCTIONS from '../attention/functions.js' */
/**
 * @import { AdditiveExtra, AdditiveOptions, AdditiveResults } from '../attention/additive.js'
 * @import { AttentionOptions, ScoreOptions, ScoreResults } from '../attention/attention.js'
 * @import { Extra, Results } from '../attention/heads.js'
 * @import { Backend } from '../attention/kernel/backends.js'
 * @import { LayerExtra } from '../attention/layer.js'
 * @import { LayerResults, MultiHeadOptions, MultiHeadParameters } from '../attention/multihead.js'
 * @import { Returned } from '../attention/results.js'
 * @import { TensorLike } from '../attention/tensor.js'
 */

/**
 * @typedef {object} PoolOptions
 * @property {number} [workers] by default one fewer than the device has processors, at least 1 and at most
 *   8; 0 for none: then the thread of the caller computes, in slices
 * @property {'auto' | Backend} [backend] as in `init`
 */

/**
 * Options of every function of a pool, beside its own. A call that has ended by them rejects with the
 * reason of the signal, or an AbortError.
 *
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal] ends the call; workers finish the parts that they have
 * @property {unknown} [latest] a key: a newer call with the same key drops this one while it waits, as for a
 *   slider; calls with one key are computed in turn
 */

/** @template F
 *  @typedef {F extends (...args: infer A) => infer R ? (...args: Called<A>) => Promise<R> : never} Asynchronous */

/** Parameters of a function of a pool, of which the last also takes options of the call. @template A
 *  @typedef {A extends [infer X] ? [x: X, options?: CallOptions]
 *   : A extends [infer X, (infer O)?] ? [x: X, options?: O & CallOptions]
 *   : A extends [infer X, infer Y, (infer O)?] ? [x: X, y: Y, options?: O & CallOptions]
 *   : A extends [infer X, infer Y, (infer Z)?, (infer O)?] ? [x: X, y: Y, z?: Z, options?: O & CallOptions]
 *   : A extends [infer X, infer Y, infer Z, (infer O)?] ? [x: X, y: Y, z: Z, options?: O & CallOptions]
 *   : A extends [infer W, infer X, infer Y, infer Z, (infer O)?]
 *   ? [w: W, x: X, y: Y, z: Z, options?: O & CallOptions] : never} Called */

/**
 * The functions of which a pool has the same type with a promise for the result.
 * @typedef {Pick<typeof FUNCTIONS, 'attentionGradient' | 'additiveAttentionGradient'
 *   | 'multiHeadAttentionGradient' | 'linear' | 'linearGradient' | 'rotary' | 'softmax' | 'logSoftmax'
 *   | 'logSumExp' | 'softmaxJacobian' | 'softmaxGradient' | 'entropy' | 'effectiveKeys' | 'jacobianTrace'
 *   | 'roundToFloat16' | 'roundToBFloat16' | 'softmaxFloat16' | 'randomNormal' | 'randomUniform'
 *   | 'describe' | 'diagnose'>} Others
 */

/**
 * Returns the functions whose result depends on the option `returns`.
 *
 * @param {(name: string, args: any[]) => Promise<any>} call
 */
const forwardOf = (call) => ({
  /**
   * @template {Extra | readonly Extra[] | undefined} [const A=readonly []]
   * @param {TensorLike} query
   * @param {TensorLike} key
   * @param {TensorLike} value
   * @param {CallOptions & AttentionOptions & ({ returns: A } | { returns?: undefined })} [options]
   * @returns {Promise<Returned<A, Results>>}
   */
  attention: (query, key, value, options) => call('attention', [query, key, value, options]),

  /**
   * @template {Extra | readonly Extra[] | undefined} [const A=readonly []]
   * @param {TensorLike} query
   * @param {TensorLike} key
   * @param {CallOptions & ScoreOptions & ({ returns: A } | { returns?: undefined })} [options]
   * @returns {Promise<Returned<A, ScoreResults>>}
   */
  attentionScores: (query, key, options) => call('attentionScores', [query, key, options]),

  /**
   * @template {AdditiveExtra | readonly AdditiveExtra[] | undefined} [const A=readonly []]
   * @param {TensorLike} query
   * @param {TensorLike} key
   * @param {TensorLike} value
   * @param {CallOptions & AdditiveOptions & ({ returns: A } | { returns?: undefined })} options
   * @returns {Promise<Returned<A, AdditiveResults>>}
   */
  additiveAttention: (query, key, value, options) =>
    call('additiveAttention', [query, key, value, options]),

  /**
   * @template {LayerExtra | readonly LayerExtra[] | undefined} [const A=readonly []]
   * @param {TensorLike} x
   * @param {MultiHeadParameters} parameters
   * @param {CallOptions & MultiHeadOptions & ({ returns: A } | { returns?: undefined })} options
   * @returns {Promise<Returned<A, LayerResults>>}
   */
  multiHeadAttention: (x, parameters, options) =>
    call('multiHeadAttention', [x, parameters, options]),
});

/**
 * The functions of the package that compute, each with a promise for its result, of the same bits as one
 * thread gives. `size` is the number of workers, 0 where none may start: known after the first call.
 * After `dispose` every call rejects with a BackendError, and so do those that wait.
 *
 * @typedef {{ [Name in keyof Others]: Asynchronous<Others[Name]> } & ReturnType<typeof forwardOf>
 *   & { readonly size: number, dispose: () => void }} Pool
 */

/** The most workers that a pool starts by itself, and at all. */
const [MOST_BY_DEFAULT, MOST] = [8, 64];

/**
 * Returns a pool of workers that compute the functions of the package. It starts them at its first call.
 *
 * Work is cut by items, heads and blocks of queries, where that leaves every bit as it is; a call that
 * cannot be cut is one worker's. Small calls are computed by the caller's thread, which is faster. Inputs
 * are copied once for each worker that needs them, and must stay as they are until the promise settles;
 * arrays of `into` are written before it does. A failed worker rejects its call with a BackendError and is
 * replaced.
 *
 * Workers need a policy with `worker-src blob:` where there is one, and Node 20.16. Where they may not
 * start, the caller's thread computes in slices of a few milliseconds.
 *
 * @param {PoolOptions} [options]
 * @returns {Pool}
 * @throws {DTypeError} for an unknown option or value
 * @example
 * const pool = createPool({ workers: 2 });
 * const x = randomNormal([8, 512, 64], { seed: 1 });
 * const { output } = await pool.attention(x, x, x, { causal: true });
 * output.shape; // [8, 512, 64]
 * pool.dispose();
 */
export function createPool(options) {
  const caller = 'createPool';
  const given = readOptions(caller, options, ['workers', 'backend']);
  const usual = Math.min(Math.max(concurrency() - 1, 1), MOST_BY_DEFAULT);
  const workers = readInteger(caller, 'workers', given.workers, 0, usual);
  if (workers > MOST) reject(caller, 'workers', workers, `at most ${MOST}`);
  const pool = new Workers(workers, readChoice(caller, 'backend', given.backend, BACKENDS));
  const call = (/** @type {string} */ name, /** @type {any[]} */ args) => pool.call(name, args);
  const methods = Object.keys(METHODS).map((name) => [
    name,
    (/** @type {any[]} */ ...args) => call(name, args),
  ]);
  return Object.freeze({
    ...Object.fromEntries(methods),
    ...forwardOf(call),
    get size() {
      return pool.size;
    },
    dispose: () => pool.dispose(),
  });
}
