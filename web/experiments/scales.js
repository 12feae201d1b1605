/**
 * The scales that models use today, side by side: what each makes of a row of random scores, measured
 * with the kernel, beside its expectation.
 *
 * Assumption: entries of queries and keys are iid N(0, 1), or of another variance. Every scale gets the
 * same queries and keys.
 */
import { attentionScores, attentionStatistics } from '../attention/index.js';
import { keysOf, recordOf } from '../shared/keys.js';
import { times } from '../shared/times.js';
import { expectedEffectiveKeys, expectedSaturation } from '../theory/saturation.js';
import { alignedRow, expectedRow } from '../theory/scales.js';
import { alignedNoise, noise, pairs } from './noise.js';
import { scaleLaw } from './scale-list.js';
import { mean } from './statistics.js';

/**
 * @import { Tensor } from '../attention/index.js'
 * @import { Scale, ScaleSizes } from './scale-list.js'
 * @typedef {ScaleSizes & { scale: Scale }} ScaleSetting
 */

/**
 * @typedef {object} RowStatistics
 * @property {number} effectiveKeys mean over queries of (Σp)²/Σp², which is 1/Σp² where weights sum to 1
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
  const effectiveKeys = expectedEffectiveKeys({ dK, keys, ...law });
  return { effectiveKeys, entropy, maxWeight, trace: 1 - sumOfSquares, rowSum: 1 };
}

/**
 * Returns statistics of queries under a scale that is a softmax, by the kernel.
 * @template {'entropy' | 'effectiveKeys' | 'jacobianTrace' | 'largestWeight' | 'firstWeight' | 'sinkWeight'} R
 * @param {ScaleSetting} setting
 * @param {Tensor} query [..., n, d_k]; of T5's start smaller by √d_k, with scores as they are
 * @param {Tensor} key [..., keys, d_k]
 * @param {readonly R[]} returns
 */
function statisticsOf(setting, query, key, returns) {
  const { factor, cosine, softcap, sink } = scaleLaw(setting);
  const t5 = setting.scale === 't5';
  const asked = t5 ? { ...query, data: query.data.map((entry) => entry * factor) } : query;
  /** @type {'cosine' | 'dot'} */
  const similarity = cosine ? 'cosine' : 'dot';
  const options = { scale: t5 ? 1 : factor, similarity, softcap, sink, returns };
  return /** @type {Record<R, Tensor>} */ (attentionStatistics(asked, key, options));
}

/**
 * Returns the gates of queries on keys, sigmoids of their scores.
 * @param {ScaleSetting} setting
 * @param {Tensor} query [..., n, d_k]
 * @param {Tensor} key [..., keys, d_k]
 */
function gatesOf(setting, query, key) {
  const { factor, bias = 0 } = scaleLaw(setting);
  const { scores } = attentionScores(query, key, { scale: factor });
  return scores.data.map((score) => 1 / (1 + Math.exp(-score - bias)));
}

/** Returns whether a scale has sigmoids in place of a softmax. @param {ScaleSetting} setting */
const isSigmoid = (setting) => scaleLaw(setting).bias !== undefined;

/**
 * Measures the rows of a softmax.
 * @param {ScaleSetting} setting
 * @param {Tensor} query
 * @param {Tensor} key
 * @returns {RowStatistics}
 */
function measureSoftmax(setting, query, key) {
  const found = statisticsOf(setting, query, key, [
    'entropy',
    'effectiveKeys',
    'jacobianTrace',
    'largestWeight',
    'sinkWeight',
  ]);
  const of = (/** @type {keyof typeof found} */ name, by = (/** @type {number} */ x) => x) =>
    mean(Float64Array.from(found[name].data, by));
  const sunk = found.sinkWeight.data;
  return {
    effectiveKeys: mean(
      found.effectiveKeys.data.map((counted, row) => (1 - sunk[row]) ** 2 * counted),
    ),
    entropy: of('entropy') + of('sinkWeight', (p) => (p > 0 ? -p * Math.log(p) : 0)),
    maxWeight: of('largestWeight'),
    trace: of('jacobianTrace'),
    rowSum: 1 - of('sinkWeight'),
  };
}

/**
 * Measures rows of gates.
 * @param {Float32Array} gates
 * @param {number} keys in a row
 * @returns {RowStatistics}
 */
function measureGates(gates, keys) {
  const rows = times(gates.length / keys, (row) =>
    measureRow(gates.subarray(row * keys, (row + 1) * keys)),
  );
  return recordOf(keysOf(rows[0]), (name) => mean(rows.map((row) => row[name])));
}

/** Measures one row of gates. @param {Float32Array} row @returns {RowStatistics} */
function measureRow(row) {
  let [rowSum, maxWeight, squares, logs] = [0, 0, 0, 0];
  for (const p of row) {
    rowSum += p;
    squares += p * p;
    if (p > 0) logs += p * Math.log(p);
    if (p > maxWeight) maxWeight = p;
  }
  return {
    effectiveKeys: rowSum ** 2 / squares,
    entropy: Math.log(rowSum) - logs / rowSum,
    maxWeight,
    trace: rowSum - squares,
    rowSum,
  };
}

/**
 * Measures a scale on random queries and keys.
 * @param {ScaleSetting & { queries?: number, seed: number }} options `queries` 128
 * @returns {RowStatistics}
 */
export function measureScale({ queries = 128, seed, ...setting }) {
  const { dK, keys } = setting;
  const { query, key } = pairs({ dK, keys, queries, seed });
  if (isSigmoid(setting)) return measureGates(gatesOf(setting, query, key), keys);
  return measureSoftmax(setting, query, key);
}

/**
 * Measures the weight on a key ρq + √(1 − ρ²)ε that stands first among the keys of each query.
 * @param {ScaleSetting & { queries?: number, seed: number, rho: number }} options `queries` 128
 * @returns {number} mean over queries
 */
export function measureAligned({ queries = 128, seed, rho, ...setting }) {
  const { dK, keys } = setting;
  const query = noise('query', { rows: queries, columns: dK, seed });
  const other = alignedNoise(queries, dK, seed);
  const rest = Math.sqrt(1 - rho * rho);
  const aligned = query.data.map((entry, i) => rho * entry + rest * other.data[i]);
  const { data } = noise('key', { rows: keys, columns: dK, seed });
  const weights = times(queries, (row) => {
    data.set(aligned.subarray(row * dK, (row + 1) * dK), 0);
    const asked = { data: query.data.subarray(row * dK, (row + 1) * dK), shape: [1, dK] };
    const met = { data, shape: [keys, dK] };
    if (isSigmoid(setting)) return gatesOf(setting, asked, met)[0];
    return statisticsOf(setting, asked, met, ['firstWeight']).firstWeight.data[0];
  });
  return mean(weights);
}

/**
 * Returns the expectation of `measureAligned`.
 * @param {ScaleSetting & { alignments: readonly number[] }} options the ρ
 * @returns {number[]} one weight for each
 */
export function expectedAligned({ alignments, ...setting }) {
  return alignedRow({ dK: setting.dK, keys: setting.keys, alignments, ...scaleLaw(setting) });
}
