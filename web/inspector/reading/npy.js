// The format .npy of NumPy (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): six
// bytes of magic, a version, the length of a header, the header as a Python dictionary, the numbers.

import { DTypeError } from '../../attention/errors.js';
import { showShape } from '../../attention/shape.js';
import { times } from '../../shared/times.js';
import { bytesOf, decode, expectBytes } from './numbers.js';

/**
 * @import { NumberType } from './numbers.js'
 * @import { FileTensor } from './read.js'
 */

const MAGIC = '\x93NUMPY';
/** Far beyond what NumPy writes, which is about 128 bytes for arrays of numbers. */
const LONGEST_HEADER = 2 ** 16;
/** The most axes of an array. */
const MOST_AXES = 32;

/** The types by the name that NumPy gives them, without the order of bytes. @type {Record<string, NumberType>} */
const TYPES = {
  f2: 'f16',
  f4: 'f32',
  f8: 'f64',
  i1: 'i8',
  i2: 'i16',
  i4: 'i32',
  i8: 'i64',
  u1: 'u8',
  u2: 'u16',
  u4: 'u32',
  u8: 'u64',
  b1: 'bool',
};

/** Returns whether bytes begin like a file of this format. @param {Uint8Array} bytes */
export const isNpy = (bytes) => String.fromCharCode(...bytes.subarray(0, 6)) === MAGIC;

/**
 * Reads an array.
 * @param {string} name  of the array, for messages
 * @param {Uint8Array} bytes  of the file
 * @returns {FileTensor | string[]} a list of texts where it holds texts
 */
export function readNpy(name, bytes) {
  const { text, start } = headerOf(name, bytes);
  const { type, isFortran, shape } = parseHeader(name, text);
  const body = bytes.subarray(start);
  const isBigEndian = type.startsWith('>');
  const kind = type.replace(/^[<>|=]/, '');
  if (/^[US]\d{1,4}$/.test(kind)) {
    const length = Number(kind.slice(1));
    return decodeTexts(name, body, { shape, length, isBigEndian, isBytes: kind[0] === 'S' });
  }
  if (kind === 'O') {
    throw new DTypeError(
      `${name} holds objects of Python (dtype=object), expected floats, integers, booleans or texts: save texts as np.array(texts, dtype=str), and arrays of several shapes one by one`,
    );
  }
  if (!Object.hasOwn(TYPES, kind)) {
    throw new DTypeError(
      `${name} has the type '${type}', expected floats, integers, booleans or texts: save it as float32`,
    );
  }
  expectBytes(name, shape, bytesOf(TYPES[kind]), body.length);
  const data = decode(body, TYPES[kind], { isBigEndian });
  return { data: isFortran ? toRowMajor(data, shape) : data, shape };
}

/** Returns the header, and where the numbers begin. @param {string} name @param {Uint8Array} bytes */
function headerOf(name, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[6];
  const start = version === 1 ? 10 : 12;
  if (!(version >= 1 && version <= 3) || bytes.length < start) {
    throw new DTypeError(
      `${name} has version ${version} and ${bytes.length} bytes, expected version 1 to 3 of the format .npy and a header`,
    );
  }
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > Math.min(LONGEST_HEADER, bytes.length - start)) {
    throw new DTypeError(
      `${name} announces a header of ${length} bytes, expected at most ${Math.min(LONGEST_HEADER, bytes.length - start)}`,
    );
  }
  const text = new TextDecoder().decode(bytes.subarray(start, start + length));
  return { text, start: start + length };
}

/** Parses the dictionary of a header. @param {string} name @param {string} text */
function parseHeader(name, text) {
  const type = /'descr'\s*:\s*'([^']{1,16})'/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const axes = /'shape'\s*:\s*\(([\dL,\s]{0,512})\)/.exec(text)?.[1];
  if (type === undefined || order === undefined || axes === undefined) {
    throw new DTypeError(
      `${name} has a header without a plain type, order and shape, expected an array of numbers`,
    );
  }
  const shape = axes
    .split(',')
    .filter((axis) => axis.trim())
    .map((axis) => Number(axis.replace(/L\s*$/, ''))); // as NumPy of Python 2 wrote them
  if (shape.length > MOST_AXES || !shape.every(Number.isSafeInteger)) {
    throw new DTypeError(`${name} has the shape (${axes}), expected at most ${MOST_AXES} integers`);
  }
  return { type, isFortran: order === 'True', shape };
}

/**
 * Reorders numbers whose first index moves fastest.
 * @param {FileTensor['data']} data
 * @param {readonly number[]} shape
 */
function toRowMajor(data, shape) {
  const result = data.slice();
  const index = shape.map(() => 0);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((a, b) => a * b, 1));
  for (let i = 0, from = 0; i < result.length; i++) {
    result[i] = data[from];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] += 1;
      from += strides[axis];
      if (index[axis] < shape[axis]) break;
      from -= index[axis] * strides[axis];
      index[axis] = 0;
    }
  }
  return result;
}

/**
 * Decodes texts of a fixed length, filled up with zeros: UTF-32 characters, or bytes of UTF-8.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {{ shape: number[], length: number, isBigEndian: boolean, isBytes: boolean }} options  length: of
 *   each text, in characters or bytes
 * @returns {string[]}
 */
function decodeTexts(name, bytes, { shape, length, isBigEndian, isBytes }) {
  const count = Math.max(1, ...shape);
  const isList = shape.reduce((product, axis) => product * axis, 1) === count;
  // Texts without characters take no bytes, which then would not bound their number.
  if (!isList || length === 0) {
    throw new DTypeError(
      `${name} has texts of ${length} characters in the shape ${showShape(shape)}, expected at least 1 in one list`,
    );
  }
  expectBytes(name, shape, isBytes ? length : 4 * length, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return times(count, (i) => {
    if (isBytes) return bytesAsText(bytes.subarray(i * length, (i + 1) * length));
    let text = '';
    for (let k = 0; k < length; k++) {
      const code = view.getUint32(4 * (i * length + k), !isBigEndian);
      if (code) text += code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
    }
    return text;
  });
}

/** Decodes UTF-8 without the zeros at its end. @param {Uint8Array} bytes */
const bytesAsText = (bytes) => new TextDecoder().decode(bytes).replace(/\0+$/, '');
