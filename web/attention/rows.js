/**
 * Functions of rows: the last axis of a tensor is a row, all other axes are a list of rows.
 */
import { ShapeError } from './errors.js';
import { run } from './kernel/active.js';
import { allocate, countOf, showShape } from './tensor.js';

/** @typedef {import('./kernel/active.js').Kernel} Kernel */

/**
 * Numbers that a function of rows holds in the kernel at one time: few enough (256 kB) to stay in
 * a core's cache between copying in, computing and copying out.
 */
const NUMBERS_AT_ONCE = 65536;

/**
 * @param {string} caller
 * @param {string} name the argument, for messages
 * @param {readonly number[]} shape
 * @returns {{ lead: number[], rows: number, columns: number }} lead is the shape without its last
 *   axis
 */
export function splitRows(caller, name, shape) {
  if (shape.length === 0) {
    throw new ShapeError(`${caller}: ${name} is ${showShape(shape)}, expected at least one axis`);
  }
  const lead = shape.slice(0, -1);
  return { lead, rows: countOf(lead), columns: shape[shape.length - 1] };
}

/**
 * How many rows to take at a time where one takes `columns` numbers of memory.
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
 * Calls `work` for `step` rows after another; the last time for what is left.
 *
 * @param {number} rows
 * @param {number} step
 * @param {(first: number, count: number) => void} work
 */
export function forRows(rows, step, work) {
  for (let first = 0; first < rows; first += step) work(first, Math.min(step, rows - first));
}

/**
 * A tensor with a number for each number of another, computed in place.
 *
 * @param {string} caller
 * @param {{ data: Float32Array, shape: number[], rows: number, columns: number }} x
 * @param {(kernel: Kernel, block: ReturnType<Kernel['floats']>, rows: number) => void} compute
 *   overwrites the rows in the block
 * @returns {import('./tensor.js').Tensor}
 */
export function mapRows(caller, { data, shape, rows, columns }, compute) {
  const result = allocate(caller, shape);
  if (result.length === 0) return { data: result, shape };
  const step = rowsAtOnce(rows, columns);
  run(caller, (kernel) => {
    const block = kernel.floats(step * columns);
    forRows(rows, step, (first, count) => {
      kernel.write(block, data, first * columns, count * columns);
      compute(kernel, block, count);
      kernel.read(block, result, first * columns, count * columns);
    });
  });
  return { data: result, shape };
}
