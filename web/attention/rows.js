/**
 * Functions of rows: the last axis of a tensor is a row, all other axes are a list of rows.
 */
import { ShapeError } from './errors.js';
import { countOf, showShape } from './tensor.js';

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
