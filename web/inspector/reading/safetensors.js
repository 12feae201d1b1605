// The format .safetensors (https://github.com/huggingface/safetensors): the length of a header as an
// unsigned integer of 64 bits, the header as JSON, the numbers.

import { DTypeError, show } from '../../attention/errors.js';
import { isObject } from '../../shared/keys.js';
import { parseJson } from './json.js';
import { bytesOf, decode, expectBytes } from './numbers.js';

/**
 * @import { NumberType } from './numbers.js'
 * @import { FileArray, FileTensor } from './read.js'
 */

const START = 8;
/** The limit of the format itself. */
const LONGEST_HEADER = 100_000_000;
const MOST_AXES = 32;

/** @type {Record<string, NumberType>} */
const TYPES = {
  F16: 'f16',
  BF16: 'bf16',
  F32: 'f32',
  F64: 'f64',
  I8: 'i8',
  I16: 'i16',
  I32: 'i32',
  I64: 'i64',
  U8: 'u8',
  U16: 'u16',
  U32: 'u32',
  U64: 'u64',
  BOOL: 'bool',
};

/** Returns whether bytes begin like a file of this format: text has no zero. @param {Uint8Array} bytes */
export const isSafetensors = (bytes) =>
  bytes[START] === 0x7b && bytes.subarray(0, START).includes(0);

/**
 * Opens a file.
 * @param {Uint8Array} bytes
 * @returns {{ arrays: FileArray[], metadata: Record<string, unknown> }}
 */
export function openSafetensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getBigUint64(0, true);
  const most = Math.min(LONGEST_HEADER, bytes.length - START);
  if (length > BigInt(most)) {
    throw new DTypeError(
      `the file announces a header of ${length} bytes, expected at most ${most} in a .safetensors of ${bytes.length}`,
    );
  }
  const end = START + Number(length);
  const header = parseJson(bytes.subarray(START, end), 'the header');
  if (!isObject(header) || Array.isArray(header)) {
    throw new DTypeError('the header is no object, expected the tensors of a .safetensors file');
  }
  const { __metadata__: metadata, ...tensors } = header;
  const arrays = Object.entries(tensors).map(([name, entry]) => ({
    name,
    read: async () => readTensor(name, entry, bytes.subarray(end)),
  }));
  return { arrays, metadata: Object(metadata) };
}

/** Returns whether a value is a list of whole numbers from 0. @param {unknown} list @returns {list is number[]} */
const isSizes = (list) =>
  Array.isArray(list) && list.every((each) => Number.isSafeInteger(each) && each >= 0);

/**
 * Reads a tensor.
 * @param {string} name
 * @param {unknown} entry  of the header
 * @param {Uint8Array} body  all bytes after the header
 * @returns {FileTensor}
 */
function readTensor(name, entry, body) {
  const { dtype, shape, data_offsets: offsets } = Object(entry);
  if (!isSizes(shape) || shape.length > MOST_AXES || !isSizes(offsets) || offsets.length !== 2) {
    throw new DTypeError(
      `${name} has no shape of at most ${MOST_AXES} axes or no two offsets, expected a tensor of a .safetensors file`,
    );
  }
  const [from, to] = offsets;
  if (from > to || to > body.length) {
    throw new DTypeError(
      `${name} lies from ${from} to ${to}, expected offsets within the ${body.length} bytes after the header`,
    );
  }
  if (typeof dtype !== 'string' || !Object.hasOwn(TYPES, dtype)) {
    throw new DTypeError(
      `${name} has the type ${show(dtype)}, expected one of ${Object.keys(TYPES).join(', ')}`,
    );
  }
  expectBytes(name, shape, bytesOf(TYPES[dtype]), to - from);
  return { data: decode(body.subarray(from, to), TYPES[dtype]), shape };
}
