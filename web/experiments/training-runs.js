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
 * How models score, and how their weights follow the gradient, is in training-scores.js; the softmax and
 * its gradient are the kernel's.
 */
import {
  additiveAttention,
  additiveAttentionGradient,
  entropy,
  randomNormal,
  softmax,
  softmaxGradient,
} from '../attention/index.js';
import { checkChoice, checkNames } from '../shared/check.js';
import { dkScale } from '../shared/dk-scales.js';
import { asymmetryOf, mean } from './statistics.js';
import {
  descend,
  multiply,
  score,
  SEQUENCES,
  subtract,
  TOKENS,
  VALUES,
  WIDTH,
} from './training-scores.js';

/**
 * @import { DkScaleName } from '../shared/dk-scales.js'
 * @import { TrainingModel, TrainingRow, TrainingTask } from './training.js'
 */

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
 * @throws {RangeError} for an unknown task
 */
export function trainingBatch({ task, seed, step, ...others }) {
  checkNames('trainingBatch', others, 'task, seed, step');
  checkChoice('trainingBatch', 'task', task, UNIFORM_LOSS);
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

/**
 * Makes the mean of the marked half of the tokens the answer.
 * @param {Batch} batch
 * @param {number} b
 */
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
 * @property {Float32Array[]} weights W_Q, W_K [16, d]; norm: also the gain [1]; additive: W₁, W₂ [d, 16]
 *   and v [d]
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
  const draw = (/** @type {number} */ stream, /** @type {number} */ length) =>
    randomNormal([length], { seed, stream, std: 1 / Math.sqrt(WIDTH) }).data;
  const weights = [draw(0, WIDTH * dK), draw(1, WIDTH * dK)];
  const setup = MODELS[model](dK);
  const { start = 1, pace = 1, gain } = setup;
  for (const weight of weights) for (let i = 0; i < weight.length; i++) weight[i] *= start;
  if (model === 'additive') {
    weights.push(randomNormal([dK], { seed, stream: 2, std: 1 / Math.sqrt(dK) }).data);
  }
  if (gain !== undefined) weights.push(Float32Array.of(gain));
  const history = { steps: 0, sums: noSums(), rows: [] };
  return { model, rate, seed, pace: rate * pace, setup, weights, ...history };
}

/**
 * Overwrites an answer by ∂loss/∂answer, and returns the loss.
 * @param {Float32Array} answer [16, 8]
 * @param {Float32Array} target
 */
function differentiateLoss(answer, target) {
  let loss = 0;
  for (let i = 0; i < answer.length; i++) {
    const error = answer[i] - target[i];
    loss += error * error;
    answer[i] = (2 * error) / answer.length;
  }
  return loss / answer.length;
}

/**
 * Computes the loss of a batch and its gradient by the weights.
 * @param {Float32Array} weights of attention, [16, 16]
 * @param {Batch} batch
 * @param {Float32Array} dWeights [16, 16], written: ∂loss/∂weights
 * @returns {number} the loss
 */
function judge(weights, { value, target }, dWeights) {
  const answer = new Float32Array(SEQUENCES * VALUES);
  for (let row = 0; row < SEQUENCES * TOKENS; row++) {
    const place = Math.floor(row / TOKENS) * VALUES;
    for (let a = 0; a < VALUES; a++) answer[place + a] += weights[row] * value[row * VALUES + a];
  }
  const loss = differentiateLoss(answer, target);
  for (let row = 0; row < SEQUENCES * TOKENS; row++) {
    const place = Math.floor(row / TOKENS) * VALUES;
    let sum = 0;
    for (let a = 0; a < VALUES; a++) sum += answer[place + a] * value[row * VALUES + a];
    dWeights[row] = sum;
  }
  return loss;
}

const noSums = () => ({ loss: 0, gradientNorm: 0, entropyRatio: 0 });

/**
 * Records a step of a run.
 * @param {Run} run
 * @param {number} loss
 * @param {number} norm of the gradient
 * @param {Float32Array} entropies of the rows of attention
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

/**
 * Makes a step of every dot-product model of a seed, with one call of softmax for all.
 * @param {readonly Run[]} runs
 * @param {Batch} batch
 */
export function stepDotProduct(runs, batch) {
  if (runs.length === 0) return;
  const size = SEQUENCES * TOKENS;
  const part = (/** @type {Float32Array} */ all, /** @type {number} */ index) =>
    all.subarray(index * size, (index + 1) * size);
  const shape = [runs.length * SEQUENCES, TOKENS];
  const scores = { data: new Float32Array(runs.length * size), shape };
  const forward = runs.map((run, index) => score(run, batch, part(scores.data, index)));
  const weights = softmax(scores);
  const entropies = entropy(weights).data;
  const dWeights = { data: new Float32Array(runs.length * size), shape };
  const losses = runs.map((_, index) =>
    judge(part(weights.data, index), batch, part(dWeights.data, index)),
  );
  const dScores = softmaxGradient(scores, dWeights);
  runs.forEach((run, index) => {
    const norm = descend(run, forward[index], part(dScores.data, index));
    const rows = entropies.subarray(index * SEQUENCES, (index + 1) * SEQUENCES);
    record(run, losses[index], norm, rows);
  });
}

/**
 * Makes a step of an additive model.
 * @param {Run} run
 * @param {Batch} batch
 */
export function stepAdditive(run, batch) {
  const inputs = /** @type {const} */ ([
    { data: batch.query, shape: [SEQUENCES, 1, WIDTH] },
    { data: batch.key, shape: [SEQUENCES, TOKENS, WIDTH] },
    { data: batch.value, shape: [SEQUENCES, TOKENS, VALUES] },
  ]);
  const [queryWeight, keyWeight, scoreWeight] = run.weights;
  const hidden = scoreWeight.length;
  const options = {
    queryWeight: { data: queryWeight, shape: [hidden, WIDTH] },
    keyWeight: { data: keyWeight, shape: [hidden, WIDTH] },
    scoreWeight: { data: scoreWeight, shape: [hidden] },
  };
  const { output, weights } = additiveAttention(...inputs, { ...options, returns: ['weights'] });
  const loss = differentiateLoss(output.data, batch.target);
  const gradient = additiveAttentionGradient(...inputs, output, options);
  const { dQueryWeight, dKeyWeight, dScoreWeight } = gradient;
  const squares = [dQueryWeight, dKeyWeight, dScoreWeight]
    .map(({ data }, index) => subtract(run.weights[index], data, run.pace))
    .reduce((sum, square) => sum + square, 0);
  record(run, loss, Math.sqrt(squares), entropy(weights).data);
}

/**
 * Returns the asymmetry of the relation that a head computes, x_q M x_jᵀ with M = W_Q W_Kᵀ:
 * ‖M − Mᵀ‖/‖M + Mᵀ‖, 0 for a symmetric one, about 1 for independent random weights.
 * @param {readonly Float32Array[]} weights W_Q and W_K, [16, d]
 * @returns {number}
 */
export function relationAsymmetry(weights) {
  return asymmetryOf(multiply(weights[0], weights[1]), WIDTH);
}
