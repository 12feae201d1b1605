/**
 * The work that the parts of a call consist of, in a worker or on the thread of the caller. Arguments and
 * values are data that `postMessage` can send.
 */
import { attendHeads as attendAdditively } from '../attention/additive-kernel.js';
import { differentiateHeads as differentiateAdditively } from '../attention/additive-kernel.js';
import { attendHeads, differentiateHeads } from '../attention/attention-kernel.js';
import { CapacityError } from '../attention/errors.js';
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { computeLayer, differentiateLayer } from '../attention/layer-kernel.js';
import { clearResults } from '../attention/results.js';
import { countOf, showShape } from '../attention/shape.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @import { Buffers } from './buffers.js'
 */

/** @typedef {Record<string, any>} Data arguments of a part: numbers, typed arrays, objects of them */
/** @typedef {keyof typeof WORKS} Work */

/**
 * Makes arrays for results.
 *
 * @param {Data} data
 * @param {Buffers} buffers
 * @returns {any} tensors by the names of the shapes, content arbitrary
 */
function makeTensors({ caller, shapes }, buffers) {
  /** @type {Record<string, Tensor>} */
  const tensors = {};
  for (const name of Object.keys(shapes)) {
    const shape = shapes[name];
    tensors[name] = { data: makeArray(caller, shape, buffers), shape };
  }
  return tensors;
}

/** Makes an array of a shape. @param {string} caller @param {number[]} shape @param {Buffers} buffers */
function makeArray(caller, shape, buffers) {
  try {
    return new Float32Array(buffers.take(4 * countOf(shape)));
  } catch {
    throw new CapacityError(
      `${caller}: the engine refuses memory for a part of ${showShape(shape)}`,
    );
  }
}

/** Each computes on a kernel and returns its value. */
const WORKS = {
  /** @param {Kernel} kernel @param {Data} data @param {Buffers} buffers */
  attend(kernel, data, buffers) {
    const { additive, inputs, settings } = data;
    const results = makeTensors(data, buffers);
    if (additive) attendAdditively(kernel, inputs, settings, results);
    else attendHeads(kernel, inputs, settings, results);
    return results;
  },

  /** @param {Kernel} kernel @param {Data} data @param {Buffers} buffers */
  differentiate(kernel, data, buffers) {
    const { additive, inputs, upstream, settings } = data;
    const results = makeTensors(data, buffers);
    const sums = additive
      ? { dSinks: differentiateAdditively(kernel, inputs, upstream, settings, results) }
      : differentiateHeads(kernel, inputs, upstream, settings, results);
    return { ...results, ...sums };
  },

  /** @param {Kernel} kernel @param {Data} data @param {Buffers} buffers */
  layer(kernel, data, buffers) {
    const results = makeTensors(data, buffers);
    computeLayer(kernel, data.layer, results);
    return results;
  },

  /** @param {Kernel} kernel @param {Data} data @param {Buffers} buffers */
  differentiateLayer(kernel, data, buffers) {
    const results = makeTensors(data, buffers);
    clearResults({ dX: results.dX, dContext: results.dContext });
    const dSinks = differentiateLayer(kernel, data.layer, data.upstream, results);
    return { ...results, dSinks };
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
 * @param {Buffers} buffers for results
 * @returns {any}
 */
export function perform(kernel, work, data, buffers) {
  return kernel.run(data.caller, () => WORKS[work](kernel, data, buffers));
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
