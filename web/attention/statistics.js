/**
 * Statistics of distributions. The twin of c/stats.c; sums are float64.
 */
import { readOptions } from './options.js';
import { overRows } from './rows.js';

/**
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
  return ofRows('entropy', p, options, (kernel, rows, n, input, result) =>
    kernel.call('attn_entropy_forward', input, rows, n, result),
  );
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
  return ofSquares('effectiveKeys', p, options, (sum) => sum && 1 / sum);
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
  return ofSquares('jacobianTrace', p, options, (sum) => sum && 1 - sum);
}

/**
 * Computes a number of each row of a distribution.
 *
 * @param {string} caller
 * @param {TensorLike} p
 * @param {StatisticOptions | undefined} options
 * @param {RowFunction<object>['compute']} compute
 * @returns {Tensor}
 */
function ofRows(caller, p, options, compute) {
  const read = () => ({ into: readOptions(caller, options, ['into']).into });
  return overRows(caller, { input: 'p', read, shapeOf: (lead) => lead, compute }, p, options);
}

/**
 * Computes a function of Σp² of each row, rounded to float32 only at the end.
 *
 * @param {string} caller
 * @param {TensorLike} input
 * @param {StatisticOptions | undefined} options
 * @param {(sum: number) => number} of
 */
const ofSquares = (caller, input, options, of) =>
  ofRows(caller, input, options, (kernel, rows, n, p, result) => {
    kernel.within(() => {
      const sums = kernel.bytes(8 * rows);
      kernel.call('attn_sum_of_squares', p, rows, n, sums);
      kernel.write(result, Float32Array.from(kernel.readDoubles(sums, rows), of));
    });
  });
