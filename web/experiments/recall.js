/**
 * Can keys serve as values? A small model recalls contents by address: six tokens, one an address,
 * each with one of six contents drawn anew in every batch (contents that stay could be memorised by
 * token); six queries ask for the content at each address, out of vectors of d entries.
 *   tied    token = address + content, key and value at once
 *   untied  keys and values are sums of vectors of their own
 * All vectors are learned with Adam (Kingma & Ba, "Adam: a method for stochastic optimization",
 * 2015); the answer is a softmax over contents, its loss the cross-entropy: ln 6 = 1.79 for a guess.
 */
import {
  logSoftmax,
  randomNormal,
  randomUniform,
  softmax,
  softmaxGradient,
} from '../attention/index.js';
import { mean } from './statistics.js';
import { now, pause } from './timing.js';

const N = 6;
const SEQUENCES = 16;
const ROWS = SEQUENCES * N;
const SHAPE = [ROWS, N];
const RATE = 0.03;
const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.99;
const FIRST_BATCH_STREAM = 16;
const FINAL_STEPS = 50;
const SLICE_MILLISECONDS = 40;

/** Learned vectors, [6, d] each, with Adam's two means. */
const tableOf = (/** @type {Float32Array} */ values) => ({
  values,
  first: new Float64Array(values.length),
  second: new Float64Array(values.length),
});

/** @typedef {ReturnType<typeof tableOf>} Table */

/** @param {{ d: number, tied: boolean, seed: number }} options */
function createModel({ d, tied, seed }) {
  const table = (/** @type {number} */ stream) =>
    tableOf(randomNormal([N * d], { seed, stream }).data);
  const [address, content, query, readOut] = [0, 1, 2, 3].map(table);
  const own = tied ? [address, content] : [table(4), table(5)];
  return {
    d,
    tied,
    seed,
    address,
    content,
    query,
    readOut,
    valueAddress: own[0],
    valueContent: own[1],
  };
}

/** @typedef {ReturnType<typeof createModel>} Model */

/**
 * Row r of the tokens: address r % 6 and its content.
 * @param {Table} address
 * @param {Table} content
 * @param {Float32Array} contents of each row
 * @param {number} d
 */
function tokens(address, content, contents, d) {
  const rows = new Float32Array(ROWS * d);
  for (let r = 0; r < ROWS; r++) {
    for (let e = 0; e < d; e++) {
      rows[r * d + e] = address.values[(r % N) * d + e] + content.values[contents[r] * d + e];
    }
  }
  return rows;
}

/** The dot product of two rows. */
const dot = (
  /** @type {ArrayLike<number>} */ a,
  /** @type {number} */ i,
  /** @type {ArrayLike<number>} */ b,
  /** @type {number} */ j,
  /** @type {number} */ d,
) => {
  let sum = 0;
  for (let e = 0; e < d; e++) sum += a[i * d + e] * b[j * d + e];
  return sum;
};

/** Row i of a += factor · row j of b. */
const add = (
  /** @type {Float32Array | Float64Array} */ a,
  /** @type {number} */ i,
  /** @type {number} */ factor,
  /** @type {ArrayLike<number>} */ b,
  /** @type {number} */ j,
  /** @type {number} */ d,
) => {
  for (let e = 0; e < d; e++) a[i * d + e] += factor * b[j * d + e];
};

/**
 * [96, 6] products of row r of `a` (or row r % 6 of it) with six rows of `b`.
 * @param {(r: number, j: number) => number} entry
 */
function matrix(entry) {
  const data = new Float32Array(ROWS * N);
  for (let r = 0; r < ROWS; r++) for (let j = 0; j < N; j++) data[r * N + j] = entry(r, j);
  return { data, shape: SHAPE };
}

/** First row of the sequence of row r. @param {number} r */
const start = (r) => r - (r % N);

/**
 * One step of Adam on a fresh batch.
 * @param {Model} model
 * @param {number} step from 1
 * @returns {number} the loss before it
 */
function advance(model, step) {
  const { d, seed, query, readOut } = model;
  const stream = FIRST_BATCH_STREAM + step;
  const contents = randomUniform([ROWS], { seed, stream, low: 0, high: N }).data.map(Math.floor);
  const key = tokens(model.address, model.content, contents, d);
  const value = model.tied ? key : tokens(model.valueAddress, model.valueContent, contents, d);
  const scale = 1 / Math.sqrt(d);
  const scores = matrix((r, j) => scale * dot(query.values, r % N, key, start(r) + j, d));
  const weights = softmax(scores).data;
  const output = new Float32Array(ROWS * d);
  for (let r = 0; r < ROWS; r++) {
    for (let j = 0; j < N; j++) add(output, r, weights[r * N + j], value, start(r) + j, d);
  }
  const answers = logSoftmax(matrix((r, k) => dot(output, r, readOut.values, k, d)));
  const dOutput = new Float32Array(ROWS * d);
  const dReadOut = new Float64Array(N * d);
  const chances = softmax(answers).data;
  for (let r = 0; r < ROWS; r++) {
    for (let k = 0; k < N; k++) {
      const slope = (chances[r * N + k] - (k === contents[r] ? 1 : 0)) / ROWS;
      add(dReadOut, k, slope, output, r, d);
      add(dOutput, r, slope, readOut.values, k, d);
    }
  }
  const dWeights = matrix((r, j) => dot(dOutput, r, value, start(r) + j, d));
  const dScores = softmaxGradient(scores, dWeights).data;
  descend(model, { contents, key, weights, dOutput, dScores, dReadOut, scale }, step);
  return -mean(Array.from(contents, (content, r) => answers.data[r * N + content]));
}

/**
 * @param {Model} model
 * @param {{ contents: Float32Array, key: Float32Array, weights: Float32Array, dOutput: Float32Array,
 *   dScores: Float32Array, dReadOut: Float64Array, scale: number }} batch
 * @param {number} step
 */
function descend(model, { contents, key, weights, dOutput, dScores, dReadOut, scale }, step) {
  const { d, query, readOut } = model;
  const dQuery = new Float64Array(N * d);
  const dKey = new Float64Array(ROWS * d);
  const dValue = model.tied ? dKey : new Float64Array(ROWS * d);
  for (let r = 0; r < ROWS; r++) {
    for (let j = 0; j < N; j++) {
      const token = start(r) + j;
      const slope = scale * dScores[r * N + j];
      add(dQuery, r % N, slope, key, token, d);
      add(dKey, token, slope, query.values, r % N, d);
      add(dValue, token, weights[r * N + j], dOutput, r, d);
    }
  }
  move(readOut, dReadOut, step);
  move(query, dQuery, step);
  moveTokens(model.address, model.content, dKey);
  if (!model.tied) moveTokens(model.valueAddress, model.valueContent, dValue);

  /** @param {Table} address @param {Table} content @param {Float64Array} dTokens */
  function moveTokens(address, content, dTokens) {
    const [dAddress, dContent] = [new Float64Array(N * d), new Float64Array(N * d)];
    for (let r = 0; r < ROWS; r++) {
      add(dAddress, r % N, 1, dTokens, r, d);
      add(dContent, contents[r], 1, dTokens, r, d);
    }
    move(address, dAddress, step);
    move(content, dContent, step);
  }
}

/** @param {Table} table @param {Float64Array} gradient @param {number} step */
function move({ values, first, second }, gradient, step) {
  for (let i = 0; i < values.length; i++) {
    first[i] += (1 - FIRST_DECAY) * (gradient[i] - first[i]);
    second[i] += (1 - SECOND_DECAY) * (gradient[i] ** 2 - second[i]);
    const size = Math.sqrt(second[i] / (1 - SECOND_DECAY ** step)) + 1e-8;
    values[i] -= (RATE * first[i]) / (1 - FIRST_DECAY ** step) / size;
  }
}

/**
 * Trains one model in slices that give the page its turn.
 * @param {{ d: number, tied: boolean, seed?: number, steps?: number, signal?: AbortSignal }} options
 *   `seed` 1, `steps` 600
 * @returns {Promise<number>} mean cross-entropy over the last 50 steps, each on a fresh batch; of a
 *   cancelled run over the last 50 it took
 */
export async function recallLoss({ d, tied, seed = 1, steps = 600, signal }) {
  const model = createModel({ d, tied, seed });
  /** @type {number[]} */
  const losses = [];
  let sliceStart = now();
  for (let step = 1; step <= steps && !signal?.aborted; step++) {
    losses.push(advance(model, step));
    if (now() - sliceStart < SLICE_MILLISECONDS) continue;
    await pause();
    sliceStart = now();
  }
  return mean(losses.slice(-FINAL_STEPS));
}
