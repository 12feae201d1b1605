/**
 * Functions of rows: the last axis of a tensor is a row, all other axes are a list of rows.
 */
import { run } from './kernel/active.js';
import { readTensor } from './read.js';
import { makeResult } from './results.js';
import { countOf, rejectShape, showShape } from './shape.js';

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
 * What a function of rows computes, for `overRows`.
 *
 * @template S
 * @typedef {object} RowFunction
 * @property {'x' | 'p'} [input] the name of the input; 'x' by default
 * @property {boolean} [hasUpstream] whether dOutput is the second argument, of the shape of x
 * @property {typeof readTensor} [readInput] reads the input; `readTensor` by default
 * @property {boolean} [isEntrywise] whether each entry is a row, whatever the shape
 * @property {(lead: number[], columns: number) => number[]} [shapeOf] the result; by default x's shape, and
 *   then rows are replaced in place
 * @property {(caller: string, options: unknown) => S & { into?: unknown }} read reads the options
 * @property {(kernel: Kernel, rows: number, columns: number, input: Block, output: Block,
 *   settings: S) => void} compute fills `output`, the same block in place; it holds the rows of dOutput before
 */

/**
 * @template S
 * @typedef {{ x: Float32Array, dOutput: Float32Array | null, rows: number, columns: number,
 *   settings: S }} RowData
 */

/**
 * Computes a function of each row.
 *
 * @template S
 * @param {string} caller
 * @param {RowFunction<S>} row
 * @param {TensorLike} input
 * @param {unknown} options
 * @param {TensorLike} [dOutput] only if the function has it
 * @returns {Tensor}
 */
export function overRows(caller, row, input, options, dOutput) {
  const { input: name = 'x', shapeOf, hasUpstream = false, isEntrywise = false } = row;
  const { data, shape } = (row.readInput ?? readTensor)(caller, name, input);
  const { lead, rows, columns } = isEntrywise
    ? { lead: shape, rows: data.length, columns: 1 }
    : splitRows(caller, name, shape);
  const upstream = hasUpstream ? readLike(caller, 'dOutput', dOutput, name, shape) : null;
  const settings = row.read(caller, options);
  const others = { [name]: input, dOutput };
  const output = makeResult(caller, settings.into, shapeOf?.(lead, columns) ?? [...shape], others);
  const given = { x: data, dOutput: upstream, rows, columns, settings };
  if (output.data.length > 0) run(caller, (kernel) => computeRows(kernel, row, given, output.data));
  return output;
}

/**
 * Reads a tensor of the shape of another.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input a TensorLike
 * @param {string} otherName
 * @param {readonly number[]} expected
 * @returns {Float32Array}
 */
function readLike(caller, name, input, otherName, expected) {
  const { data, shape } = readTensor(caller, name, input);
  if (showShape(shape) === showShape(expected)) return data;
  return rejectShape(caller, name, shape, `${showShape(expected)} to match ${otherName}`);
}

/**
 * Computes rows, `rowsAtOnce` of them at a time.
 *
 * @template S
 * @param {Kernel} kernel
 * @param {RowFunction<S>} row
 * @param {RowData<S>} data
 * @param {Float32Array} result filled
 */
function computeRows(kernel, row, { x, dOutput, rows, columns, settings }, result) {
  const each = result.length / rows;
  const isInPlace = !row.shapeOf && !dOutput;
  const step = rowsAtOnce(rows, isInPlace ? columns : columns + each);
  const input = kernel.floats(step * columns);
  const output = isInPlace ? input : kernel.floats(step * each);
  forRows(rows, step, (first, count) => {
    kernel.write(input, x, first * columns, count * columns);
    if (dOutput) kernel.write(output, dOutput, first * columns, count * columns);
    row.compute(kernel, count, columns, input, output, settings);
    kernel.read(output, result, first * each, count * each);
  });
}
