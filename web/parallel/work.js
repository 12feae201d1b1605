/**
 * The work that the parts of a call consist of, in a worker or on the thread of the caller. Arguments and
 * values are data that `postMessage` can send.
 */
import { attendHeads as attendAdditively } from '../attention/additive-kernel.js';
import { differentiateHeads as differentiateAdditively } from '../attention/additive-kernel.js';
import { attendHeads, differentiateHeads } from '../attention/attention-kernel.js';
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { computeLayer, differentiateLayer } from '../attention/layer-kernel.js';
import { allocate } from '../attention/results.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Tensor } from '../attention/tensor.js'
 */

/** @typedef {Record<string, any>} Data arguments of a part: numbers, typed arrays, objects of them */
/** @typedef {keyof typeof WORKS} Work */

/**
 * Makes fresh arrays for results.
 *
 * @param {string} caller
 * @param {Record<string, number[]>} shapes by name
 * @returns {any} tensors of zeros by the same names
 */
function makeTensors(caller, shapes) {
  /** @type {Record<string, Tensor>} */
  const tensors = {};
  for (const name of Object.keys(shapes)) {
    tensors[name] = { data: allocate(caller, shapes[name]), shape: shapes[name] };
  }
  return tensors;
}

/** Each computes on a kernel and returns its value. */
const WORKS = {
  /** @param {Kernel} kernel @param {Data} data */
  attend(kernel, { caller, additive, inputs, settings, shapes }) {
    const results = makeTensors(caller, shapes);
    if (additive) attendAdditively(kernel, inputs, settings, results);
    else attendHeads(kernel, inputs, settings, results);
    return results;
  },

  /** @param {Kernel} kernel @param {Data} data */
  differentiate(kernel, { caller, additive, inputs, upstream, settings, shapes }) {
    const results = makeTensors(caller, shapes);
    const sums = additive
      ? { dSinks: differentiateAdditively(kernel, inputs, upstream, settings, results) }
      : differentiateHeads(kernel, inputs, upstream, settings, results);
    return { ...results, ...sums };
  },

  /** @param {Kernel} kernel @param {Data} data */
  layer(kernel, { caller, layer, shapes }) {
    const results = makeTensors(caller, shapes);
    computeLayer(kernel, layer, results);
    return results;
  },

  /** @param {Kernel} kernel @param {Data} data */
  differentiateLayer(kernel, { caller, layer, upstream, shapes }) {
    const results = makeTensors(caller, shapes);
    return { ...results, dSinks: differentiateLayer(kernel, layer, upstream, results) };
  },

  /** Calls a function of the package; `args` has its arguments by their places.
   *  @param {Kernel} kernel @param {Data} data */
  call(kernel, { caller, args }) {
    const method = Reflect.get(FUNCTIONS, caller);
    return withKernel(kernel, () => method(...Object.values(args)));
  },
};

/**
 * Does a part of a call.
 *
 * @param {Kernel} kernel
 * @param {Work} work
 * @param {Data} data
 * @returns {any}
 */
export function perform(kernel, work, data) {
  return kernel.run(data.caller, () => WORKS[work](kernel, data));
}

/**
 * Returns the arguments of a part: its own, and those that it has in common with others.
 *
 * @param {Data} shared
 * @param {Data} own
 * @returns {Data}
 */
export function merge(shared, own) {
  /** @type {Data} */
  const data = { ...own };
  for (const name of Object.keys(shared)) data[name] = { ...shared[name], ...own[name] };
  return data;
}

/**
 * Collects the buffers of all typed arrays in a value, to be transferred.
 *
 * @param {any} value
 * @param {ArrayBuffer[]} transfers added to
 * @param {(array: any) => any} [take] returns the array to send, by default the one that is there
 * @returns {any} the value with these arrays
 */
export function pack(value, transfers, take = (array) => array) {
  if (ArrayBuffer.isView(value)) {
    const array = take(value);
    transfers.push(array.buffer);
    return array;
  }
  if (Array.isArray(value)) return value.map((entry) => pack(entry, transfers, take));
  if (typeof value !== 'object' || value === null) return value;
  /** @type {Data} */
  const packed = {};
  for (const name of Object.keys(value)) packed[name] = pack(value[name], transfers, take);
  return packed;
}
