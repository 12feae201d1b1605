/**
 * Rounding to 16-bit formats: numbers, of float32 or float64, become the nearest number of the format, ties go to
 * even, overflow to infinity (IEEE 754-2008 §4.3.1). The twin of c/half.c. The results are float32
 * numbers of the format, so arithmetic in the format is float32 arithmetic with a rounding after each
 * operation (Figueroa, "When is double rounding innocuous?", 1995).
 */
import { readChoice, readOptions } from './options.js';
import { readToOdd } from './read.js';
import { overRows } from './rows.js';

/**
 * @import { Into } from './results.js'
 * @import { RowFunction } from './rows.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * @typedef {object} RoundOptions
 * @property {Into} [into] as in `softmax`
 */
/**
 * @typedef {object} HalfSoftmaxOptions
 * @property {boolean} [subtractMax] subtracts the maximum of the row first; true by default. Without
 *   it exp overflows above 11.0898 and the row becomes 0 and NaN
 * @property {Into} [into] as in `softmax`
 */

/**
 * Rounds each number to fp16: 11 significant bits, normal from 2^-14, subnormal below, largest
 * value 65504; infinite from 65520 on.
 *
 * Cost: O(1) an entry. Error: none besides the rounding itself.
 *
 * @param {TensorLike} x any shape
 * @param {RoundOptions} [options]
 * @returns {Tensor} like x
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * roundToFloat16([0.1, 2049, 65520]).data; // Float32Array [0.09997559, 2048, Infinity]
 */
export function roundToFloat16(x, options) {
  return overRows('roundToFloat16', roundToFloat16Row, x, options);
}

/**
 * Rounds each number to bfloat16: 8 significant bits, the exponents of float32.
 *
 * Cost: O(1) an entry. Error: none besides the rounding itself.
 *
 * @param {TensorLike} x any shape
 * @param {RoundOptions} [options]
 * @returns {Tensor} like x
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * roundToBFloat16([0.1, 257, 65520]).data; // Float32Array [0.10009766, 256, 65536]
 */
export function roundToBFloat16(x, options) {
  return overRows('roundToBFloat16', roundToBFloat16Row, x, options);
}

/**
 * Computes softmax of each row as fp16 hardware without wider accumulators does: x, x − max, exp,
 * the running sum (in index order) and the quotient are each rounded to fp16. Every result is the
 * rounded value of an operation on rounded values, exp that of float32. With the maximum subtracted
 * a row that is −Infinity throughout gives 0; without it every row whose powers all round to 0 gives
 * 0/0, NaN.
 *
 * Cost: one exponential an entry, one at a time. Error: none besides these roundings; that exp is
 * rounded to float32 first makes a difference for two numbers of fp16, 0.0073 and 0.0227, of one step.
 *
 * @param {TensorLike} x [..., n]; a vector is one row
 * @param {HalfSoftmaxOptions} [options]
 * @returns {Tensor} like x
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * softmaxFloat16([0, -18]).data; // Float32Array [1, 0]
 * softmaxFloat16([0, 12], { subtractMax: false }).data; // Float32Array [0, NaN]
 */
export function softmaxFloat16(x, options) {
  return overRows('softmaxFloat16', softmaxFloat16Row, x, options);
}

/** Reads the options of a rounding. @param {string} caller @param {unknown} options */
const readTarget = (caller, options) => ({ into: readOptions(caller, options, ['into']).into });

/** @type {RowFunction<object>} */
const roundToFloat16Row = {
  isEntrywise: true,
  readInput: readToOdd,
  read: readTarget,
  compute: (kernel, count, _, x, result) => kernel.call('attn_round_float16', x, count, result),
};

/** @type {RowFunction<object>} */
const roundToBFloat16Row = {
  isEntrywise: true,
  readInput: readToOdd,
  read: readTarget,
  compute: (kernel, count, _, x, result) => kernel.call('attn_round_bfloat16', x, count, result),
};

/** @type {RowFunction<{ subtractMax: boolean }>} */
const softmaxFloat16Row = {
  readInput: readToOdd,
  read(caller, options) {
    const { subtractMax, into } = readOptions(caller, options, ['subtractMax', 'into']);
    return { subtractMax: readChoice(caller, 'subtractMax', subtractMax, [true, false]), into };
  },
  compute: (kernel, rows, n, x, result, { subtractMax }) =>
    kernel.call('attn_softmax_float16', x, rows, n, Number(subtractMax), result),
};
