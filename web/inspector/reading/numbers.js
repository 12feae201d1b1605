// Numbers as files hold them: their types, and how they become float32.

import { DTypeError } from '../../attention/errors.js';
import { readTensor } from '../../attention/read.js';
import { showShape } from '../../attention/shape.js';

/**
 * @typedef {'f16' | 'bf16' | 'f32' | 'f64' | 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64' | 'bool'} NumberType
 */

/** The array that has the bytes of each type as its entries. */
const ARRAYS = {
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  bool: Uint8Array,
};

/** Returns the bytes of a number. @param {NumberType} type */
export const bytesOf = (type) => ARRAYS[type].BYTES_PER_ELEMENT;

/**
 * Decodes numbers.
 * @param {Uint8Array} bytes  whole numbers of the type, and no more
 * @param {NumberType} type
 * @param {{ isBigEndian?: boolean }} [options]
 * @returns {Float32Array | Uint8Array} rounded to float32, or the bytes of booleans; fresh
 */
export function decode(bytes, type, { isBigEndian = false } = {}) {
  const copy = bytes.slice(); // begins where every type may begin
  const size = bytesOf(type);
  if (isBigEndian) {
    for (let at = 0; at < copy.length; at += size) copy.subarray(at, at + size).reverse();
  }
  const numbers = new ARRAYS[type](copy.buffer);
  if (type === 'f16' || type === 'bf16') {
    const dtype = type === 'f16' ? 'float16' : 'bfloat16';
    return readTensor('decode', 'numbers', { data: numbers, shape: [numbers.length], dtype }).data;
  }
  if (numbers instanceof Float32Array) return numbers;
  if (type === 'bool') return copy;
  const floats = new Float32Array(numbers.length);
  for (let i = 0; i < floats.length; i++) floats[i] = Number(numbers[i]);
  return floats;
}

/**
 * Expects that a file which claims numbers of a shape has the bytes for them.
 * @param {string} what  the array, for messages
 * @param {readonly number[]} shape
 * @param {number} size  of an entry, in bytes
 * @param {number} available  bytes of the file that are left for them
 */
export function expectBytes(what, shape, size, available) {
  const bytes = shape.reduce((product, axis) => product * axis, size);
  if (bytes === available) return;
  throw new DTypeError(
    `${what} of shape ${showShape(shape)} takes ${bytes} bytes, but the file has ${available} for it`,
  );
}
