/**
 * Random numbers that are the same in every engine. The twin of c/random.c: Philox4x32-10 (Salmon,
 * Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). Number i depends on
 * seed, stream and i alone, so a longer tensor begins with the numbers of a shorter one.
 */
import { reject, ShapeError } from './errors.js';
import { EXPONENTIAL } from './limit.js';
import { readInteger, readNumber, readOptions } from './options.js';
import { makeResult } from './results.js';
import { expectShortAxes, readShape } from './shape.js';
import { itemSizes, perform } from './work.js';

/**
 * @import { Into } from './results.js'
 * @import { Tensor } from './tensor.js'
 * @import { Prepared, Work } from './work.js'
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
  return perform(normalWork, 'randomNormal', [shape, options]);
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
  return perform(uniformWork, 'randomUniform', [shape, options]);
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
 * Numbers to draw: `first` and `second` are the parameters of the distribution.
 *
 * @typedef {{ key: [number, number, number, number], first: number, second: number }} Draw
 */

/**
 * Makes a tensor for random numbers.
 *
 * @param {string} caller
 * @param {number[]} shape
 * @param {unknown} into
 * @param {Draw} data
 * @returns {Prepared<Draw, { output: Tensor }>}
 */
function prepareDraw(caller, shape, into, data) {
  expectShortAxes(caller, 'shape', shape);
  const output = makeResult(caller, into, shape, {});
  const { length } = output.data;
  const operations = length * EXPONENTIAL;
  const sizes = itemSizes(length);
  return { data, results: { output }, sizes, operations, isEmpty: length === 0, into };
}

/**
 * Returns the steps of a function that draws numbers.
 *
 * @param {Work<Draw, { output: Tensor }>['prepare']} prepare
 * @param {'attn_random_normal' | 'attn_random_uniform'} name
 * @returns {Work<Draw, { output: Tensor }>}
 */
const drawWork = (prepare, name) => ({
  prepare,
  compute(kernel, { key, first, second }, { output: { data } }) {
    const block = kernel.floats(data.length);
    kernel.call(name, ...key, data.length, first, second, block);
    kernel.read(block, data);
  },
  finish: ({ results }) => results.output,
});

const normalWork = /* @__PURE__ */ drawWork((caller, shape, options) => {
  const axes = readAxes(caller, shape);
  const { mean, std, ...rest } = readOptions(caller, options, [...KEY, 'mean', 'std', 'into']);
  const key = readKey(caller, rest);
  const location = readNumber(caller, 'mean', mean, 0);
  const spread = readNumber(caller, 'std', std, 1);
  if (spread < 0) reject(caller, 'std', spread, 'at least 0');
  return prepareDraw(caller, axes, rest.into, { key, first: location, second: spread });
}, 'attn_random_normal');

const uniformWork = /* @__PURE__ */ drawWork((caller, shape, options) => {
  const axes = readAxes(caller, shape);
  const { low, high, ...rest } = readOptions(caller, options, [...KEY, 'low', 'high', 'into']);
  const key = readKey(caller, rest);
  const from = readNumber(caller, 'low', low, 0);
  const to = readNumber(caller, 'high', high, 1);
  if (from > to) reject(caller, 'low', from, `at most high ${to}`);
  return prepareDraw(caller, axes, rest.into, { key, first: from, second: to });
}, 'attn_random_uniform');

export const works = { randomNormal: normalWork, randomUniform: uniformWork };
