/**
 * Can keys serve as values? A small model recalls contents by address: six tokens, one an address,
 * each with one of six contents drawn anew in every batch (fixed contents could be memorised by token).
 * For each address a query of d entries retrieves the content.
 *   tied    token = address + content, key and value at once
 *   untied  keys and values are sums of separate vectors
 * All vectors are learned with Adam (Kingma & Ba, "Adam: a method for stochastic optimization",
 * 2015); the answer is a softmax over contents, its loss the cross-entropy: ln 6 = 1.79 for a guess.
 */
import {
  attention,
  attentionGradient,
  linear,
  linearGradient,
  logSoftmax,
  randomNormal,
  randomUniform,
} from '../attention/index.js';
import { inSlices, workOf } from '../shared/slices.js';
import { dot, mean } from './statistics.js';
import { times } from '../shared/times.js';

/**
 * @import { Tensor } from '../attention/index.js'
 * @import { Control, Work } from '../shared/slices.js'
 */

const N = 6;
const SEQUENCES = 16;
const ROWS = SEQUENCES * N;
const RATE = 0.03;
const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.99;
const FIRST_BATCH_STREAM = 16;
/** Steps of a window, over which numbers are averaged. */
const WINDOW = 50;
const STEPS = 600;
const SEEDS = 3;
const DIMENSIONS = Object.freeze([1, 2, 3, 4, 5, 6, 7, 8]);
/** @type {readonly ('tied' | 'untied')[]} */
const SERIES = Object.freeze(['tied', 'untied']);

/** The loss of a guess, ln 6. */
export const RECALL_GUESS = Math.log(N);

/**
 * Learned vectors of length d, with Adam's two means.
 * @typedef {{ values: Float32Array, first: Float64Array, second: Float64Array }} Table
 */

/** Makes a table of learned vectors. @type {(values: Float32Array) => Table} */
const tableOf = (values) => ({
  values,
  first: new Float64Array(values.length),
  second: new Float64Array(values.length),
});

/** Creates a model; tables of tokens have addresses, then contents. @param {{ d: number, tied: boolean, seed: number }} options */
function createModel({ d, tied, seed }) {
  const draw = (/** @type {number} */ stream) => randomNormal([N * d], { seed, stream }).data;
  const key = tableOf(Float32Array.of(...draw(0), ...draw(1)));
  const value = tied ? key : tableOf(Float32Array.of(...draw(4), ...draw(5)));
  return { d, tied, seed, key, value, query: tableOf(draw(2)), readOut: tableOf(draw(3)) };
}

/** @typedef {ReturnType<typeof createModel>} RecallModel */

/**
 * Returns the tokens; row r is the sum of address r % 6 and its content.
 * @param {Table} table
 * @param {Float32Array} contents of each row
 * @param {number} d
 */
function tokens({ values }, contents, d) {
  const rows = new Float32Array(ROWS * d);
  for (let r = 0; r < ROWS; r++) {
    for (let e = 0; e < d; e++) {
      rows[r * d + e] = values[(r % N) * d + e] + values[(N + contents[r]) * d + e];
    }
  }
  return rows;
}

/**
 * Returns the gradient of a table whose sums are the tokens.
 * @param {Float32Array} dTokens [96, d]
 * @param {Float32Array} contents of each row
 * @param {number} d
 * @returns {Float64Array} [12, d]
 */
function tableGradient(dTokens, contents, d) {
  const gradient = new Float64Array(2 * N * d);
  for (let r = 0; r < ROWS; r++) {
    for (let e = 0; e < d; e++) {
      gradient[(r % N) * d + e] += dTokens[r * d + e];
      gradient[(N + contents[r]) * d + e] += dTokens[r * d + e];
    }
  }
  return gradient;
}

/** Returns the cosine between two vectors. @param {Float64Array} a @param {Float64Array} b */
const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/**
 * Returns the cross-entropy of the answers read off the outputs, and its gradients.
 * @param {Tensor} output [16, 6, d]
 * @param {Table} readOut
 * @param {Float32Array} contents the right ones
 * @param {number} d
 */
function answer(output, readOut, contents, d) {
  const weight = { data: readOut.values, shape: [N, d] };
  const { data: chances, shape } = logSoftmax(linear(output, weight));
  const slopes = chances.map((chance) => Math.exp(chance) / ROWS);
  let loss = 0;
  contents.forEach((content, row) => {
    loss -= chances[row * N + content] / ROWS;
    slopes[row * N + content] -= 1 / ROWS;
  });
  return { loss, ...linearGradient(output, weight, { data: slopes, shape }) };
}

/**
 * Makes one step of Adam on a fresh batch.
 * @param {RecallModel} model
 * @param {number} step from 1
 * @returns {{ loss: number, cosine: number }} the loss before the step, and the cosine between the two
 *   gradients that reach tokens, as keys and as values
 */
function advance(model, step) {
  const { d, seed, tied } = model;
  const stream = FIRST_BATCH_STREAM + step;
  const contents = randomUniform([ROWS], { seed, stream, low: 0, high: N }).data.map(Math.floor);
  const batch = (/** @type {Float32Array} */ data) => ({ data, shape: [SEQUENCES, N, d] });
  const queries = new Float32Array(ROWS * d);
  for (let i = 0; i < queries.length; i++) queries[i] = model.query.values[i % (N * d)];
  const query = batch(queries);
  const key = batch(tokens(model.key, contents, d));
  const value = tied ? key : batch(tokens(model.value, contents, d));
  const { output } = attention(query, key, value);
  const { loss, dX, dWeight } = answer(output, model.readOut, contents, d);
  const back = attentionGradient(query, key, value, dX);
  const byKey = tableGradient(back.dKey.data, contents, d);
  const byValue = tableGradient(back.dValue.data, contents, d);
  const dQuery = new Float64Array(N * d);
  back.dQuery.data.forEach((slope, i) => (dQuery[i % (N * d)] += slope));
  move(model.readOut, dWeight.data, step);
  move(model.query, dQuery, step);
  if (tied) {
    move(
      model.key,
      byKey.map((slope, i) => slope + byValue[i]),
      step,
    );
  } else {
    move(model.key, byKey, step);
    move(model.value, byValue, step);
  }
  return { loss, cosine: cosine(byKey, byValue) };
}

/**
 * Moves a table by one step of Adam.
 * @param {Table} table
 * @param {Float32Array | Float64Array} gradient
 * @param {number} step
 */
function move({ values, first, second }, gradient, step) {
  // Both means begin at zero, and are this much too small.
  const [firstShare, secondShare] = [1 - FIRST_DECAY ** step, 1 - SECOND_DECAY ** step];
  for (let i = 0; i < values.length; i++) {
    first[i] += (1 - FIRST_DECAY) * (gradient[i] - first[i]);
    second[i] += (1 - SECOND_DECAY) * (gradient[i] ** 2 - second[i]);
    const size = Math.sqrt(second[i] / secondShare) + 1e-8;
    values[i] -= (RATE * first[i]) / firstShare / size;
  }
}

/**
 * @typedef {object} RecallRow
 * @property {'tied' | 'untied'} series
 * @property {number} d length of queries, keys and values
 * @property {number} seed
 * @property {number} step the last of a window of 50
 * @property {number} loss mean cross-entropy over the window, each step on a fresh batch
 * @property {number} cosine mean over the window, between the gradients that reach the tokens as
 *   keys and as values; NaN where keys and values are not the same vectors
 */

/**
 * @typedef {object} RecallOptions
 * @property {readonly number[]} [dimensions] 1 … 8
 * @property {number} [seed] of the first run; later runs take the next ones; 1
 * @property {number} [seeds] number of runs of each series and dimension; 3
 * @property {number} [steps] a multiple of 50; 600
 * @property {readonly ('tied' | 'untied')[]} [series] both
 */

/**
 * Returns the work of all runs, window by window in turn, so that the rows so far can be compared.
 * @param {RecallOptions} options
 * @returns {Work<RecallRow>}
 */
export function recallRuns({
  dimensions = DIMENSIONS,
  seed = 1,
  seeds = SEEDS,
  steps = STEPS,
  series = SERIES,
}) {
  const models = times(seeds, (i) => seed + i).flatMap((each) =>
    dimensions.flatMap((d) =>
      series.map((name) => createModel({ d, tied: name === 'tied', seed: each })),
    ),
  );
  /** @type {RecallRow[]} */
  const rows = [];
  /** @type {ReturnType<typeof advance>[]} */
  let recent = [];
  // A part is half a window, since a whole one may take too long on a slow device.
  const work = (/** @type {number} */ part) => {
    const model = models[Math.floor(part / 2) % models.length];
    const first = 1 + WINDOW * Math.floor(part / 2 / models.length);
    const half = part % 2;
    for (let i = 0; i < WINDOW / 2; i++) {
      recent.push(advance(model, first + half * (WINDOW / 2) + i));
    }
    if (half === 1) {
      rows.push({
        series: model.tied ? 'tied' : 'untied',
        d: model.d,
        seed: model.seed,
        step: first + WINDOW - 1,
        loss: mean(recent.map(({ loss }) => loss)),
        cosine: model.tied ? mean(recent.map((each) => each.cosine)) : NaN,
      });
      recent = [];
    }
  };
  return workOf(2 * models.length * (steps / WINDOW), work, () => rows.slice());
}

/**
 * Trains tied and untied models of every dimension, in slices with pauses between them. Cancelling
 * resolves to the rows so far.
 * @param {RecallOptions & Control<RecallRow>} [options]
 * @returns {Promise<RecallRow[]>}
 */
export const measureRecall = async ({ signal, onProgress, ...options } = {}) =>
  inSlices(recallRuns(options), { signal, onProgress });

/**
 * Trains one model and returns its final loss.
 * @param {{ d: number, tied: boolean, seed?: number, steps?: number, signal?: AbortSignal }} options
 *   `seed` 1, `steps` 600
 * @returns {Promise<number>} mean cross-entropy over the last 50 steps, each on a fresh batch; for a
 *   cancelled run over the last 50 that it completed, NaN if there are none
 */
export async function recallLoss({ d, tied, signal, ...options }) {
  /** @type {RecallOptions['series']} */
  const series = [tied ? 'tied' : 'untied'];
  const rows = await measureRecall({ dimensions: [d], seeds: 1, series, signal, ...options });
  return rows[rows.length - 1]?.loss ?? NaN;
}
