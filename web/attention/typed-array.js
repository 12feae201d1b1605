/**
 * Typed arrays of any realm, subclass or buffer, read through the intrinsic getters: no code of the array
 * itself runs, and an object that only looks like one (a Proxy) is not accepted.
 */

const prototype = Object.getPrototypeOf(Uint8Array.prototype);

/**
 * Returns an intrinsic getter of typed arrays.
 * @param {string | symbol} key
 * @returns {(this: unknown) => any}
 */
function intrinsic(key) {
  const property = Object.getOwnPropertyDescriptor(prototype, key);
  return /** @type {{ get: () => any }} */ (property).get;
}

/** @typedef {ArrayBufferView & ArrayLike<number | bigint>} TypedArray */

const tag = intrinsic(Symbol.toStringTag);
const buffer = intrinsic('buffer');
const byteLength = intrinsic('byteLength');
const byteOffset = intrinsic('byteOffset');
const length = intrinsic('length');
const { keys, set } = prototype;

/**
 * Returns 'Float32Array' and so on, and undefined for a value that is not a typed array.
 *
 * @param {unknown} value
 * @returns {string | undefined}
 */
export const typedArrayName = (value) => tag.call(value);

/** Returns whether a value is a typed array. @param {unknown} value @returns {value is TypedArray} */
export const isTypedArray = (value) => typedArrayName(value) !== undefined;

/**
 * Returns whether a value is a typed array of a type.
 *
 * @template {'Float32Array' | 'Uint8Array' | 'Uint16Array'} Name
 * @param {unknown} value
 * @param {Name} name
 * @returns {value is InstanceType<typeof globalThis[Name]>}
 */
export const isArrayOf = (value, name) => typedArrayName(value) === name;

/**
 * Returns the length of the memory, in entries.
 * @param {ArrayBufferView} array
 * @returns {number}
 */
export const lengthOf = (array) => length.call(array);

/**
 * Returns the same memory as a plain array of this realm.
 *
 * @template T
 * @param {new (buffer: ArrayBufferLike, byteOffset: number, length: number) => T} Type
 * @param {ArrayBufferView} array with entries of the same size
 * @returns {T}
 */
export const viewOf = (Type, array) =>
  new Type(buffer.call(array), byteOffset.call(array), length.call(array));

/**
 * Returns whether the array's buffer was transferred away, or has shrunk until the array lies outside
 * of it. Such an array shows a length of 0, and only an access to its entries distinguishes it.
 *
 * @param {ArrayBufferView} array
 * @returns {boolean}
 */
export function isDetached(array) {
  if (length.call(array) > 0) return false;
  try {
    keys.call(array);
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns whether two arrays share a byte of memory.
 *
 * @param {ArrayBufferView} a
 * @param {ArrayBufferView} b
 * @returns {boolean}
 */
export function overlap(a, b) {
  if (buffer.call(a) !== buffer.call(b)) return false;
  const [startA, startB] = [byteOffset.call(a), byteOffset.call(b)];
  return startA < startB + byteLength.call(b) && startB < startA + byteLength.call(a);
}

/**
 * Copies `source` into `target`, at `start`.
 *
 * @param {Float32Array} target
 * @param {Float32Array} source
 * @param {number} start
 */
export const copyInto = (target, source, start) => set.call(target, source, start);
