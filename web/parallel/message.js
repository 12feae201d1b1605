/**
 * Values on their way between threads: plain data in memory of their own, which moves instead of being copied.
 */
import { isObject } from '../shared/keys.js';

/** @import { Take } from './memory.js' */

/** The fields of tensors, also of other libraries, whose classes may have them as getters. */
const TENSOR = ['data', 'shape', 'dims', 'type', 'dtype', 'location'];

/**
 * Copies arguments so that the copy can be sent: every typed array gets memory of its own.
 *
 * @param {unknown} value
 * @param {Take} take
 * @returns {unknown}
 * @throws {TypeError} for an instance of a class that is no tensor, which would lose its methods on the way
 */
export function copyOf(value, take) {
  const copy = (/** @type {unknown} */ part) => copyOf(part, take);
  if (ArrayBuffer.isView(value)) return copyOfArray(value, take);
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(copy) : value;
  if (!isObject(value)) return value;
  const isTensor = value.data !== undefined && value.location !== 'gpu-buffer';
  if (!isPlain(value) && !isTensor) throw new TypeError('an instance of a class cannot be sent');
  const names = isPlain(value) ? Object.keys(value) : TENSOR;
  return Object.fromEntries(names.map((name) => [name, copy(value[name])]));
}

/** Copies a typed array, of any realm. @param {ArrayBufferView} array @param {Take} take @returns {ArrayBufferView} */
function copyOfArray({ constructor, buffer, byteOffset, byteLength }, take) {
  const memory = take(byteLength);
  new Uint8Array(memory).set(new Uint8Array(buffer, byteOffset, byteLength));
  return Reflect.construct(constructor, [memory]);
}

/**
 * Lists the buffers of all typed arrays in a value, to be moved.
 *
 * @param {unknown} value
 * @returns {ArrayBuffer[]}
 */
export function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {ArrayBuffer} */ (value.buffer)];
  return isObject(value) ? Object.values(value).flatMap(buffersOf) : [];
}

/** Returns whether an object is one of no class, of any realm. @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
