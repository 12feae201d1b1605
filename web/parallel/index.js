/**
 * attention-lab/parallel: the functions of the package in workers, so that a page stays responsive and all
 * processors compute. No SharedArrayBuffer, no header and no file: the workers are text in this module.
 * No side effects at import; a pool starts its workers at its first call.
 */
import { reject } from '../attention/errors.js';
import * as FUNCTIONS from '../attention/functions.js';
import { backends } from '../attention/kernel/backends.js';
import { readChoice, readInteger, readOptions } from '../attention/options.js';
import { Pool as Workers } from './pool.js';
import { concurrency } from './threads.js';

/**
 * @import { Backend } from '../attention/kernel/backends.js'
 * @import { Asking, Returned } from '../attention/results.js'
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

/** The last of some parameters. @template A
 *  @typedef {Required<A> extends [...unknown[], infer O] ? O : never} Last */

/** The index of the last of some parameters. @template A
 *  @typedef {Required<A> extends [unknown, ...infer B] ? `${B['length'] & number}` : never} LastIndex */

/**
 * Parameters of a function of a pool: its options, of type O, also take those of the call, and a function without
 * options, whose last parameter may be an array, takes them alone.
 *
 * @template {unknown[]} A
 * @template [O=Last<A>]
 * @typedef {[] extends Last<A> ? [...args: A, options?: CallOptions]
 *   : { [I in keyof A]: I extends LastIndex<A> ? O & CallOptions : A[I] }} Called
 */

/** The names of results that a call may leave out. @template R
 *  @typedef {keyof { [Name in keyof R & string as {} extends Pick<R, Name> ? Name : never]: R[Name] }} Optional */

/** The names that an option `returns` takes, where there is one. @template O  @template R
 *  @typedef {O extends { returns?: unknown } ? ('returns' extends keyof O ? Optional<R> : never) : never} Names */

/**
 * A function of a pool. Where results depend on the option `returns`, their type does too.
 *
 * @template F
 * @typedef {F extends (...args: infer A) => infer R ? [Names<Last<A>, R>] extends [never]
 *   ? (...args: Called<A>) => Promise<R> : Returning<A, R, Names<Last<A>, R>> : never} Asynchronous
 */

/**
 * @template {unknown[]} A
 * @template R
 * @template {string} E
 * @typedef {<const N extends string | readonly string[] | undefined = readonly []>(
 *   ...args: Called<A, Asking<Omit<Last<A>, 'returns'> & { returns?: E | readonly E[] }, N, E>>)
 *   => Promise<Returned<N, R>>} Returning
 */

/**
 * The functions of the package, each with a promise for its result, of the same bits as one thread gives.
 * `size` is the number of workers, 0 where none may start: known after the first call. After `dispose` every
 * call rejects with a BackendError, and so do those that wait.
 *
 * @typedef {{ [Name in keyof typeof FUNCTIONS]: Asynchronous<(typeof FUNCTIONS)[Name]> }
 *   & { readonly size: number, dispose: () => void }} Pool
 */

/** The most workers that a pool starts by itself, and at all. */
const [MOST_BY_DEFAULT, MOST] = [8, 64];

/**
 * Returns a pool of workers that compute the functions of the package. It starts them at its first call.
 *
 * Calls of attention are divided by items, heads and blocks of queries, where that leaves every bit as it is;
 * any other call is one worker's. Small calls are computed by the caller's thread, which is faster. Inputs
 * are copied once for each worker that needs them, and must stay as they are until the promise settles;
 * arrays of `into` are written before it does. A failed worker rejects its call with a BackendError and is
 * replaced. Between calls up to 64 MB stay for copies, until `dispose`.
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
  const pool = new Workers(workers, readChoice(caller, 'backend', given.backend, backends()));
  const methods = Object.keys(FUNCTIONS).map((name) => [
    name,
    (/** @type {unknown[]} */ ...args) => pool.call(name, args),
  ]);
  return Object.freeze({
    .../** @type {Pool} */ (Object.fromEntries(methods)),
    get size() {
      return pool.size;
    },
    dispose: () => pool.dispose(),
  });
}
