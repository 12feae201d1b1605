/**
 * How a function of the package works, in steps that may run on different threads: the thread that calls reads
 * the arguments and makes the results, a kernel computes, and the thread that calls finishes. With `cuts`
 * and `places` the kernels of several workers can each compute a part (attention-lab/parallel).
 */
import { run } from './kernel/active.js';

/** @import { Kernel } from './kernel/active.js' */

/** @typedef {readonly [first: number, end: number]} Range from the first to before the last */

/** The items, heads of query and queries that a part of a call has.
 *  @typedef {{ items: Range, heads: Range, queries: Range }} Box */

/** Sizes of a whole call; a function of rows has an item for each row, of one head and query.
 *  @typedef {{ batch: number, heads: number, kvHeads: number, nQ: number }} Sizes */

/**
 * The first axes of an array, which say what of it belongs to a box: 'queries' [batch, heads, n_q, …],
 * 'itemQueries' [batch, n_q, …], 'heads' [batch, heads, …], 'keys' [batch, kvHeads, …], 'items' [batch, …].
 * 'queries' may have blocks of queries in the place of n_q, if `step` takes a whole number of them.
 *
 * @typedef {'queries' | 'itemQueries' | 'heads' | 'keys' | 'items'} Axes
 */

/**
 * How every entry of an object is cut for a box: an array by its axes (null stays null), others by a function
 * or by the cuts of their own entries. 'same' goes to all workers as it is, 'here' to none.
 *
 * @template T
 * @typedef {{ [Name in keyof T]-?: 'same' | 'here'
 *   | ((value: Exclude<T[Name], undefined>, box: Box, sizes: Sizes) => T[Name])
 *   | (T[Name] extends Float32Array | null ? Axes
 *     : T[Name] extends readonly unknown[] | ArrayBufferView ? never
 *     : T[Name] extends object ? Cuts<T[Name]> : never) }} Cuts
 */

/** Cuts of an object whose entries are not known. @typedef {Cuts<any>} AnyCuts */

/** Float64 sums of each head of the batch, [batch, heads].
 *  @typedef {Record<string, Float64Array>} Sums */

/**
 * A call whose arguments have been read. `data` are plain: numbers, arrays, objects of them. `results` are
 * tensors by name, final already where the call `isEmpty`; `into` is the option. `step`, if any, is that of the
 * work for this call.
 *
 * @template [D=any]
 * @template [R=any]
 * @typedef {{ data: D, results: R, sizes: Sizes, operations: number, isEmpty: boolean,
 *   into: unknown, step?: number }} Prepared
 */

/**
 * Where a result of a part belongs, by its axes; 'here' is one that `finish` fills.
 *
 * @template R
 * @typedef {{ readonly [Name in keyof R]?: Axes | 'here' }} Places
 */

/**
 * The steps of a function. `compute` fills the results, of a whole call or of a part, whose arrays have
 * arbitrary content. `finish` returns what the function returns, by default the results.
 *
 * A result whose axes `places` lacks is a sum over everything: then the call is one part, as without `cuts`.
 * Blocks of queries begin at multiples of `step`, where the kernel's own do, so that every bit stays.
 *
 * @template [D=any]
 * @template [R=any]
 * @typedef {{
 *   prepare(caller: string, ...args: any[]): Prepared<D, R>,
 *   compute(kernel: Kernel, data: D, results: R): Sums | void,
 *   finish?(call: Prepared<D, R>, sums: Sums): unknown,
 *   cuts?: Cuts<D>,
 *   places?: Places<R>,
 *   step?: number,
 * }} Work
 */

/**
 * Does the work of a function at once.
 *
 * @param {Work} work
 * @param {string} caller the public function, for messages
 * @param {readonly unknown[]} args
 * @returns {any} what the function returns
 */
export function perform(work, caller, args) {
  const call = work.prepare(caller, ...args);
  return complete(work, call, (compute) => run(caller, compute));
}

/**
 * Computes a prepared call, unless it is empty, and finishes it.
 *
 * @param {Work} work
 * @param {Prepared} call
 * @param {(compute: (kernel: Kernel) => Sums | void) => Sums | void} onKernel runs it on a kernel
 * @returns {any}
 */
export function complete(work, call, onKernel) {
  const { data, results, isEmpty } = call;
  const sums = isEmpty ? {} : onKernel((kernel) => work.compute(kernel, data, results));
  return finish(work, call, sums ?? {});
}

/**
 * Returns what a function returns, once its results are filled.
 *
 * @param {Work} work
 * @param {Prepared} call
 * @param {Sums} sums of all heads, none where the call is empty
 * @returns {any}
 */
export const finish = (work, call, sums) => (work.finish ? work.finish(call, sums) : call.results);

/** Returns the number of entries of a range. @param {Range} range */
export const extentOf = ([first, end]) => end - first;

/** Returns the heads of key and value that a box meets. @param {Box} box @param {Sizes} sizes @returns {Range} */
export function keyHeads({ heads: [first, end] }, { heads, kvHeads }) {
  const shared = heads / kvHeads;
  return [Math.floor(first / shared), Math.ceil(end / shared)];
}

/** Sizes of a call with many items alone. @param {number} batch @returns {Sizes} */
export const itemSizes = (batch) => ({ batch, heads: 1, kvHeads: 1, nQ: 1 });
