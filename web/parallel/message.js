/**
 * Values on their way between threads: plain data in memory of their own, which moves instead of being copied.
 */
import { isObject } from '../shared/keys.js';

/** The fields of tensors, also of other libraries, whose classes may have them as getters. */
const TENSOR = ['data', 'shape', 'dims', 'type', 'dtype', 'location'];

/**
 * Copies arguments so that the copy can be sent: every typed array gets memory of its own.
 *
 * @param {unknown} value
 * @returns {unknown}
 * @throws {TypeError} for an instance of a class that is no tensor, which would lose its methods on the way
 */
export function copyOf(value) {
  if (ArrayBuffer.isView(value)) return copyOfArray(value);
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(copyOf) : value;
  if (!isObject(value)) return value;
  const isTensor = value.data !== undefined && value.location !== 'gpu-buffer';
  if (!isPlain(value) && !isTensor) throw new TypeError('an instance of a class cannot be sent');
  const names = isPlain(value) ? Object.keys(value) : TENSOR;
  return Object.fromEntries(names.map((name) => [name, copyOf(value[name])]));
}

/** Copies a typed array, of any realm. @param {ArrayBufferView} array @returns {ArrayBufferView} */
function copyOfArray({ constructor, buffer, byteOffset, byteLength }) {
  const memory = new Uint8Array(buffer, byteOffset, byteLength).slice();
  return Reflect.construct(constructor, [memory.buffer]);
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
