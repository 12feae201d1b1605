/**
 * Masks: booleans and integers name the keys that a query may attend to, other numbers are added to
 * the scores.
 */
import { DTypeError, expectAttached } from './errors.js';
import { convert, copyEntries, locate, makeCopy } from './read.js';
import { rejectShape, showShape } from './shape.js';
import { typedArrayName, viewOf } from './typed-array.js';

/**
 * @import { Block, HeadSizes, Inputs } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Located } from './read.js'
 * @import { TypedArray } from './typed-array.js'
 */

/** A mask for each head: `matrices` has the number of its matrix in `data`, of nQ rows or one for all queries.
 *  @typedef {{ data: Uint8Array | Float32Array, rows: number, columns: number,
 *    matrices: readonly number[] }} HeadMask */

/**
 * Reads a mask: [nQ, nK] or [1, nK], or with leading axes that broadcast to [b, h, nQ, nK].
 *
 * @param {string} caller
 * @param {unknown} input undefined or null for none
 * @param {Pick<Inputs, 'lead' | 'batch' | 'heads' | 'nQ' | 'nK'>} inputs
 * @returns {HeadMask | null}
 */
export function readHeadMask(caller, input, { lead, batch, heads, nQ, nK }) {
  if (input === undefined || input === null) return null;
  const { data, shape } = readMask(caller, input);
  const own = shape.slice(0, -2);
  const [rows, last] = shape.slice(-2);
  const [maskBatch, maskHeads] = [1, 1, ...own].slice(-2);
  const broadcasts =
    own.length <= 2 &&
    (maskBatch === 1 || maskBatch === batch) &&
    (maskHeads === 1 || maskHeads === heads) &&
    (rows === 1 || rows === nQ);
  if (shape.length < 2 || !broadcasts || last !== nK) {
    const leading = lead.length ? ', leading ones left out' : '';
    const full = showShape([...lead, nQ, nK]);
    rejectShape(caller, 'mask', shape, `${full}; axes before the last may be 1${leading}`);
  }
  /** Returns the matrix of a head. @param {number} head */
  const matrixOf = (head) =>
    (maskBatch === 1 ? 0 : Math.floor(head / heads)) * maskHeads +
    (maskHeads === 1 ? 0 : head % heads);
  const matrices = [...Array(batch * heads).keys()].map(matrixOf);
  expectNoFlags(caller, data);
  return { data, rows, columns: nK, matrices };
}

/**
 * Reads a mask of any shape: bytes with 0 = may not attend, or float32 numbers to add.
 *
 * @param {string} caller
 * @param {unknown} input
 * @returns {{ data: Uint8Array | Float32Array, shape: number[] }}
 */
export function readMask(caller, input) {
  const located = locate(caller, 'mask', input);
  return { data: readEntries(caller, located), shape: located.shape };
}

/** Reads the entries of a mask. @param {string} caller @param {Located} located @returns {Uint8Array | Float32Array} */
function readEntries(caller, located) {
  const { source } = located;
  if (Array.isArray(source)) {
    return typeof source[0]?.[0] === 'boolean'
      ? copyEntries(Uint8Array, caller, 'mask', located, 'boolean')
      : convert(caller, 'mask', located);
  }
  const type = typedArrayName(source);
  if (type?.startsWith('Uint8')) {
    expectAttached(caller, 'mask', source);
    return viewOf(Uint8Array, source);
  }
  if (type?.includes('Int') || type?.includes('Uint')) {
    expectAttached(caller, 'mask', source);
    return toBytes(caller, located, source);
  }
  return convert(caller, 'mask', located);
}

/**
 * Copies integers of which each must be 0 or 1.
 *
 * @param {string} caller
 * @param {Located} located
 * @param {TypedArray} source of integers
 * @returns {Uint8Array}
 */
function toBytes(caller, located, source) {
  const bytes = makeCopy(Uint8Array, caller, 'mask', located, source.length);
  for (let i = 0; i < bytes.length; i++) {
    const entry = Number(source[i]);
    if (entry !== 0 && entry !== 1) {
      throw new DTypeError(
        `${caller}: mask has the integer ${entry} at ${i}, expected 0 or 1; numbers to add come as Float32Array`,
      );
    }
    bytes[i] = entry;
  }
  return bytes;
}

/**
 * Refuses numbers that are flags, since 0 and 1 added to the scores would hide nothing.
 *
 * @param {string} caller
 * @param {Uint8Array | Float32Array} numbers of a mask; bytes are flags
 */
export function expectNoFlags(caller, numbers) {
  if (numbers instanceof Uint8Array) return;
  let sum = 0;
  for (const x of numbers) {
    if (x !== 0 && x !== 1) return;
    sum += x;
  }
  if (sum === 0 || sum === numbers.length) return;
  throw new DTypeError(
    `${caller}: mask holds numbers that are all 0 or 1, expected booleans to mask, 0 and −Infinity to add`,
  );
}

/**
 * Allocates memory of the kernel for the mask of one head.
 *
 * @param {Kernel} kernel
 * @param {HeadMask | null} mask
 * @param {HeadSizes} sizes
 * @returns {{ added: Block | null, load: (head: number) => void }} `load` brings in the numbers to
 *   add to the scores of a head, unless they are there already
 */
export function allocateMask(kernel, mask, { nQ, nK }) {
  if (!mask) return { added: null, load: () => {} };
  const { data, rows } = mask;
  const size = rows * nK;
  const added = kernel.floats(nQ * nK);
  let loaded = -1;
  const load = (/** @type {number} */ head) => {
    const matrix = mask.matrices[head];
    if (matrix === loaded) return;
    loaded = matrix;
    if (data instanceof Uint8Array) kernel.writeMask(added, data, matrix * size, size);
    else kernel.write(added, data, matrix * size, size);
    kernel.repeat(added, size, nQ / rows);
  };
  return { added, load };
}
