/**
 * Attention whose queries and keys are rounded to int8, against float32. Each query and each key is rounded to whole
 * numbers of a step of its own, of which its largest entry has 127. Sums of their products are exact here: below d_k = 1040
 * float32 holds them all. Scores and softmax are float32.
 *
 * Softmax does not see what all keys share, but it makes their steps longer. In rows that are `centred` the mean of the
 * keys was taken off before they were rounded.
 */
import { randomNormal, softmax } from '../attention/index.js';
import { factorOf, SCALINGS } from './factors.js';
import { pairs } from './noise.js';
import { scoresOf } from './scores.js';
import { mean, rowsOf } from './statistics.js';

/**
 * @import { ScaleFactor, Scaling } from './factors.js'
 * @import { Tensor } from './scores.js'
 */

/** The steps on each side of 0. */
const STEPS = 127;
/** The stream of the vector that all keys share; those of queries and keys are smaller. */
const SHARED_STREAM = 2 ** 40;

/**
 * The errors at one d_k, which softmax sees: of scores less the mean error of their query.
 * @typedef {object} Int8Row
 * @property {Scaling} scaling
 * @property {boolean} centred whether the mean key was taken off first
 * @property {number} dK
 * @property {number} shared
 * @property {number} scoreError root mean square
 * @property {number} expError mean of |e^error − 1|, by which exponentials are off
 * @property {number} weightError mean over queries of Σ|p′ − p|/2, the weight that is on other keys
 */

/**
 * Measures the errors of both series, with the mean key kept and taken off.
 * @param {{ dK: number, keys: number, queries: number, seed: number, shared: number, entrySize?: number,
 *   factor?: ScaleFactor }} options shared: the deviation of the entries of a vector that is added to all keys, in
 *   deviations of their own entries; as in `precisionCurve` else
 * @returns {Int8Row[]}
 */
export function int8Errors({ shared, entrySize = 1, factor = '1/√d', ...sample }) {
  const { dK } = sample;
  const { query, key: own } = pairs({ ...sample, entrySize });
  const common = randomNormal([dK], { seed: sample.seed, stream: SHARED_STREAM }).data;
  const key = {
    data: own.data.map((entry, i) => entry + shared * entrySize * common[i % dK]),
    shape: own.shape,
  };
  const exact = scoresOf(query, key);
  const both = [false, true].map((centred) => ({
    centred,
    scores: roundedScores(query, centred ? lessMean(key) : key),
  }));
  return SCALINGS.flatMap((scaling) =>
    both.map(({ centred, scores }) => ({
      scaling,
      centred,
      dK,
      shared,
      ...errorsOf(scores, exact, factorOf(scaling, factor, dK)),
    })),
  );
}

/** Takes the mean of each set of keys off. @param {Tensor} key [sets, keys, d] @returns {Tensor} */
function lessMean({ data, shape }) {
  const [sets, keys, d] = shape;
  const less = new Float32Array(data);
  for (let set = 0; set < sets; set++) {
    const first = set * keys * d;
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let i = 0; i < keys; i++) sum += data[first + i * d + j];
      for (let i = 0; i < keys; i++) less[first + i * d + j] -= sum / keys;
    }
  }
  return { data: less, shape };
}

/** Rounds each row to whole numbers of a step. @param {Tensor} x @returns {{ whole: Tensor, steps: Float64Array }} */
function toInt8({ data, shape }) {
  const d = shape[shape.length - 1];
  const steps = new Float64Array(data.length / d);
  const whole = new Float32Array(data.length);
  for (let row = 0; row < steps.length; row++) {
    const entries = data.subarray(row * d, (row + 1) * d);
    steps[row] = entries.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0) / STEPS;
    if (steps[row] > 0)
      whole.set(
        entries.map((entry) => Math.round(entry / steps[row])),
        row * d,
      );
  }
  return { whole: { data: whole, shape }, steps };
}

/** Returns the scores of rounded queries and keys. @param {Tensor} query [sets, n, d] @param {Tensor} key [sets, keys, d] */
function roundedScores(query, key) {
  const [q, k] = [query, key].map(toInt8);
  const { data, shape } = scoresOf(q.whole, k.whole);
  const keys = shape[1];
  const each = query.shape[1];
  for (let row = 0; row < shape[0]; row++) {
    const set = Math.floor(row / each);
    for (let j = 0; j < keys; j++) data[row * keys + j] *= q.steps[row] * k.steps[set * keys + j];
  }
  return { data, shape };
}

/**
 * Compares scores with the exact ones.
 * @param {Tensor} scores [queries, keys]
 * @param {Tensor} exact
 * @param {number} factor of both
 */
function errorsOf(scores, exact, factor) {
  const { data, shape } = scores;
  const [queries, keys] = shape;
  const scaled = (/** @type {Tensor} */ of) => ({ data: of.data.map((s) => factor * s), shape });
  const [rounded, whole] = [scores, exact].map((each) => softmax(scaled(each)).data);
  const errors = rowsOf({ data: data.map((score, i) => factor * (score - exact.data[i])), shape });
  let [squares, exponentials, moved] = [0, 0, 0];
  errors.forEach((row, i) => {
    const common = mean(row);
    row.forEach((error, j) => {
      squares += (error - common) ** 2;
      exponentials += Math.abs(Math.expm1(error - common));
      moved += Math.abs(rounded[i * keys + j] - whole[i * keys + j]) / 2;
    });
  });
  return {
    scoreError: Math.sqrt(squares / data.length),
    expError: exponentials / data.length,
    weightError: moved / queries,
  };
}
