/**
 * Does parts of calls, in a worker or on the thread of the caller. Arguments and values are data that
 * `postMessage` can send.
 */
import { CapacityError } from '../attention/errors.js';
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { WORKS } from '../attention/works.js';
import { isObject } from '../shared/keys.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @import { Sums, Work } from '../attention/work.js'
 * @import { Buffers } from './buffers.js'
 */

/** @typedef {Record<string, unknown>} Data numbers, strings, typed arrays, arrays and objects of them */

/** A part as a worker receives it: of a function's work, or without `lengths` of results its whole call,
 *  whose arguments are `data.args`.
 *  @typedef {{ caller: string, data: Data, lengths?: Record<string, number> }} Task */

/** The value of a part of a function's work.
 *  @typedef {{ arrays: Record<string, Float32Array>, sums: Sums }} Filled */

/**
 * Does a part of a call.
 *
 * @param {Kernel} kernel
 * @param {Task} task
 * @param {Buffers} buffers for results
 * @returns {unknown} Filled, or what the function returns
 */
export function doPart(kernel, { caller, data, lengths }, buffers) {
  if (!lengths) {
    const args = /** @type {unknown[]} */ (data.args);
    return withKernel(kernel, () => Reflect.get(FUNCTIONS, caller)(...args));
  }
  /** @type {Work} */
  const work = Reflect.get(WORKS, caller);
  /** @type {Record<string, Tensor>} */
  const results = {};
  /** @type {Filled['arrays']} */
  const arrays = {};
  for (const [name, length] of Object.entries(lengths)) {
    const array = makeArray(caller, length, buffers);
    arrays[name] = array;
    results[name] = { data: array, shape: [length] };
  }
  const sums = kernel.run(caller, () => work.compute(kernel, data, results)) ?? {};
  return { arrays, sums };
}

/** Makes an array for a result, content arbitrary. @param {string} caller @param {number} length
 *  @param {Buffers} buffers */
function makeArray(caller, length, buffers) {
  try {
    return new Float32Array(buffers.take(4 * length));
  } catch {
    throw new CapacityError(`${caller}: the engine refuses memory for a part of ${length} numbers`);
  }
}

/**
 * Returns the data of a part: its own, and those that it has in common with others.
 *
 * @param {Data} shared
 * @param {Data} own
 * @returns {Data}
 */
export function merge(shared, own) {
  const data = { ...shared, ...own };
  for (const name of Object.keys(shared)) {
    const [common, rest] = [shared[name], own[name]];
    if (isObject(common) && isObject(rest)) data[name] = merge(common, rest);
  }
  return data;
}

/**
 * Collects the buffers of all typed arrays in a value, to be transferred.
 *
 * @param {unknown} value
 * @param {ArrayBuffer[]} transfers added to
 * @param {(array: ArrayBufferView) => ArrayBufferView} [take] returns the array to send, by default the one
 *   that is there
 * @returns {unknown} the value with these arrays
 * @throws {TypeError} for an instance of a class, which would lose its methods on the way
 */
export function pack(value, transfers, take = (array) => array) {
  if (ArrayBuffer.isView(value)) {
    const array = take(value);
    transfers.push(/** @type {ArrayBuffer} */ (array.buffer));
    return array;
  }
  if (Array.isArray(value)) return value.map((entry) => pack(entry, transfers, take));
  if (!isObject(value)) return value;
  if (!isPlain(value)) throw new TypeError('an instance of a class cannot be sent');
  return packEntries(value, transfers, take);
}

/** Packs the entries of an object. @param {Data} data @param {ArrayBuffer[]} transfers
 *  @param {(array: ArrayBufferView) => ArrayBufferView} [take] @returns {Data} */
export const packEntries = (data, transfers, take) =>
  Object.fromEntries(
    Object.entries(data).map(([name, entry]) => [name, pack(entry, transfers, take)]),
  );

/** Returns whether an object is one of no class, of any realm. @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
