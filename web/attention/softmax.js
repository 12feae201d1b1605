/**
 * Softmax, its logarithm, its sum and its gradients, along the last axis. The twin of c/softmax.c.
 *
 * The maximum is subtracted before dividing by the temperature, so no finite row overflows. A row
 * that is −Infinity throughout has softmax 0 and logSumExp −Infinity; NaN makes its own row NaN, and
 * so does +Infinity, but for its logSumExp, +Infinity (that of `attention` is NaN).
 * An exponential e^((x − max) / T) below 2^-126.5 is 0, which is where (x − max) / T < −87.68; the
 * probability is that exponential, divided by the sum.
 *
 * Bounds of the error against float64 are those that its tests enforce (the worst measured is 0.6 of
 * each, of logSoftmax 0.9), in units of u = 2^-24. m_i = p_i·(2 + a_i + Σ p·a) with a = |x − max| / T
 * is the unavoidable part, from rounding the argument of the exponential. They hold where no result
 * or product on the way to it is beyond 3.4e38 or below 2^-126: |dOutput| is below 1.7e38.
 */
import { readOptions, readPositive } from './options.js';
import { overRows } from './rows.js';

/**
 * @import { Into } from './results.js'
 * @import { RowFunction } from './rows.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * @typedef {object} SoftmaxOptions
 * @property {number} [temperature] T: x is divided by it first; above 0, 1 by default
 * @property {Into} [into] the array to write to, `{ output: array }` or the array itself, of as many
 *   numbers as the result; a fresh one by default
 */

/**
 * Computes softmax(x)_i = exp(x_i / T) / Σ_j exp(x_j / T) of each row.
 *
 * Cost: one exponential an entry. Error: at most 4 u·m_i.
 *
 * @param {TensorLike} x [..., n]; a vector is one row
 * @param {SoftmaxOptions} [options]
 * @returns {Tensor} like x; each row sums to 1
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * softmax([1, 2, 3]).data; // Float32Array [0.0900, 0.2447, 0.6652]
 * softmax([[50, 1], [1, 1]], { temperature: 10 }).shape; // [2, 2]
 */
export function softmax(x, options) {
  return overRows('softmax', softmaxRow, x, options);
}

/**
 * Computes log softmax(x)_i = x_i / T − log Σ_j exp(x_j / T) of each row, without forming the softmax:
 * precise where that is 0 in float32.
 *
 * Cost: one exponential an entry. Error: at most 6 u·(1 + |result|).
 *
 * @param {TensorLike} x [..., n]
 * @param {SoftmaxOptions} [options]
 * @returns {Tensor} like x
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * logSoftmax([50, 1, 1, 1]).data; // Float32Array [0, -49, -49, -49]
 */
export function logSoftmax(x, options) {
  return overRows('logSoftmax', logSoftmaxRow, x, options);
}

/**
 * Computes log Σ_j exp(x_j / T) of each row.
 *
 * Cost: one exponential an entry. Error: at most 3 u·(1 + max|x| / T + |result|).
 *
 * @param {TensorLike} x [..., n]
 * @param {SoftmaxOptions} [options]
 * @returns {Tensor} [...]; of shape [] for a vector
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * logSumExp([1000, 1000]).data[0]; // 1000.6932
 */
export function logSumExp(x, options) {
  return overRows('logSumExp', logSumExpRow, x, options);
}

/**
 * Computes the Jacobian of softmax at each row: J_ij = ∂p_i/∂x_j = p_i (δ_ij − p_j) / T.
 *
 * It is symmetric and positive semidefinite, its rows sum to 0. Cost: n² numbers a row;
 * {@link softmaxGradient} applies it in O(n). Error: at most 4 u·(m_i (δ_ij + p_j) + p_i m_j) / T.
 *
 * @param {TensorLike} x [..., n]
 * @param {SoftmaxOptions} [options]
 * @returns {Tensor} [..., n, n]
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * softmaxJacobian([0, 0]).data; // Float32Array [0.25, -0.25, -0.25, 0.25]
 */
export function softmaxJacobian(x, options) {
  return overRows('softmaxJacobian', softmaxJacobianRow, x, options);
}

/**
 * Computes the gradient of a loss with respect to x from that with respect to p = softmax(x / T):
 * dx = p ∘ (dp − Σ p·dp) / T of each row, without the Jacobian.
 *
 * Cost: one exponential an entry. Error: at most 4 u·(m_i (|dp_i| + Σ p|dp|) + p_i Σ m|dp|) / T.
 *
 * @param {TensorLike} x [..., n]
 * @param {TensorLike} dOutput like x: ∂L/∂p
 * @param {SoftmaxOptions} [options]
 * @returns {Tensor} like x: ∂L/∂x; each row sums to 0
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * softmaxGradient([0, 0], [1, 0]).data; // Float32Array [0.25, -0.25]
 */
export function softmaxGradient(x, dOutput, options) {
  return overRows('softmaxGradient', softmaxGradientRow, x, options, dOutput);
}

/**
 * Reads the options.
 *
 * @param {string} caller
 * @param {unknown} options
 */
function read(caller, options) {
  const { temperature, into } = readOptions(caller, options, ['temperature', 'into']);
  return { temperature: readPositive(caller, 'temperature', temperature, 1), into };
}

/** @type {RowFunction<{ temperature: number }>} */
const softmaxRow = {
  read,
  compute: (kernel, rows, n, x, result, { temperature }) =>
    kernel.call('attn_softmax_forward', x, rows, n, temperature, result),
};

/** @type {RowFunction<{ temperature: number }>} */
const logSoftmaxRow = {
  read,
  compute: (kernel, rows, n, x, result, { temperature }) =>
    kernel.call('attn_log_softmax_forward', x, rows, n, temperature, result),
};

/** @type {RowFunction<{ temperature: number }>} */
const logSumExpRow = {
  read,
  shapeOf: (lead) => lead,
  compute: (kernel, rows, n, x, result, { temperature }) =>
    kernel.call('attn_log_sum_exp_forward', x, rows, n, temperature, result),
};

/** @type {RowFunction<{ temperature: number }>} */
const softmaxJacobianRow = {
  read,
  shapeOf: (lead, n) => [...lead, n, n],
  compute(kernel, rows, n, x, jacobian, { temperature }) {
    kernel.call('attn_softmax_forward', x, rows, n, temperature, x);
    kernel.call('attn_softmax_jacobian', x, rows, n, temperature, jacobian);
  },
};

/** @type {RowFunction<{ temperature: number }>} */
const softmaxGradientRow = {
  hasUpstream: true,
  read,
  compute(kernel, rows, n, x, dX, { temperature }) {
    kernel.call('attn_softmax_forward', x, rows, n, temperature, x);
    kernel.call('attn_softmax_backward', x, dX, rows, n, temperature, dX);
  },
};
