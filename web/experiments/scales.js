/**
 * The scales that models use today, side by side: what each makes of a row of random scores, measured
 * with the kernel, beside its expectation.
 *
 * Assumption: entries of queries and keys are iid N(0, 1), as at initialisation. Every scale gets the
 * same queries and keys.
 */
import { attention, attentionScores } from '../attention/index.js';
import { checkChoice, checkPositive, checkRange, checkSizes } from '../shared/check.js';
import { times } from '../shared/times.js';
import { alignedRow, expectedRow, expectedSaturation } from '../theory/index.js';
import { noise, pairs } from './noise.js';
import { dkScale } from '../shared/dk-scales.js';
import { choiceFactor, SCALE_CHOICES } from './scale.js';
import { mean } from './statistics.js';

/** @import { Tensor } from '../attention/index.js' */
/** @import { RowScale } from '../theory/index.js' */
/** @import { ScaleChoice } from './scale.js' */

/** @typedef {ScaleChoice | 'softcap' | 'softcap-alone' | 'sigmoid' | 'sigmoid-bias' | 'sink'} Scale */

/**
 * @typedef {object} ScaleSetting
 * @property {Scale} scale
 * @property {number} dK at least 2
 * @property {number} keys at least 2
 * @property {number} [temperature] 4
 * @property {number} [gain] g of cosine similarity; 10
 * @property {number} [trained] the number of keys in training, which YaRN compares with; 16
 */

/** The soft cap of Gemma 2's attention layers (2024). */
export const SOFTCAP = 50;

/** What is more than a factor of 1/√d_k. @type {Record<string, (keys: number) => Partial<RowScale>>} */
const MORE = {
  softcap: () => ({ softcap: SOFTCAP }),
  'softcap-alone': () => ({ factor: 1, softcap: SOFTCAP }),
  sigmoid: () => ({ bias: 0 }),
  'sigmoid-bias': (keys) => ({ bias: -Math.log(keys) }),
  sink: () => ({ sink: 0 }),
};

/** The scales: factors first, then caps, sigmoids and the sink. */
export const SCALES = Object.freeze([
  ...SCALE_CHOICES,
  .../** @type {Scale[]} */ (Object.keys(MORE)),
]);

/**
 * Returns what a scale makes of scores.
 * @param {ScaleSetting} setting
 * @returns {RowScale}
 * @throws {RangeError} for an unknown scale, or a number that is not positive
 */
export function scaleLaw({ scale, dK, keys, temperature = 4, gain = 10, trained = 16 }) {
  checkChoice('scaleLaw', 'scale', scale, SCALES);
  checkPositive('scaleLaw', { dK, keys, temperature, gain, trained });
  if (scale in MORE) return { factor: dkScale('sqrt').factor(dK), ...MORE[scale](keys) };
  if (scale === 'cosine') return { factor: gain, cosine: true };
  const choice = /** @type {ScaleChoice} */ (scale);
  return { factor: choiceFactor({ choice, dK, keys, temperature, gain, trained }) };
}

/**
 * @typedef {object} RowStatistics
 * @property {number} effectiveKeys (EΣp)²/EΣp², which is 1/EΣp² where weights sum to 1
 * @property {number} entropy mean entropy of the weights over their sum, in nats; a sink counts as one more
 *   key
 * @property {number} maxWeight mean over queries of the largest weight of a key
 * @property {number} trace mean of Σp(1 − p), the trace of the Jacobian
 * @property {number} rowSum mean sum of a row
 */

/**
 * Returns the expected row of a scale: interpolated where nothing but a factor is in it, which is quick,
 * else integrated.
 * @param {ScaleSetting} setting
 * @returns {RowStatistics}
 */
export function expectedScale(setting) {
  const { dK, keys } = setting;
  const law = scaleLaw(setting);
  if (law.cosine || law.softcap || law.sink !== undefined || law.bias !== undefined) {
    return expectedRow({ dK, keys, ...law });
  }
  const { entropy, maxWeight, sumOfSquares } = expectedSaturation({ dK, keys, ...law });
  const effectiveKeys = 1 / sumOfSquares;
  return { effectiveKeys, entropy, maxWeight, trace: 1 - sumOfSquares, rowSum: 1 };
}

/**
 * Returns the weights of queries on keys under a scale, by the kernel.
 * @param {ScaleSetting} setting
 * @param {Tensor} query [sets, n, d_k]; of T5's start smaller by √d_k, with scores as they are
 * @param {Tensor} key [sets, keys, d_k]
 * @returns {Tensor} [sets, n, keys]
 */
function weightsOf(setting, query, key) {
  const { factor, cosine, softcap, sink, bias } = scaleLaw(setting);
  const t5 = setting.scale === 't5';
  const asked = t5 ? { ...query, data: query.data.map((entry) => entry * factor) } : query;
  /** @type {'cosine' | 'dot'} */
  const similarity = cosine ? 'cosine' : 'dot';
  const options = { scale: t5 ? 1 : factor, similarity, softcap, sink };
  if (bias !== undefined) {
    const { scores } = attentionScores(asked, key, { scale: factor });
    return { ...scores, data: scores.data.map((score) => 1 / (1 + Math.exp(-score - bias))) };
  }
  const noValue = { data: new Float32Array(0), shape: [...key.shape.slice(0, -1), 0] };
  return attention(asked, key, noValue, { ...options, returns: ['weights'] }).weights;
}

/**
 * Returns the statistics of rows of weights.
 * @param {Tensor} weights
 * @param {boolean} hasSink whether what a row lacks to 1 is the sink's
 * @returns {RowStatistics}
 */
function statisticsOf({ data, shape }, hasSink) {
  const keys = shape[shape.length - 1];
  const rows = times(data.length / keys, (row) =>
    rowStatistics(data.subarray(row * keys, (row + 1) * keys), hasSink),
  );
  const of = (/** @type {keyof ReturnType<typeof rowStatistics>} */ name) =>
    mean(rows.map((row) => row[name]));
  const [rowSum, squares] = [of('rowSum'), of('squares')];
  return {
    effectiveKeys: rowSum ** 2 / squares,
    entropy: of('entropy'),
    maxWeight: of('maxWeight'),
    trace: rowSum - squares,
    rowSum,
  };
}

/** Returns those of one. @param {Float32Array} row @param {boolean} hasSink */
function rowStatistics(row, hasSink) {
  let [rowSum, maxWeight, squares, logs] = [0, 0, 0, 0];
  for (const p of row) {
    rowSum += p;
    squares += p * p;
    if (p > 0) logs += p * Math.log(p);
    if (p > maxWeight) maxWeight = p;
  }
  const sunk = hasSink ? Math.max(0, 1 - rowSum) : 0;
  const total = rowSum + sunk;
  const sinkLog = sunk > 0 ? sunk * Math.log(sunk) : 0;
  return { rowSum, maxWeight, squares, entropy: Math.log(total) - (logs + sinkLog) / total };
}

/**
 * Measures a scale on random queries and keys.
 * @param {ScaleSetting & { queries?: number, seed: number }} options `queries` 128
 * @returns {RowStatistics}
 * @throws {RangeError} for a size that is not an integer, or too small
 */
export function measureScale({ queries = 128, seed, ...setting }) {
  const { dK, keys, scale } = setting;
  checkSizes('measureScale', { dK, keys, queries });
  checkRange('measureScale', { dK, keys }, 2);
  const { query, key } = pairs({ dK, keys, queries, seed });
  return statisticsOf(weightsOf(setting, query, key), scale === 'sink');
}

/** Added to the seed for the noise of aligned keys, as in scale.js. */
const ALIGNED_SEED = 2_000_000;

/**
 * Measures the weight on a key ρq + √(1 − ρ²)ε that stands first among the keys of each query.
 * @param {ScaleSetting & { queries?: number, seed: number, rho: number }} options `queries` 128
 * @returns {number} mean over queries
 */
export function measureAligned({ queries = 128, seed, rho, ...setting }) {
  const { dK, keys } = setting;
  checkSizes('measureAligned', { dK, keys, queries });
  checkRange('measureAligned', { rho }, -1, 1);
  const query = noise('query', { rows: queries, columns: dK, seed });
  const other = noise('query', { rows: queries, columns: dK, seed: seed + ALIGNED_SEED });
  const rest = Math.sqrt(1 - rho * rho);
  const aligned = query.data.map((entry, i) => rho * entry + rest * other.data[i]);
  const { data } = noise('key', { rows: keys, columns: dK, seed });
  const weights = times(queries, (row) => {
    data.set(aligned.subarray(row * dK, (row + 1) * dK), 0);
    const asked = { data: query.data.subarray(row * dK, (row + 1) * dK), shape: [1, dK] };
    return weightsOf(setting, asked, { data, shape: [keys, dK] }).data[0];
  });
  return mean(weights);
}

/**
 * Returns the expectation of `measureAligned`.
 * @param {ScaleSetting & { alignments: readonly number[] }} options the ρ
 * @returns {number[]} one weight for each
 */
export const expectedAligned = ({ alignments, ...setting }) =>
  alignedRow({ dK: setting.dK, keys: setting.keys, alignments, ...scaleLaw(setting) });
