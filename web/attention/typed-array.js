/**
 * Typed arrays of any realm, subclass or buffer, looked at through the intrinsic getters: no code
 * of the array's own runs, and what only looks like one (a Proxy) is not mistaken for one.
 */

const prototype = Object.getPrototypeOf(Uint8Array.prototype);

/** @param {string | symbol} key @returns {(this: unknown) => any} */
function intrinsic(key) {
  const property = Object.getOwnPropertyDescriptor(prototype, key);
  return /** @type {{ get: () => any }} */ (property).get;
}

const tag = intrinsic(Symbol.toStringTag);
const buffer = intrinsic('buffer');
const byteOffset = intrinsic('byteOffset');
const length = intrinsic('length');
const { keys } = prototype;

/**
 * 'Float32Array' and so on; undefined for everything that is not a typed array.
 *
 * @param {unknown} value
 * @returns {string | undefined}
 */
export const typedArrayName = (value) => tag.call(value);

/** @param {ArrayBufferView} array @returns {number} */
export const lengthOf = (array) => length.call(array);

/**
 * The same memory as a plain array of this realm.
 *
 * @template T
 * @param {new (buffer: ArrayBufferLike, byteOffset: number, length: number) => T} Type
 * @param {ArrayBufferView} array with entries of the same size
 * @returns {T}
 */
export const viewOf = (Type, array) =>
  new Type(buffer.call(array), byteOffset.call(array), length.call(array));

/**
 * Whether the array's buffer was transferred away, or has shrunk until the array lies outside of
 * it. Such an array shows a length of 0; only what needs its entries tells.
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
