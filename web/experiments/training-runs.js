/**
 * The runs of training.js: the tasks that one attention head has to learn, and its steps.
 *
 * A sequence has 16 tokens of 16 iid N(0, 1) entries and as many values of 8 iid N(0, 1) entries;
 * one query belongs to it; a step takes 16 sequences.
 *   'average'   half of the tokens are marked: 3 is added to their first entry, and subtracted from
 *               that of the others; the query is another marked token, the answer is the mean of the
 *               values of the marked ones. Attention has to stay spread.
 *   'retrieve'  the query is one of the tokens plus noise of size 0.5, the answer is that token's
 *               value. Attention has to become sharp.
 *   'turn'      is 'retrieve' with each pair of the query's entries (a, b) turned to (b, −a): a
 *               directed relation, where that of 'retrieve' is symmetric.
 * The loss is the mean squared error of an entry of the answer.
 *
 * The functions of the package compute all scores and gradients; here are the tasks, the loss and the steps.
 */
import {
  additiveAttention,
  additiveAttentionGradient,
  attention,
  attentionGradient,
  entropy,
  linear,
  linearGradient,
  randomNormal,
} from '../attention/index.js';
import { dkScale } from '../shared/dk-scales.js';
import { times } from '../shared/times.js';
import { asymmetryOf, mean, transposed } from './statistics.js';

/**
 * @import { Tensor } from '../attention/index.js'
 * @import { DkScaleName } from '../shared/dk-scales.js'
 * @import { TrainingModel, TrainingRow, TrainingTask } from './training.js'
 */

const WIDTH = 16;
const TOKENS = 16;
const VALUES = 8;
const SEQUENCES = 16;

const MARK = 3;
const NOISE = 0.5;

/** The soft cap of Gemma 2 (2024), and the logit at which Kimi K2 (2025) shrinks the weights. */
const CAP = 50;
const MOST = 100;

/** The course of a run consists of means over this many steps. */
const STRIDE = 10;
/** Streams of a seed for the weights, and then for each step. */
const WEIGHT_STREAMS = 8;
const STEP_STREAMS = 4;

/**
 * What a model is, besides a dot product.
 * @typedef {object} Setup
 * @property {number} scale of the scores
 * @property {number} [start] of the weights
 * @property {number} [pace] of the learning rate
 * @property {number} [cap] c, where scores s become c·tanh(s/c)
 * @property {number} [most] the score above which both matrices shrink after a step
 * @property {number} [gain] the start of a learned factor of cosines
 */

/** Returns the setup of a dot product with a scale alone. @param {DkScaleName} name */
const scaled = (name) => (/** @type {number} */ d) => ({ scale: dkScale(name).factor(d) });

/** @type {Record<TrainingModel, (d: number) => Setup>} */
export const MODELS = {
  none: scaled('none'),
  '1/√d': scaled('1/√d'),
  '1/d': scaled('1/d'),
  twin: (d) => ({ scale: 1, start: d ** -0.25, pace: d ** -0.5 }),
  norm: (d) => ({ scale: 1, gain: Math.sqrt(d) }),
  softcap: (d) => ({ ...scaled('1/√d')(d), cap: CAP }),
  clip: (d) => ({ ...scaled('1/√d')(d), most: MOST }),
  additive: () => ({ scale: 1 }),
};

/** The exact loss of attention that stays uniform. @type {Readonly<Record<TrainingTask, number>>} */
export const UNIFORM_LOSS = Object.freeze({
  average: 1 / 16,
  retrieve: 15 / 16,
  turn: 15 / 16,
});

// ---- tasks ----------------------------------------------------------------------------------

/**
 * @typedef {object} Batch
 * @property {Float32Array} query [16, 16], one for each sequence
 * @property {Float32Array} key [16, 16, 16], the tokens
 * @property {Float32Array} value [16, 16, 8]
 * @property {Float32Array} target [16, 8]
 */

/**
 * Draws the batch of one step, fresh at every step.
 * @param {{ task: TrainingTask, seed: number, step: number }} options
 * @returns {Batch}
 */
export function trainingBatch({ task, seed, step }) {
  const draw = (/** @type {number} */ part, /** @type {number[]} */ shape) =>
    randomNormal(shape, { seed, stream: WEIGHT_STREAMS + STEP_STREAMS * step + part }).data;
  const query = draw(0, [SEQUENCES, WIDTH]);
  const key = draw(1, [SEQUENCES, TOKENS, WIDTH]);
  const value = draw(2, [SEQUENCES, TOKENS, VALUES]);
  const target = new Float32Array(SEQUENCES * VALUES);
  const batch = { query, key, value, target };
  for (let b = 0; b < SEQUENCES; b++) {
    if (task === 'average') targetHalf(batch, b);
    else targetFirst(batch, b, task === 'turn');
  }
  return batch;
}

/** Makes the mean of the marked half of the tokens the answer. @param {Batch} batch @param {number} b */
function targetHalf({ query, key, value, target }, b) {
  query[b * WIDTH] += MARK;
  for (let j = 0; j < TOKENS; j++) {
    const token = b * TOKENS + j;
    const marked = j % 2 === 0;
    key[token * WIDTH] += marked ? MARK : -MARK;
    for (let a = 0; marked && a < VALUES; a++) {
      target[b * VALUES + a] += value[token * VALUES + a] / (TOKENS / 2);
    }
  }
}

/**
 * Makes the first token the answer. Any other would do, since attention knows no order.
 * @param {Batch} batch
 * @param {number} b
 * @param {boolean} turned
 */
function targetFirst({ query, key, value, target }, b, turned) {
  const token = b * TOKENS;
  for (let a = 0; a < WIDTH; a++) {
    const source = turned ? a ^ 1 : a;
    const sign = turned && a % 2 === 1 ? -1 : 1;
    query[b * WIDTH + a] = sign * key[token * WIDTH + source] + NOISE * query[b * WIDTH + a];
  }
  target.set(value.subarray(token * VALUES, (token + 1) * VALUES), b * VALUES);
}

// ---- runs -----------------------------------------------------------------------------------

/**
 * One model in training.
 * @typedef {object} Run
 * @property {TrainingModel} model
 * @property {number} rate nominal learning rate; that of a twin is smaller
 * @property {number} seed
 * @property {number} pace learning rate of the steps
 * @property {Setup} setup
 * @property {Tensor[]} weights W_Q, W_K [16, d]; norm: W_Qᵀ, W_Kᵀ [d, 16] and the gain [1]; additive: W₁,
 *   W₂ [d, 16] and v [d]
 * @property {number} steps taken
 * @property {{ loss: number, gradientNorm: number, entropyRatio: number }} sums over the stretch
 * @property {TrainingRow[]} rows the stretches that are complete
 */

/**
 * Starts a run.
 * @param {{ model: TrainingModel, rate: number, seed: number, dK: number }} options
 * @returns {Run}
 */
export function startRun({ model, rate, seed, dK }) {
  const setup = MODELS[model](dK);
  const { start = 1, pace = 1, gain } = setup;
  const draw = (/** @type {number} */ stream) => {
    const shape = model === 'additive' ? [dK, WIDTH] : [WIDTH, dK];
    const weight = randomNormal(shape, { seed, stream, std: 1 / Math.sqrt(WIDTH) });
    weight.data.forEach((x, i) => (weight.data[i] = start * x));
    return gain === undefined ? weight : transposed(weight);
  };
  const weights = [draw(0), draw(1)];
  if (model === 'additive') {
    weights.push(randomNormal([dK], { seed, stream: 2, std: 1 / Math.sqrt(dK) }));
  }
  if (gain !== undefined) weights.push({ data: Float32Array.of(gain), shape: [1] });
  const history = { steps: 0, sums: noSums(), rows: [] };
  return { model, rate, seed, pace: rate * pace, setup, weights, ...history };
}

const noSums = () => ({ loss: 0, gradientNorm: 0, entropyRatio: 0 });

/**
 * Records a step of a run.
 * @param {Run} run
 * @param {number} loss
 * @param {number} norm of the gradient
 * @param {ArrayLike<number>} entropies of the rows of attention
 */
function record(run, loss, norm, entropies) {
  const { model, rate, seed, sums } = run;
  run.steps += 1;
  sums.loss += loss;
  sums.gradientNorm += norm;
  sums.entropyRatio += mean(entropies) / Math.log(TOKENS);
  const row = { model, rate, seed, step: run.steps };
  if (run.steps === 1) run.rows.push({ ...row, ...sums });
  if (run.steps % STRIDE !== 0) return;
  run.sums = noSums();
  run.rows.push({
    ...row,
    loss: sums.loss / STRIDE,
    gradientNorm: sums.gradientNorm / STRIDE,
    entropyRatio: sums.entropyRatio / STRIDE,
  });
}

// ---- steps ----------------------------------------------------------------------------------

/** Makes a step of a model at some rates. @param {readonly Run[]} runs of one model @param {Batch} batch */
export function step(runs, batch) {
  const { model } = runs[0];
  if (model === 'norm') for (const run of runs) stepNormalised(run, batch);
  else if (model === 'additive') for (const run of runs) stepAdditive(run, batch);
  else stepDotProduct(runs, batch);
}

/**
 * Returns the inputs of attention.
 * @param {Batch} batch
 * @returns {Record<'query' | 'key' | 'value', Tensor>}
 */
const tensorsOf = ({ query, key, value }) => ({
  query: { data: query, shape: [SEQUENCES, 1, WIDTH] },
  key: { data: key, shape: [SEQUENCES, TOKENS, WIDTH] },
  value: { data: value, shape: [SEQUENCES, TOKENS, VALUES] },
});

/**
 * Makes a step of a dot product. Scores are c x_q W_Q W_Kᵀ x_jᵀ: with queries projected by the product of both
 * matrices, tokens themselves are the keys, and the queries of all rates attend to them in one call.
 * @param {readonly Run[]} runs of one model
 * @param {Batch} batch
 */
function stepDotProduct(runs, batch) {
  const { query, key, value } = tensorsOf(batch);
  const { scale, cap, most = Infinity } = runs[0].setup;
  const options = { scale, softcap: cap };
  const shape = [runs.length * WIDTH, WIDTH];
  const products = { data: new Float32Array(shape[0] * WIDTH), shape }; // W_K W_Qᵀ of each run
  const partOf = (/** @type {Tensor} */ { data }, /** @type {number} */ index) =>
    data.subarray(index * WIDTH ** 2, (index + 1) * WIDTH ** 2);
  runs.forEach(({ weights: [queryWeight, keyWeight] }, index) => {
    linear(keyWeight, queryWeight, null, { into: partOf(products, index) });
  });
  const projected = linear(query, products);
  const queries = { data: projected.data, shape: [SEQUENCES, runs.length, WIDTH] };
  const results = attention(queries, key, value, {
    ...options,
    returns: ['weights', 'largestScore'],
  });
  const entropies = entropy(results.weights);
  const losses = differentiateLoss(results.output, batch.target);
  const { dQuery } = attentionGradient(queries, key, value, results.output, options);
  const dProjected = { data: dQuery.data, shape: projected.shape };
  const dProducts = linearGradient(query, products, dProjected).dWeight;
  runs.forEach((run, index) => {
    const [queryWeight, keyWeight] = run.weights;
    const dProduct = { data: partOf(dProducts, index), shape: [WIDTH, WIDTH] };
    const { dX, dWeight } = linearGradient(keyWeight, queryWeight, dProduct);
    const norm = descend(run, [dWeight, dX]);
    const ofRun = (/** @type {Tensor} */ { data }) =>
      times(SEQUENCES, (b) => data[b * runs.length + index]);
    clip(run.weights, Math.max(...ofRun(results.largestScore)), most);
    record(run, losses[index], norm, ofRun(entropies));
  });
}

/** Makes a step of cosines with a learned gain. @param {Run} run @param {Batch} batch */
function stepNormalised(run, batch) {
  const { query, key, value } = tensorsOf(batch);
  const [queryWeight, keyWeight, gain] = run.weights;
  const inputs = /** @type {const} */ ([linear(query, queryWeight), linear(key, keyWeight), value]);
  const options = /** @type {const} */ ({ similarity: 'cosine', scale: gain.data[0] });
  const { output, weights } = attention(...inputs, { ...options, returns: ['weights'] });
  const [loss] = differentiateLoss(output, batch.target);
  const { dQuery, dKey, dScale } = attentionGradient(...inputs, output, options);
  const norm = descend(run, [
    linearGradient(query, queryWeight, dQuery).dWeight,
    linearGradient(key, keyWeight, dKey).dWeight,
    { data: Float32Array.of(dScale), shape: [1] },
  ]);
  record(run, loss, norm, entropy(weights).data);
}

/** Makes a step of an additive model. @param {Run} run @param {Batch} batch */
function stepAdditive(run, batch) {
  const { query, key, value } = tensorsOf(batch);
  const [queryWeight, keyWeight, scoreWeight] = run.weights;
  const options = { queryWeight, keyWeight, scoreWeight };
  const { output, weights } = additiveAttention(query, key, value, {
    ...options,
    returns: ['weights'],
  });
  const [loss] = differentiateLoss(output, batch.target);
  const gradients = additiveAttentionGradient(query, key, value, output, options);
  const { dQueryWeight, dKeyWeight, dScoreWeight } = gradients;
  const norm = descend(run, [dQueryWeight, dKeyWeight, dScoreWeight]);
  record(run, loss, norm, entropy(weights).data);
}

/**
 * Overwrites the answers of some runs by ∂loss/∂answer, and returns their losses.
 * @param {Tensor} answers [16, runs, 8]
 * @param {Float32Array} target [16, 8]
 * @returns {Float64Array} one a run
 */
function differentiateLoss({ data, shape: [, runs] }, target) {
  const losses = new Float64Array(runs);
  data.forEach((answer, i) => {
    const row = Math.floor(i / VALUES);
    const error = answer - target[Math.floor(row / runs) * VALUES + (i % VALUES)];
    losses[row % runs] += error ** 2 / target.length;
    data[i] = (2 * error) / target.length;
  });
  return losses;
}

/**
 * Moves the weights of a run against their gradients.
 * @param {Run} run
 * @param {readonly Tensor[]} gradients
 * @returns {number} norm of all gradients
 */
function descend({ weights, pace }, gradients) {
  let squares = 0;
  weights.forEach(({ data }, index) => {
    const slopes = gradients[index].data;
    for (let i = 0; i < slopes.length; i++) {
      squares += slopes[i] * slopes[i];
      data[i] -= pace * slopes[i];
    }
  });
  return Math.sqrt(squares);
}

/**
 * Shrinks W_Q and W_K alike, so that a score of `largest` would be `most` (Kimi Team 2025).
 * @param {readonly Tensor[]} weights
 * @param {number} largest
 * @param {number} most
 */
function clip(weights, largest, most) {
  if (!(largest > most)) return;
  const factor = Math.sqrt(most / largest);
  for (const { data } of weights) data.forEach((x, i) => (data[i] = factor * x));
}

/**
 * Returns the asymmetry of the relation that a head computes, x_q M x_jᵀ with M = W_Q W_Kᵀ:
 * ‖M − Mᵀ‖/‖M + Mᵀ‖, 0 for a symmetric one, about 1 for independent random weights.
 * @param {readonly Float32Array[]} weights W_Q and W_K, [16, d]
 */
export function relationAsymmetry(weights) {
  const [query, key] = weights.map((data) => ({ data, shape: [WIDTH, data.length / WIDTH] }));
  return asymmetryOf(linear(query, key).data, WIDTH);
}
