/**
 * Models as files (headed-file.js): after the header every row of the parameters as a factor (float32) and
 * integers of 16 or 8 bits. `load` compares sizes with the number of bytes before memory is taken for them.
 */
import { reject } from '../attention/errors.js';
import { readOptions } from '../attention/options.js';
import { expectSize, openFile, pickConfig, startFile } from './headed-file.js';
import { mapParameters, parameterShapes, parameterTotal, readConfig, readModel } from './model.js';
import { loadTokenizer } from './tokenizer.js';

/**
 * @import { FileBytes } from './headed-file.js'
 * @import { Config, Model } from './model.js'
 * @import { Tokenizer } from './tokenizer.js'
 */

/**
 * @typedef {object} SaveOptions
 * @property {16 | 8} [bits] a parameter, 16 by default
 * @property {Tokenizer} [tokenizer] goes into the file
 * @property {unknown} [about] goes into the file: anything that JSON can hold
 */

/** @typedef {Model & { tokenizer?: Tokenizer, about?: unknown }} LoadedModel */

const MAGIC = 'attn-lm1';
/** The largest integer of a row, by bits. */
const MOST = { 8: 127, 16: 32767 };

/**
 * Returns a model as a file. A parameter is off by at most a 65534th of the largest in its row, or a 254th
 * with 8 bits.
 * @param {Model} model
 * @param {SaveOptions} [options]
 * @returns {FileBytes}
 * @throws {ShapeError} for a model whose parameters do not fit
 * @throws {DTypeError} for parameters that are not finite, unknown options
 * @example
 * const model = createModel({ vocabulary: 12, context: 8, dModel: 4, seed: 1 });
 * const bytes = save(model, { bits: 8 });
 * load(bytes).config.vocabulary; // 12
 */
export function save(model, options) {
  const caller = 'save';
  const { config, parameters } = readModel(caller, model);
  const given = readOptions(caller, options, ['bits', 'tokenizer', 'about']);
  const bits = readBits(caller, given.bits);
  const { tokenizer, about } = given;
  const header = { bits, config, tokenizer, about };
  const file = startFile(caller, MAGIC, header, bodyBytes(config, bits));
  let at = file.start;
  for (const [name, shape] of parameterShapes(config)) {
    const { columns } = rowsOf(shape);
    const data = parameters[name];
    for (let row = 0; row < data.length; row += columns) {
      at = writeRow(file.view, at, data.subarray(row, row + columns), bits, name);
    }
  }
  return file.bytes;
}

/** Reads the option bits. @param {string} caller @param {unknown} bits @returns {16 | 8} */
function readBits(caller, bits) {
  if (bits === undefined || bits === 16) return 16;
  return bits === 8 ? 8 : reject(caller, 'bits', bits, 'one of 16, 8');
}

/** Returns the rows of a parameter; a vector is one. @param {number[]} shape */
const rowsOf = (shape) =>
  shape.length === 2 ? { rows: shape[0], columns: shape[1] } : { rows: 1, columns: shape[0] };

/** Returns the bytes of all rows. @param {Config} config @param {16 | 8} bits */
function bodyBytes(config, bits) {
  return parameterShapes(config).reduce((sum, [, shape]) => {
    const { rows, columns } = rowsOf(shape);
    return sum + rows * (4 + (columns * bits) / 8);
  }, 0);
}

/**
 * Writes a row and returns where the next one begins.
 * @param {DataView} view @param {number} at @param {Float32Array} row @param {16 | 8} bits
 * @param {string} name
 */
function writeRow(view, at, row, bits, name) {
  const largest = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (!Number.isFinite(largest)) reject('save', name, largest, 'finite numbers');
  const factor = Math.fround(largest / MOST[bits]);
  view.setFloat32(at, factor, true);
  at += 4;
  for (const x of row) {
    const integer =
      factor > 0 ? Math.max(-MOST[bits], Math.min(MOST[bits], Math.round(x / factor))) : 0;
    if (bits === 16) view.setInt16(at, integer, true);
    else view.setInt8(at, integer);
    at += bits / 8;
  }
  return at;
}

/**
 * Makes a model again from a file.
 * @param {Uint8Array | ArrayBuffer} bytes that `save` returned
 * @returns {LoadedModel} with the tokenizer and the note that were saved, if any
 * @throws {ShapeError} for a file that is too short or too long
 * @throws {DTypeError} for bytes that are no such file
 * @throws {CapacityError} for a model that does not fit in memory
 * @example
 * const tokenizer = characters('abc');
 * const model = createModel({ vocabulary: 4, context: 8, dModel: 4, seed: 1 });
 * load(save(model, { tokenizer })).tokenizer.encode('cab'); // [3, 1, 2]
 */
export function load(bytes) {
  const caller = 'load';
  const file = openFile(caller, bytes, MAGIC, 'save');
  const { header, view } = file;
  const config = readConfig(caller, pickConfig(caller, header.config));
  const bits = readBits(caller, header.bits);
  const least = (parameterTotal(config) * bits) / 8; // before parameters are listed
  expectSize(caller, file, least > view.byteLength ? least : bodyBytes(config, bits));
  let at = file.start;
  const parameters = mapParameters(config, (name, shape) => {
    const { rows, columns } = rowsOf(shape);
    const tensor = { data: new Float32Array(rows * columns), shape: [...shape] };
    for (let row = 0; row < rows; row++) {
      at = readRow(view, at, tensor.data.subarray(row * columns, (row + 1) * columns), bits, name);
    }
    return tensor;
  });
  /** @type {LoadedModel} */
  const model = { config, parameters };
  if (header.tokenizer !== undefined) model.tokenizer = loadTokenizer(header.tokenizer);
  if (header.about !== undefined) model.about = header.about;
  return model;
}

/**
 * Reads a row and returns where the next one begins.
 * @param {DataView} view @param {number} at @param {Float32Array} row @param {16 | 8} bits
 * @param {string} name
 */
function readRow(view, at, row, bits, name) {
  const factor = view.getFloat32(at, true);
  if (!(factor >= 0 && Number.isFinite(Math.fround(factor * MOST[bits])))) {
    reject('load', `a factor of ${name}`, factor, 'a finite number of at least 0');
  }
  at += 4;
  for (let i = 0; i < row.length; i++) {
    row[i] = factor * (bits === 16 ? view.getInt16(at, true) : view.getInt8(at));
    at += bits / 8;
  }
  return at;
}
