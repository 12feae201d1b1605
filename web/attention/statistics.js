/**
 * Statistics of distributions. The twin of c/stats.c; sums are float64.
 */
import { readOptions } from './options.js';
import { overRows } from './rows.js';

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Into } from './results.js'
 * @import { RowFunction } from './rows.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * @typedef {object} StatisticOptions
 * @property {Into} [into] as in `softmax`, with a number for each row
 */

/**
 * Computes the entropy −Σ p ln p of each row, in nats: 0 for a one-hot row, ln n for a uniform one.
 *
 * Cost: one logarithm an entry. Error against float64: at most 4·2^-24·Σ p (1 + |ln p|),
 * for p from 2^-126 on.
 *
 * @param {TensorLike} p [..., n], distributions along the last axis
 * @param {StatisticOptions} [options]
 * @returns {Tensor} [...]; of shape [] for a vector
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * entropy([0.5, 0.5]).data[0]; // 0.6931
 */
export function entropy(p, options) {
  return overRows('entropy', entropyRow, p, options);
}

/**
 * Computes 1 / Σp² of each row, the number of keys among which the weight is spread: 1 for a one-hot
 * row, n for a uniform one, 0 for a row that is 0 throughout (a query that may attend nowhere).
 *
 * Cost: O(1) an entry. Error: that of one rounding, from float64.
 *
 * @param {TensorLike} p [..., n], distributions along the last axis
 * @param {StatisticOptions} [options]
 * @returns {Tensor} [...]; of shape [] for a vector
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * effectiveKeys([0.25, 0.25, 0.25, 0.25]).data[0]; // 4
 */
export function effectiveKeys(p, options) {
  return overRows('effectiveKeys', effectiveKeysRow, p, options);
}

/**
 * Computes 1 − Σp² of each row, the trace of the Jacobian of softmax at temperature 1, which measures
 * the gradient that passes: 0 for a one-hot row, 1 − 1/n for a uniform one, 0 for a row that is 0
 * throughout, whose Jacobian is 0.
 *
 * Cost: O(1) an entry. Error: that of one rounding, from float64.
 *
 * @param {TensorLike} p [..., n], distributions along the last axis
 * @param {StatisticOptions} [options]
 * @returns {Tensor} [...]; of shape [] for a vector
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * jacobianTrace([0.5, 0.5]).data[0]; // 0.5
 */
export function jacobianTrace(p, options) {
  return overRows('jacobianTrace', jacobianTraceRow, p, options);
}

/** What functions of a distribution have in common: each row gives a number.
 *  @type {Omit<RowFunction<object>, 'compute'>} */
const DISTRIBUTION = {
  input: 'p',
  read: (caller, options) => ({ into: readOptions(caller, options, ['into']).into }),
  shapeOf: (lead) => lead,
};

/**
 * Writes a function of Σp² of each row, rounded to float32 only at the end.
 *
 * @param {Kernel} kernel
 * @param {number} rows
 * @param {number} n
 * @param {Block} p
 * @param {Block} result
 * @param {(sum: number) => number} of
 */
function writeOfSquares(kernel, rows, n, p, result, of) {
  kernel.within(() => {
    const sums = kernel.bytes(8 * rows);
    kernel.call('attn_sum_of_squares', p, rows, n, sums);
    kernel.write(result, Float32Array.from(kernel.readDoubles(sums, rows), of));
  });
}

/** @type {RowFunction<object>} */
const entropyRow = {
  ...DISTRIBUTION,
  compute: (kernel, rows, n, p, result) => kernel.call('attn_entropy_forward', p, rows, n, result),
};

/** @type {RowFunction<object>} */
const effectiveKeysRow = {
  ...DISTRIBUTION,
  compute: (kernel, rows, n, p, result) =>
    writeOfSquares(kernel, rows, n, p, result, (sum) => sum && 1 / sum),
};

/** @type {RowFunction<object>} */
const jacobianTraceRow = {
  ...DISTRIBUTION,
  compute: (kernel, rows, n, p, result) =>
    writeOfSquares(kernel, rows, n, p, result, (sum) => sum && 1 - sum),
};
