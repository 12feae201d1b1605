/**
 * Rotary position embedding (Su et al., "RoFormer: Enhanced transformer with rotary position
 * embedding", 2021). The twin of c/rotary.c.
 */
import { reject, ShapeError } from './errors.js';
import { run } from './kernel/active.js';
import { pick, readChoice, readOptions } from './options.js';
import { readTensor } from './read.js';
import { makeResult } from './results.js';
import { rejectShape } from './shape.js';
import { typedArrayName } from './typed-array.js';

/**
 * @import { Into } from './results.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * @typedef {object} RotaryOptions
 * @property {number} [base] of the angles' geometric series, at least 1; 10000 by default
 * @property {ArrayLike<number> | null} [positions] one a row, any numbers up to 2^30 in size; 0, 1, … by default
 * @property {'halves' | 'neighbours'} [pairing] which columns turn together: i and i + d/2 (default, as
 *   in GPT-NeoX and Llama on Hugging Face), or 2i and 2i + 1 (as in the paper and GPT-J)
 * @property {boolean} [inverse] turns backwards: the gradient with respect to x, from that of the result
 * @property {Into} [into] as in `softmax`
 */

/** Of positions: angles above it would lose their fraction of a turn in float64 (c/attn.h). */
const LARGEST = 2 ** 30;
const LARGEST_BASE = 2 ** 1000;
const PAIRINGS = ['halves', 'neighbours'];

/**
 * Turns the pair i of the row at position p by the angle p·base^(−2i/d), so that a product of two rows
 * depends on the distance of their positions.
 *
 * Cost: a sine and a cosine in float64 for n·d/2 angles, 3 flop an entry. Error: 2·2^-24 times the
 * length of the pair, from float64 angles.
 *
 * @param {TensorLike} x [..., n, d] with an even d, as queries or keys of attention
 * @param {RotaryOptions} [options]
 * @returns {Tensor} like x
 * @throws {ShapeError} if d is odd, or positions do not fit
 * @throws {DTypeError} for entries that are no numbers, unknown options or values
 * @throws {CapacityError} if x exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * rotary([[1, 0], [1, 0]]).data; // Float32Array [1, 0, 0.5403, 0.8415]
 * rotary([[1, 0]], { positions: [-1] }).data; // Float32Array [0.5403, -0.8415]
 */
export function rotary(x, options) {
  const caller = 'rotary';
  const { data, shape } = readTensor(caller, 'x', x);
  if (shape.length < 2) rejectShape(caller, 'x', shape, '[..., n, d]');
  const [n, d] = shape.slice(-2);
  if (d % 2 !== 0) rejectShape(caller, 'x', shape, 'an even last axis');
  const names = ['base', 'positions', 'pairing', 'inverse', 'into'];
  const { into, ...given } = readOptions(caller, options, names);
  const base = given.base === undefined ? 10000 : given.base;
  if (typeof base !== 'number' || !(base >= 1 && base <= LARGEST_BASE)) {
    reject(caller, 'base', base, 'a number from 1 to 2^1000');
  }
  const positions = readPositions(caller, given.positions, n);
  const pairing = PAIRINGS.indexOf(readChoice(caller, 'pairing', given.pairing, PAIRINGS));
  const inverse = Number(readChoice(caller, 'inverse', given.inverse, [false, true]));
  const output = makeResult(caller, into, shape, { x, ...pick(options, ['positions']) });
  if (data.length > 0) {
    run(caller, (kernel) => {
      const turns = kernel.floats(n * d);
      kernel.call('attn_rotary_turns', kernel.doubles(positions), n, d, base, turns);
      // A matrix after another: their memory stays in cache.
      const block = kernel.floats(n * d);
      for (let at = 0; at < data.length; at += n * d) {
        kernel.write(block, data, at, n * d);
        kernel.call('attn_rotary_forward', block, turns, 1, n, d, pairing, inverse, block);
        kernel.read(block, output.data, at, n * d);
      }
    });
  }
  return output;
}

/**
 * Reads the positions of the rows.
 *
 * @param {string} caller
 * @param {any} positions
 * @param {number} n
 * @returns {Float64Array}
 */
function readPositions(caller, positions, n) {
  if (positions === undefined || positions === null)
    return Float64Array.from({ length: n }, (_, i) => i);
  if (!Array.isArray(positions) && typedArrayName(positions) === undefined) {
    reject(caller, 'positions', positions, 'an array of numbers');
  }
  if (positions.length !== n) {
    throw new ShapeError(
      `${caller}: positions has length ${positions.length}, expected ${n}, one a row of x`,
    );
  }
  const read = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const position = typeof positions[i] === 'bigint' ? Number(positions[i]) : positions[i];
    if (typeof position !== 'number' || !(Math.abs(position) <= LARGEST)) {
      reject(caller, `positions[${i}]`, positions[i], 'a number up to 2^30 in size');
    }
    read[i] = position;
  }
  return read;
}
