/** The options of trainers and trainings. */
import { reject, ShapeError } from '../attention/errors.js';
import {
  readChoice,
  readInteger,
  readNumber,
  readOptions,
  readPositive,
} from '../attention/options.js';
import { readTokens } from './tokens.js';

/**
 * @import { Config } from './model.js'
 * @import { TrainOptions } from './trainer.js'
 */

const OPTIONS = [
  'learningRate',
  'betas',
  'epsilon',
  'weightDecay',
  'clip',
  'warmUp',
  'steps',
  'schedule',
  'seed',
];

/** Reads the options of a trainer. @param {string} caller @param {unknown} options */
export function readSettings(caller, options) {
  const given = readOptions(caller, options, OPTIONS);
  const { betas = [0.9, 0.99] } = given;
  if (!Array.isArray(betas) || betas.length !== 2) reject(caller, 'betas', betas, 'two numbers');
  const [beta1, beta2] = betas.map((beta, i) => below(caller, `betas[${i}]`, beta, 1, 0));
  /** @type {'cosine' | 'constant'} */
  const schedule = readChoice(caller, 'schedule', given.schedule, ['cosine', 'constant']);
  return {
    learningRate: below(caller, 'learningRate', given.learningRate, Infinity, 0.002),
    beta1,
    beta2,
    epsilon: readPositive(caller, 'epsilon', given.epsilon, 1e-8),
    weightDecay: below(caller, 'weightDecay', given.weightDecay, Infinity, 0.01),
    clip: below(caller, 'clip', given.clip, Infinity, 1),
    warmUp: readInteger(caller, 'warmUp', given.warmUp, 0, 100),
    steps: given.steps === undefined ? undefined : readInteger(caller, 'steps', given.steps, 1),
    schedule,
    seed: readInteger(caller, 'seed', given.seed, 0, 0),
  };
}

/**
 * Reads a number from 0 on, below a limit.
 * @param {string} caller @param {string} name @param {unknown} value @param {number} limit
 * @param {number} fallback @returns {number}
 */
function below(caller, name, value, limit, fallback) {
  const number = readNumber(caller, name, value, fallback);
  if (number >= 0 && Math.fround(number) < limit) return number;
  const most = limit === Infinity ? '' : `, below ${limit}`;
  return reject(caller, name, number, `at least 0${most}`);
}

/** @typedef {Omit<TrainOptions, 'batch' | 'parts'> & { list: Int32Array, batch: number, parts: number }} Task of
 *   `train`, read */

/**
 * Reads the arguments of `train`.
 * @param {string} caller
 * @param {unknown} tokens
 * @param {unknown} options
 * @param {Config} config
 * @returns {Task}
 */
export function readTask(caller, tokens, options, { vocabulary, context }) {
  const list = readTokens(caller, 'tokens', tokens, vocabulary);
  if (list.length <= context) {
    throw new ShapeError(
      `${caller}: tokens has length ${list.length}, expected at least ${context + 1}, one more than the context`,
    );
  }
  const given = readOptions(caller, options, ['batch', 'parts', 'steps', 'signal', 'onProgress']);
  const { signal, onProgress } = given;
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    reject(caller, 'onProgress', onProgress, 'a function');
  }
  if (signal !== undefined && typeof (/** @type {any} */ (signal)?.throwIfAborted) !== 'function') {
    reject(caller, 'signal', signal, 'an AbortSignal');
  }
  const batch = readInteger(caller, 'batch', given.batch, 1, 16);
  return {
    list,
    batch,
    parts: readParts(caller, given.parts, batch),
    steps: readInteger(caller, 'steps', given.steps, 1),
    signal: /** @type {AbortSignal | undefined} */ (signal),
    onProgress: /** @type {TrainOptions['onProgress']} */ (onProgress),
  };
}

/** Reads the number of parts of a batch. @param {string} caller @param {unknown} parts @param {number} batch */
export function readParts(caller, parts, batch) {
  const count = readInteger(caller, 'parts', parts, 1, 1);
  if (count > batch) reject(caller, 'parts', count, `at most ${batch}, the windows of a batch`);
  return count;
}
