/**
 * Random numbers that are the same in every engine. The twin of c/random.c: Philox4x32-10 (Salmon,
 * Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). Number i depends on
 * seed, stream and i alone, so a longer tensor begins with the numbers of a shorter one.
 */
import { reject, ShapeError } from './errors.js';
import { run } from './kernel/active.js';
import { readInteger, readNumber, readOptions } from './options.js';
import { makeResult } from './results.js';
import { expectShortAxes, readShape } from './shape.js';

/**
 * @import { Block } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Into } from './results.js'
 * @import { Tensor } from './tensor.js'
 */

/**
 * @typedef {object} RandomOptions
 * @property {number} seed a non-negative safe integer
 * @property {number} [stream] likewise, 0 by default; streams of one seed are independent
 * @property {Into} [into] as in `softmax`
 */

const WORD = 2 ** 32;
const KEY = ['seed', 'stream'];

/**
 * Draws normal numbers (Box–Muller, with the kernel's logarithm, sine and cosine).
 *
 * Cost: O(1) an entry. Error against float64 from the same random bits: at most
 * u·(5·std·(r + 1/r) + |mean|), where u = 2^-24 and r is the length of the pair of standard numbers that
 * it was made in. Of four million the worst was 1.5e-5·std off, near r = 0; the root mean square was 6e-8·std.
 *
 * @param {readonly number[]} shape of the result
 * @param {RandomOptions & { mean?: number, std?: number }} options mean 0 and standard deviation 1
 *   by default
 * @returns {Tensor}
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * randomNormal([3], { seed: 1 }).data; // Float32Array [0.3804, -0.2963, -0.2492]
 * randomNormal([2, 3], { seed: 1 }).shape; // [2, 3]
 */
export function randomNormal(shape, options) {
  const caller = 'randomNormal';
  const axes = readAxes(caller, shape);
  const given = readOptions(caller, options, [...KEY, 'mean', 'std', 'into']);
  const key = readKey(caller, given);
  const mean = readNumber(caller, 'mean', given.mean, 0);
  const std = readNumber(caller, 'std', given.std, 1);
  if (std < 0) reject(caller, 'std', std, 'at least 0');
  return draw(caller, axes, given.into, (kernel, count, block) =>
    kernel.call('attn_random_normal', ...key, count, mean, std, block),
  );
}

/**
 * Draws uniform numbers of [low, high), with 24 random bits each.
 *
 * Cost: O(1) an entry. Error against float64 from the same random bits: none for [0, 1) and [−1, 1), else at
 * most 6·2^-24·max(|low|, |high|).
 *
 * @param {readonly number[]} shape of the result
 * @param {RandomOptions & { low?: number, high?: number }} options low 0 and high 1 by default
 * @returns {Tensor}
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * randomUniform([2], { seed: 1, low: -1, high: 1 }).data; // Float32Array [0.7805, 0.7894]
 */
export function randomUniform(shape, options) {
  const caller = 'randomUniform';
  const axes = readAxes(caller, shape);
  const given = readOptions(caller, options, [...KEY, 'low', 'high', 'into']);
  const key = readKey(caller, given);
  const low = readNumber(caller, 'low', given.low, 0);
  const high = readNumber(caller, 'high', given.high, 1);
  if (low > high) reject(caller, 'low', low, `at most high ${high}`);
  return draw(caller, axes, given.into, (kernel, count, block) =>
    kernel.call('attn_random_uniform', ...key, count, low, high, block),
  );
}

/**
 * Reads the shape of the result.
 *
 * @param {string} caller
 * @param {unknown} shape
 * @returns {number[]}
 */
function readAxes(caller, shape) {
  if (typeof shape !== 'number') return readShape(caller, 'shape', shape);
  const call = `${caller}([${shape}, …], { seed: 1 })`;
  throw new ShapeError(`${caller}: shape is ${shape}, expected an array, as in ${call}`);
}

/**
 * Returns seed and stream as the words of the generator's key and counter, low ones first.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} options
 * @returns {[number, number, number, number]}
 */
function readKey(caller, { seed, stream = 0 }) {
  const key = readInteger(caller, 'seed', seed, 0);
  const counter = readInteger(caller, 'stream', stream, 0);
  return [key % WORD, Math.floor(key / WORD), counter % WORD, Math.floor(counter / WORD)];
}

/**
 * Makes a tensor and fills it with random numbers.
 *
 * @param {string} caller
 * @param {number[]} shape
 * @param {unknown} into
 * @param {(kernel: Kernel, count: number, block: Block) => void} fill
 * @returns {Tensor}
 */
function draw(caller, shape, into, fill) {
  expectShortAxes(caller, 'shape', shape);
  const output = makeResult(caller, into, shape, {});
  const { data } = output;
  if (data.length > 0) {
    run(caller, (kernel) => {
      const block = kernel.floats(data.length);
      fill(kernel, data.length, block);
      kernel.read(block, data);
    });
  }
  return output;
}
