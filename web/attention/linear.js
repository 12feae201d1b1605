/**
 * The linear map of a layer, and its gradient. The twin of c/linear.c.
 */
import { fail, readOutputGradient } from './heads.js';
import { run } from './kernel/active.js';
import { readOptions } from './options.js';
import { readTensor } from './read.js';
import { makeResult, makeResults } from './results.js';
import { splitRows } from './rows.js';
import { rejectShape, showShape } from './shape.js';

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Into } from './results.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * @typedef {object} LinearOptions
 * @property {Into} [into] as in `softmax`
 */
/**
 * @typedef {object} LinearGradientOptions
 * @property {Partial<Record<'dX' | 'dWeight' | 'dBias', Float32Array>>} [into] as in `attention`
 */

/**
 * Computes y = x weightᵀ + bias of each row, as torch.nn.Linear does.
 *
 * NaN reaches the rows it touches. Empty inputs give empty results, or the bias.
 *
 * Cost: 2·rows·d_in·d_out flop. Error against float64: that of a sum of d_in + 1 terms, at worst 3.5
 * units of 2^-24·(|x| |weight|ᵀ + |bias|) for normal entries, up to d_in = 300.
 *
 * @param {TensorLike} x [..., d_in]; a vector is one row
 * @param {TensorLike} weight [d_out, d_in]
 * @param {TensorLike | null} [bias] [d_out], none by default
 * @param {LinearOptions} [options]
 * @returns {Tensor} [..., d_out]
 * @throws {ShapeError} if shapes do not fit
 * @throws {DTypeError} for entries that are no numbers, unknown options
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * linear([1, 2], [[3, 4], [5, 6], [0, 1]], [0, 0, 1]).data; // Float32Array [11, 17, 3]
 */
export function linear(x, weight, bias, options) {
  const caller = 'linear';
  const map = readMap(caller, x, weight);
  const added = readBias(caller, bias, map);
  const { into } = readOptions(caller, options, ['into']);
  const output = makeResult(caller, into, [...map.lead, map.dOut], { x, weight, bias });
  const data = Object.assign(dataOf(map), { bias: added });
  if (output.data.length > 0) run(caller, (kernel) => computeLinear(kernel, data, { output }));
  return output;
}

/**
 * Computes the gradients of L = Σ y ∘ dOutput, where y is that of `linear` with the same arguments:
 *   dX = dOutput weight, dWeight = dOutputᵀ x, dBias the sum of the rows of dOutput.
 *
 * Cost: 4·rows·d_in·d_out flop. Error against float64 in units of 2^-24 times the same sum with every
 * term's absolute value, for normal entries and up to 20 terms: dX 4.6, dWeight 5.4, dBias 2.2.
 *
 * @param {TensorLike} x [..., d_in]; a vector is one row
 * @param {TensorLike} weight [d_out, d_in]
 * @param {TensorLike} dOutput [..., d_out]: ∂L/∂y
 * @param {LinearGradientOptions} [options]
 * @returns {{ dX: Tensor, dWeight: Tensor, dBias: Tensor }} dX like x, dWeight like weight, dBias
 *   [d_out], whether there is a bias or not
 * @throws {ShapeError} if shapes do not fit
 * @throws {DTypeError} for entries that are no numbers, unknown options
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const { dX, dWeight, dBias } = linearGradient([[1, 2]], [[3, 4], [5, 6]], [[1, 0]]);
 * toNested(dX); // [[3, 4]]
 * toNested(dWeight); // [[1, 2], [0, 0]]
 * toNested(dBias); // [1, 0]
 */
export function linearGradient(x, weight, dOutput, options) {
  const caller = 'linearGradient';
  const map = readMap(caller, x, weight);
  const upstream = readOutputGradient(caller, dOutput, [...map.lead, map.dOut]);
  const { into } = readOptions(caller, options, ['into']);
  const shapes = { dX: map.x.shape, dWeight: map.weight.shape, dBias: [map.dOut] };
  const gradients = makeResults(caller, into, shapes, { x, weight, dOutput });
  const data = Object.assign(dataOf(map), { dOutput: upstream });
  run(caller, (kernel) => differentiateLinear(kernel, data, gradients));
  return gradients;
}

/**
 * Reads x and weight and compares their shapes.
 *
 * @param {string} caller
 * @param {TensorLike} x
 * @param {TensorLike} weight
 * @returns {{ x: Tensor, weight: Tensor, lead: number[], rows: number, dIn: number, dOut: number }}
 */
function readMap(caller, x, weight) {
  const input = readTensor(caller, 'x', x);
  const { lead, rows, columns } = splitRows(caller, 'x', input.shape);
  const matrix = readTensor(caller, 'weight', weight);
  const { shape } = matrix;
  if (shape.length !== 2) rejectShape(caller, 'weight', shape, '[out, in]');
  if (shape[1] !== columns) {
    fail(caller, 'weight', shape, `last axis ${columns}`, 'x', input.shape);
  }
  return { x: input, weight: matrix, lead, rows, dIn: columns, dOut: shape[0] };
}

/**
 * Reads the bias and compares its shape.
 *
 * @param {string} caller
 * @param {TensorLike | null | undefined} bias
 * @param {ReturnType<typeof readMap>} map
 * @returns {Float32Array | null}
 */
function readBias(caller, bias, { weight, dOut }) {
  if (bias === undefined || bias === null) return null;
  const { data, shape } = readTensor(caller, 'bias', bias);
  if (showShape(shape) === showShape([dOut])) return data;
  return fail(caller, 'bias', shape, `[${dOut}]`, 'weight', weight.shape);
}

/** @typedef {{ x: Float32Array, weight: Float32Array, rows: number, dIn: number, dOut: number }} MapData */
/** @typedef {MapData & { bias: Float32Array | null }} LinearData */
/** @typedef {MapData & { dOutput: Float32Array }} GradientData */

/** Returns the data of a map. @param {ReturnType<typeof readMap>} map @returns {MapData} */
const dataOf = ({ x, weight, rows, dIn, dOut }) => ({
  x: x.data,
  weight: weight.data,
  rows,
  dIn,
  dOut,
});

/**
 * Computes the rows of a map.
 *
 * @param {Kernel} kernel
 * @param {LinearData} data
 * @param {{ output: Tensor }} results filled
 */
export function computeLinear(kernel, { x, weight, bias, rows, dIn, dOut }, { output }) {
  const [input, weights] = [kernel.load(x), kernel.load(weight)];
  const biases = bias && kernel.load(bias);
  const y = kernel.floats(output.data.length);
  const scratch = kernel.scratch('attn_linear_scratch', rows, dIn, dOut);
  kernel.call('attn_linear_forward', input, weights, biases, rows, dIn, dOut, y, scratch);
  kernel.read(y, output.data);
}

/**
 * Computes the gradients of a map.
 *
 * @param {Kernel} kernel
 * @param {GradientData} data
 * @param {{ dX: Tensor, dWeight: Tensor, dBias?: Tensor }} gradients filled
 */
export function differentiateLinear(kernel, data, { dX, dWeight, dBias }) {
  const { x, weight, dOutput, rows, dIn, dOut } = data;
  const [input, weights, dY] = [x, weight, dOutput].map((numbers) => kernel.load(numbers));
  const blocks = [dX, dWeight].map((gradient) => kernel.floats(gradient.data.length));
  const biases = dBias ? kernel.floats(dOut) : null;
  const scratch = kernel.scratch('attn_linear_scratch', rows, dIn, dOut);
  /** @type {[dX: Block, dWeight: Block, dBias: Block | null, scratch: Block]} */
  const targets = [blocks[0], blocks[1], biases, scratch];
  kernel.call('attn_linear_backward', input, weights, dY, rows, dIn, dOut, ...targets);
  kernel.read(blocks[0], dX.data);
  kernel.read(blocks[1], dWeight.data);
  if (dBias && biases) kernel.read(biases, dBias.data);
}
