/**
 * Softmax and what belongs to it, along the last axis. The twin of c/softmax.c.
 *
 * The maximum is subtracted before dividing by the temperature, so no finite row overflows. A row
 * that is −Infinity throughout has softmax 0 and logSumExp −Infinity; NaN makes its own row NaN.
 * A probability below 2^-126 is 0.
 *
 * Bounds of the error against float64 are those that tests/js/attention/softmax.test.js enforces
 * (the worst measured is about 0.6 of each), in units of u = 2^-24. m_i = p_i·(2 + a_i + Σ p·a) with
 * a = |x − max| / T is what rounding the argument of the exponential makes unavoidable.
 */
import { ShapeError } from './errors.js';
import { run } from './kernel/active.js';
import { readOptions, readPositive } from './options.js';
import { forRows, mapRows, rowsAtOnce, splitRows } from './rows.js';
import { allocate, readTensor, showShape } from './tensor.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */
/**
 * @typedef {object} SoftmaxOptions
 * @property {number} [temperature] T: x is divided by it first; above 0, 1 by default
 */

/**
 * softmax(x)_i = exp(x_i / T) / Σ_j exp(x_j / T) of each row.
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
  return mapEntries('softmax', 'attn_softmax_forward', x, options);
}

/**
 * log softmax(x)_i = x_i / T − log Σ_j exp(x_j / T) of each row, without forming the softmax:
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
  return mapEntries('logSoftmax', 'attn_log_softmax_forward', x, options);
}

/**
 * log Σ_j exp(x_j / T) of each row.
 *
 * Cost: one exponential an entry. Error: at most 3 u·(1 + max|x| / T + |result|).
 *
 * @param {TensorLike} x [..., n]
 * @param {SoftmaxOptions} [options]
 * @returns {Tensor} [...]; of shape [] for a vector
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * logSumExp([1000, 1000]).data[0]; // 1000.6931
 */
export function logSumExp(x, options) {
  const caller = 'logSumExp';
  const { data, lead, rows, columns, temperature } = readRows(caller, x, options);
  const result = allocate(caller, lead);
  const step = rowsAtOnce(rows, columns);
  run(caller, (kernel) => {
    const input = kernel.floats(step * columns);
    const output = kernel.floats(step);
    forRows(rows, step, (first, count) => {
      kernel.write(input, data, first * columns, count * columns);
      kernel.call('attn_log_sum_exp_forward', input, count, columns, temperature, output);
      kernel.read(output, result, first, count);
    });
  });
  return { data: result, shape: lead };
}

/**
 * The Jacobian of softmax at each row: J_ij = ∂p_i/∂x_j = p_i (δ_ij − p_j) / T.
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
  const caller = 'softmaxJacobian';
  const { data, lead, rows, columns, temperature } = readRows(caller, x, options);
  const shape = [...lead, columns, columns];
  const result = allocate(caller, shape);
  if (result.length === 0) return { data: result, shape };
  const square = columns * columns;
  const step = rowsAtOnce(rows, square);
  run(caller, (kernel) => {
    const weights = kernel.floats(step * columns);
    const jacobian = kernel.floats(step * square);
    forRows(rows, step, (first, count) => {
      kernel.write(weights, data, first * columns, count * columns);
      kernel.call('attn_softmax_forward', weights, count, columns, temperature, weights);
      kernel.call('attn_softmax_jacobian', weights, count, columns, temperature, jacobian);
      kernel.read(jacobian, result, first * square, count * square);
    });
  });
  return { data: result, shape };
}

/**
 * The gradient with respect to x of a loss, given that with respect to p = softmax(x / T):
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
  const caller = 'softmaxGradient';
  const { data, shape, rows, columns, temperature, others } = readRows(caller, x, options, {
    dOutput,
  });
  const result = allocate(caller, shape);
  if (result.length === 0) return { data: result, shape };
  const step = rowsAtOnce(rows, 3 * columns);
  run(caller, (kernel) => {
    const weights = kernel.floats(step * columns);
    const dWeights = kernel.floats(step * columns);
    const dX = kernel.floats(step * columns);
    forRows(rows, step, (first, count) => {
      kernel.write(weights, data, first * columns, count * columns);
      kernel.write(dWeights, others[0].data, first * columns, count * columns);
      kernel.call('attn_softmax_forward', weights, count, columns, temperature, weights);
      kernel.call('attn_softmax_backward', weights, dWeights, count, columns, temperature, dX);
      kernel.read(dX, result, first * columns, count * columns);
    });
  });
  return { data: result, shape };
}

/**
 * A function that gives a number for each number.
 *
 * @param {string} caller
 * @param {'attn_softmax_forward' | 'attn_log_softmax_forward'} name
 * @param {TensorLike} x
 * @param {SoftmaxOptions | undefined} options
 * @returns {Tensor}
 */
function mapEntries(caller, name, x, options) {
  const rows = readRows(caller, x, options);
  const { columns, temperature } = rows;
  return mapRows(caller, rows, (kernel, block, count) =>
    kernel.call(name, block, count, columns, temperature, block),
  );
}

/**
 * @param {string} caller
 * @param {TensorLike} x
 * @param {SoftmaxOptions | undefined} options
 * @param {Record<string, TensorLike>} [more] further arguments, by name, that must be shaped like x
 */
function readRows(caller, x, options, more = {}) {
  const { data, shape } = readTensor(caller, 'x', x);
  const others = Object.entries(more).map(([name, input]) => {
    const other = readTensor(caller, name, input);
    if (showShape(other.shape) === showShape(shape)) return other;
    const [got, expected] = [showShape(other.shape), showShape(shape)];
    throw new ShapeError(`${caller}: ${name} is ${got}, expected ${expected} to match x`);
  });
  const { temperature } = readOptions(caller, options, ['temperature']);
  return {
    ...splitRows(caller, 'x', shape),
    data,
    shape,
    others,
    temperature: readPositive(caller, 'temperature', temperature, 1),
  };
}
