/**
 * Files of models and trainers: eight bytes of magic, the length of a header, the header as JSON, then
 * numbers. Nothing in a file is trusted.
 */
import { DTypeError, expectAttached, reject, ShapeError } from '../attention/errors.js';
import { readEntries } from '../attention/options.js';
import { isArrayOf, viewOf } from '../attention/typed-array.js';
import { NUMBERS, VARIANTS } from './model.js';

/**
 * The bytes of a file, on memory that is no SharedArrayBuffer: what a Blob takes. Compilers before 5.7 have no other
 * name for it.
 *
 * @typedef {ReturnType<Uint8Array['slice']>} FileBytes
 */

const MAGIC_LENGTH = 8;
const START = MAGIC_LENGTH + 4;
const LONGEST_HEADER = 2 ** 22;

/**
 * Returns a file whose numbers are still to be written.
 * @param {string} caller
 * @param {string} magic
 * @param {object} header
 * @param {number} size of its numbers, in bytes
 * @returns {{ bytes: FileBytes, view: DataView, start: number }} start: where the numbers begin
 */
export function startFile(caller, magic, header, size) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  if (text.length > LONGEST_HEADER) {
    throw new ShapeError(
      `${caller}: the header takes ${text.length} bytes, expected at most ${LONGEST_HEADER}`,
    );
  }
  const start = START + text.length;
  const bytes = new Uint8Array(start + size);
  bytes.set(new TextEncoder().encode(magic));
  const view = new DataView(bytes.buffer);
  view.setUint32(MAGIC_LENGTH, text.length, true);
  bytes.set(text, START);
  return { bytes, view, start };
}

/**
 * Reads the header of a file.
 * @param {string} caller
 * @param {unknown} bytes
 * @param {string} magic
 * @param {string} writer the function that writes such files
 * @returns {{ header: Record<string, unknown>, view: DataView, start: number }} start: where the numbers begin
 */
export function openFile(caller, bytes, magic, writer) {
  const data = readBytes(caller, bytes);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found = String.fromCharCode(...data.subarray(0, MAGIC_LENGTH));
  if (found !== magic) {
    throw new DTypeError(
      `${caller}: bytes begins with ${JSON.stringify(found)}, expected '${magic}', a file of ${writer}`,
    );
  }
  const length = data.length >= START ? view.getUint32(MAGIC_LENGTH, true) : LONGEST_HEADER;
  if (length > Math.min(LONGEST_HEADER, data.length - START)) {
    throw new ShapeError(
      `${caller}: bytes has length ${data.length}, expected ${START} and a header of ${length}, at most ${LONGEST_HEADER}`,
    );
  }
  const start = START + length;
  const text = new TextDecoder().decode(data.subarray(START, start));
  return { header: readEntries(caller, parse(caller, text, writer), 'the header'), view, start };
}

/**
 * Compares the number of bytes after the header with what a model's sizes need.
 * @param {string} caller
 * @param {{ view: DataView, start: number }} file
 * @param {number} expected
 */
export function expectSize(caller, { view, start }, expected) {
  const found = view.byteLength - start;
  if (found === expected) return;
  throw new ShapeError(
    `${caller}: bytes has ${found} after the header, expected ${expected} for the model's sizes`,
  );
}

/** Reads the bytes of a file. @param {string} caller @param {unknown} bytes @returns {Uint8Array} */
function readBytes(caller, bytes) {
  if (Object.prototype.toString.call(bytes) === '[object ArrayBuffer]') {
    return new Uint8Array(/** @type {ArrayBuffer} */ (bytes));
  }
  if (!isArrayOf(bytes, 'Uint8Array')) {
    reject(caller, 'bytes', bytes, 'a Uint8Array or an ArrayBuffer');
  }
  expectAttached(caller, 'bytes', bytes);
  return viewOf(Uint8Array, bytes);
}

/** Parses the header. @param {string} caller @param {string} text @param {string} writer @returns {unknown} */
function parse(caller, text, writer) {
  try {
    return JSON.parse(text);
  } catch {
    throw new DTypeError(`${caller}: the header of bytes is no JSON, expected a file of ${writer}`);
  }
}

/**
 * Returns the options of a model in a header, in which all sizes must be.
 * @param {string} caller
 * @param {unknown} config
 * @returns {Record<string, unknown>}
 */
export function pickConfig(caller, config) {
  const given = readEntries(caller, config, 'config');
  const own = (/** @type {string} */ name) =>
    Object.hasOwn(given, name) ? given[name] : undefined;
  for (const name of NUMBERS) {
    if (typeof own(name) !== 'number') reject(caller, `config.${name}`, own(name), 'a number');
  }
  return Object.fromEntries([...NUMBERS, ...VARIANTS].map((name) => [name, own(name)]));
}
