/** Claims about the roles of queries, keys, values, heads and the scale. */
import {
  attentionGradient,
  attentionScores,
  parameterCount,
  randomNormal,
  roundToFloat16,
} from '../../attention/index.js';
import { failures } from '../precision.js';
import { transposed } from '../statistics.js';
import { finalLosses, TRAINING_RATES, trainInSlices } from '../training.js';
import { relationAsymmetry } from '../training-runs.js';
import { deviation, scoresOf, spreadOf } from './samples.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { TrainingOptions as Options } from '../training.js'
 * @import { Cancellable } from './samples.js'
 */

/** Returns ‖a − b‖/‖a‖. @param {Tensor} a @param {Tensor} b @returns {number} */
function relativeDifference(a, b) {
  let [difference, size] = [0, 0];
  for (let i = 0; i < a.data.length; i++) {
    difference += (a.data[i] - b.data[i]) ** 2;
    size += a.data[i] ** 2;
  }
  return Math.sqrt(difference / size);
}

/** Returns the largest |a − b| of two entries. @param {Tensor} a @param {Tensor} b */
const largestDifference = (a, b) =>
  a.data.reduce((most, x, i) => Math.max(most, Math.abs(x - b.data[i])), 0);

/** Adds a vector to each row. @param {Tensor} tensor @param {Float32Array} vector @returns {Tensor} */
const shifted = ({ data, shape }, vector) => ({
  data: data.map((x, i) => x + vector[i % vector.length]),
  shape,
});

/** Measures the effect of exchanging queries and keys, and of shifting them. */
export function swapped() {
  const [query, key] = [randomNormal([8, 16], { seed: 1 }), randomNormal([8, 16], { seed: 2 })];
  const weightsOf = (/** @type {Tensor} */ q, /** @type {Tensor} */ k) =>
    attentionScores(q, k, { returns: ['weights'] }).weights;
  const weights = weightsOf(query, key);
  const vector = randomNormal([16], { seed: 3 }).data;
  return {
    difference: largestDifference(transposed(weightsOf(key, query)), weights),
    keysShifted: largestDifference(weightsOf(query, shifted(key, vector)), weights),
    queriesShifted: largestDifference(weightsOf(shifted(query, vector), key), weights),
  };
}

/** Measures the difference of the gradients of query and key. */
export function twoGradients() {
  const [x, value, dOutput] = [1, 2, 3].map((seed) => randomNormal([16, 16], { seed }));
  const { dQuery, dKey } = attentionGradient(x, x, value, dOutput);
  return { difference: relativeDifference(dQuery, dKey) };
}

/** Measures the asymmetry of the learned relation. @param {Cancellable} control */
export async function asymmetry({ signal }) {
  const at = async (/** @type {'retrieve' | 'turn'} */ task, /** @type {number} */ steps) => {
    const setting = { task, dK: 16, repetitions: 1, steps, rates: [1], signal };
    const { weights } = await trainInSlices({ ...setting, models: ['1/√d'] });
    return relationAsymmetry(weights[0]);
  };
  return {
    start: await at('retrieve', 1),
    symmetric: await at('retrieve', 300),
    directed: await at('turn', 300),
  };
}

/** Returns the parameters of a layer with 1, 8 and 64 heads. */
export const heads = () => {
  const total = (/** @type {number} */ count) =>
    parameterCount({ dModel: 512, heads: count }).total;
  return { one: total(1), eight: total(8), sixtyFour: total(64) };
};

/** Measures the effect of a factor on values, and on scores. @param {Cancellable} control */
export async function scaledValues(control) {
  const ratio = async (/** @type {number} */ scale) =>
    (await spreadOf({ dK: 64, scale }, control)).entropyRatio;
  // A factor on V does not change the weights: they are those of unscaled scores.
  return { values: await ratio(1), scores: await ratio(1 / 8) };
}

/** Measures the deviation of scores scaled by the size of a head, and of the model. @param {Cancellable} control */
export const headScale = async (control) => ({
  perHead: await deviation({ dK: 64, scale: 1 / 8 }, control),
  model: await deviation({ dK: 64, scale: 1 / Math.sqrt(512) }, control),
});

/** Measures the deviation of scores before and after entries double. @param {Cancellable} control */
export const drift = async (control) => ({
  before: await deviation({ dK: 64, scale: 1 / 8 }, control),
  after: await deviation({ dK: 64, scale: 1 / 8, entrySize: 2 }, control),
});

/** Measures the share of weights that fp16 loses. @param {Cancellable} control */
export async function halfPrecision(control) {
  const lost = async (/** @type {number} */ scale) =>
    failures('fp16', roundToFloat16(await scoresOf({ dK: 64, scale }, control))).zeroWeights;
  return { unscaled: await lost(1), scaled: await lost(1 / 8) };
}

/** Returns what measures the final loss of a training. @param {Cancellable} control */
const finalLoss =
  ({ signal }) =>
  async (/** @type {Options} */ options) =>
    finalLosses((await trainInSlices({ repetitions: 1, ...options, signal })).rows)[0]?.loss ?? NaN;

/** Of the rates that <attn-training> tries, the best of unscaled scores that must stay spread. */
const [, SMALL_RATE] = TRAINING_RATES;

/**
 * Measures the final losses of trainings with and without scale: medians of three seeds, each scale at the best
 * of the rates of <attn-training>, which has the same numbers.
 * @param {Cancellable} control
 */
export async function convergence(control) {
  const loss = finalLoss(control);
  /** @type {Record<'average' | 'retrieve', Omit<Options, 'models'>>} */
  const { average, retrieve } = {
    average: { task: 'average', repetitions: 3 },
    retrieve: { task: 'retrieve', repetitions: 3 },
  };
  const twin = { ...retrieve, dK: 16, rates: [1], repetitions: 1 };
  return {
    averageUnscaled: await loss({ ...average, models: ['none'], rates: [SMALL_RATE] }),
    averageScaled: await loss({ ...average, models: ['1/√d'], rates: [1] }),
    retrieveUnscaled: await loss({ ...retrieve, models: ['none'], rates: [0.1] }),
    retrieveScaled: await loss({ ...retrieve, models: ['1/√d'], rates: [1] }),
    twin: (await loss({ ...twin, models: ['twin'] })) - (await loss({ ...twin, models: ['1/√d'] })),
  };
}

/**
 * Measures the final losses of dot products without a scale and of additive attention, each at a learning
 * rate near its best.
 * @param {Cancellable} control
 */
export async function additiveAgainstDot(control) {
  const loss = finalLoss(control);
  /** @type {Record<'dot' | 'additive', Pick<Options, 'models' | 'rates' | 'repetitions'>>} */
  const { dot, additive } = {
    dot: { models: ['none'], repetitions: 3 },
    additive: { models: ['additive'], rates: [3] },
  };
  /** @type {Record<'average' | 'retrieve', Pick<Options, 'task' | 'rates'>>} */
  const { average, retrieve } = {
    average: { task: 'average' },
    retrieve: { task: 'retrieve', rates: [0.1] },
  };
  return {
    dotSmall: await loss({ ...average, ...dot, dK: 4, rates: [0.1] }),
    additiveSmall: await loss({ ...average, ...additive, dK: 4 }),
    dotLarge: await loss({ ...average, ...dot, rates: [SMALL_RATE] }),
    additiveLarge: await loss({ ...average, ...additive }),
    dotSharp: await loss({ ...dot, ...retrieve }),
    additiveSharp: await loss({ ...additive, ...retrieve }),
  };
}
