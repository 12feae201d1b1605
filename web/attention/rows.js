/**
 * Functions of rows: the last axis of a tensor is a row, all other axes are a list of rows.
 */
import { run } from './kernel/active.js';
import { readTensor } from './read.js';
import { countOf, rejectShape } from './shape.js';

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * Numbers that a function of rows has in the kernel at one time, 256 kB: they stay in a core's cache
 * between copying in, computing and copying out.
 */
const NUMBERS_AT_ONCE = 65536;

/**
 * Splits a shape into its rows and their length.
 *
 * @param {string} caller
 * @param {string} name the argument, for messages
 * @param {readonly number[]} shape
 * @returns {{ lead: number[], rows: number, columns: number }} lead is the shape without its last
 *   axis
 */
export function splitRows(caller, name, shape) {
  if (shape.length === 0) rejectShape(caller, name, shape, 'at least one axis');
  const lead = shape.slice(0, -1);
  return { lead, rows: countOf(lead), columns: shape[shape.length - 1] };
}

/**
 * Reads a tensor as rows.
 *
 * @param {string} caller
 * @param {string} name
 * @param {TensorLike} input
 * @returns {Tensor & ReturnType<typeof splitRows>}
 */
export function readRows(caller, name, input) {
  const { data, shape } = readTensor(caller, name, input);
  return { ...splitRows(caller, name, shape), data, shape };
}

/**
 * Returns the number of rows to compute at a time where one needs `columns` numbers of memory.
 *
 * @param {number} rows
 * @param {number} columns
 * @returns {number} 1 … max(rows, 1)
 */
export function rowsAtOnce(rows, columns) {
  const fit = Math.floor(NUMBERS_AT_ONCE / Math.max(columns, 1));
  return Math.max(1, Math.min(rows, fit));
}

/**
 * Calls `work` for every `step` rows, and at last for the rest.
 *
 * @param {number} rows
 * @param {number} step
 * @param {(first: number, count: number) => void} work
 */
export function forRows(rows, step, work) {
  for (let first = 0; first < rows; first += step) work(first, Math.min(step, rows - first));
}

/**
 * Computes a tensor from the rows of another, `rowsAtOnce` of them at a time.
 *
 * @param {string} caller
 * @param {{ data: Float32Array, shape: number[], rows: number, columns: number }} x
 * @param {Tensor} result filled, with as many numbers for each row of x; where its shape is the
 *   array `x.shape` itself, rows are replaced in place
 * @param {(kernel: Kernel, rows: number, input: Block, output: Block, first: number) => void} compute
 *   fills `output` from `input`, the rows from `first` on; both are the same block in place
 * @returns {Tensor} result
 */
export function mapRows(caller, x, result, compute) {
  const { data, rows, columns } = x;
  if (result.data.length === 0) return result;
  const each = result.data.length / rows;
  const isInPlace = result.shape === x.shape;
  const step = rowsAtOnce(rows, isInPlace ? columns : columns + each);
  run(caller, (kernel) => {
    const input = kernel.floats(step * columns);
    const output = isInPlace ? input : kernel.floats(step * each);
    forRows(rows, step, (first, count) => {
      kernel.write(input, data, first * columns, count * columns);
      compute(kernel, count, input, output, first);
      kernel.read(output, result.data, first * each, count * each);
    });
  });
  return result;
}
