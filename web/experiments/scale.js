/**
 * Ways to choose the factor, on one map: their effects on random scores at a given d_k, and on the
 * weight of a key that is aligned with the query; measured with the kernel, beside theory.
 *
 * Assumption: entries of queries and keys are iid N(0, variance); the aligned key of a query q is
 * ρq + √(1 − ρ²)ε, with ε another such vector.
 */
import { entropy, softmax } from '../attention/index.js';
import { expectedSaturation } from '../theory/saturation.js';
import { alignedWeights } from '../theory/scale.js';
import { expectedRow } from '../theory/scales.js';
import { recent } from '../shared/recent.js';
import { alignedNoise, pairs } from './noise.js';
import { SCALE_CHOICES, scaleLaw } from './scale-list.js';
import { scoresOf } from './scores.js';
import { mean } from './statistics.js';

/**
 * @import { ScaleChoice, ScaleSizes } from './scale-list.js'
 * @typedef {{ data: Float32Array, shape: number[] }} Tensor
 * @typedef {ScaleSizes & { choice: ScaleChoice }} ChoiceOptions
 */

/**
 * Returns the number that multiplies q·k; for cosine similarity, gain/(variance·d_k), as at typical lengths.
 * @param {ChoiceOptions} options
 */
export function choiceFactor(options) {
  const { dK, variance = 1 } = options;
  const { factor, cosine } = lawOf({ ...options, variance: 1 });
  return cosine ? factor / dK / variance : factor;
}

/** Returns α of the factor d_k^{−α}. @param {ChoiceOptions} options */
export function choiceExponent(options) {
  return Math.log(1 / choiceFactor(options)) / Math.log(options.dK);
}

/** Returns the arguments of theory. @param {ChoiceOptions} options */
function lawOf({ choice, ...sizes }) {
  const { factor, cosine = false } = scaleLaw({ ...sizes, scale: choice });
  return { dK: sizes.dK, keys: sizes.keys, cosine, factor };
}

/**
 * Returns the dot products of rows with rows of the same index.
 * @param {Tensor} a [..., d]
 * @param {Tensor} b the same number of rows
 * @returns {Float32Array} one for each row
 */
function rowProducts(a, b) {
  const d = a.shape[a.shape.length - 1];
  const rows = a.data.length / d;
  const each = (/** @type {Tensor} */ { data }) => ({ data, shape: [rows, 1, d] });
  return scoresOf(each(a), each(b)).data;
}

/**
 * Measures the quantities that all choices share: scores before any factor, [queries, keys], and for each
 * query the products that make up the score of a key aligned with it.
 * @param {number} dK
 * @param {number} keys
 * @param {number} queries
 * @param {number} seed
 */
function drawSample(dK, keys, queries, seed) {
  const { query, key } = pairs({ dK, keys, queries, seed });
  const other = alignedNoise(queries, dK, seed);
  const scores = [scoresOf(query, key), scoresOf(query, key, { similarity: 'cosine' })];
  const products = [
    rowProducts(query, query),
    rowProducts(query, other),
    rowProducts(other, other),
  ];
  return { scores, products };
}

const sampleOf = recent(1, drawSample);

/**
 * Measures one choice.
 * @param {ChoiceOptions & { queries: number, seed: number }} options
 * @returns {{ random: Tensor, weights: (rho?: number) => Tensor }} scores with random keys, before the
 *   factor; weights of these or, given ρ, where the first key is aligned
 */
function measured({ queries, seed, ...options }) {
  const { dK, keys, cosine, factor } = lawOf(options);
  const { scores, products } = sampleOf(dK, keys, queries, seed);
  const [square, cross, otherSquare] = products;
  const random = scores[Number(cosine)];
  const weights = (/** @type {number | undefined} */ rho) => {
    const data = Float32Array.from(random.data);
    for (let row = 0; rho !== undefined && row < queries; row++) {
      const rest = Math.sqrt(1 - rho ** 2);
      const dot = rho * square[row] + rest * cross[row];
      const keySquare = rho * dot + rest * (rho * cross[row] + rest * otherSquare[row]);
      data[row * keys] = cosine ? dot / Math.sqrt(square[row] * keySquare) : dot;
    }
    return softmax({ data, shape: random.shape }, { temperature: 1 / factor });
  };
  return { random, weights };
}

/**
 * @typedef {object} ScaleRow
 * @property {ScaleChoice} choice
 * @property {number} alpha exponent of the factor d_k^{−α} at this d_k
 * @property {number} deviation standard deviation of the random scores
 * @property {number} deviationTheory factor·variance·√d_k
 * @property {number} entropyRatio mean over queries of entropy / ln keys, random keys alone
 * @property {number} entropyRatioTheory its expectation
 */

/**
 * Measures the effect of each choice on random scores.
 * @param {Omit<ChoiceOptions, 'choice'> & { queries?: number, seed: number }} options `queries` 128
 * @returns {ScaleRow[]} one for each choice, in the order of SCALE_CHOICES
 */
export function scaleChoices({ queries = 128, seed, ...options }) {
  const { dK, keys, variance = 1 } = options;
  return SCALE_CHOICES.map((choice) => {
    const setting = { ...options, choice };
    const { cosine, ...law } = lawOf(setting);
    const { random, weights } = measured({ ...setting, queries, seed });
    const square = mean(random.data.map((score) => score * score));
    return {
      choice,
      alpha: choiceExponent(setting),
      deviation: law.factor * Math.sqrt(square),
      deviationTheory: choiceFactor(setting) * variance * Math.sqrt(dK),
      entropyRatio: mean(entropy(weights()).data) / Math.log(keys),
      entropyRatioTheory: cosine
        ? expectedRow({ ...law, cosine }).entropy / Math.log(keys)
        : expectedSaturation({ ...law, largest: false }).entropyRatio,
    };
  });
}

/**
 * @typedef {object} AlignmentRow
 * @property {ScaleChoice} choice
 * @property {number} rho
 * @property {number} weight mean over queries of the weight on the aligned key
 * @property {number} theory its expectation
 */

/**
 * Measures the weight on an aligned key against its alignment.
 * @param {ChoiceOptions & { queries?: number, seed: number, alignments: readonly number[] }} options
 *   `queries` 128; `alignments` are the ρ, 0 … 1
 * @returns {AlignmentRow[]} one for each alignment
 */
export function alignmentCurve({ queries = 128, seed, alignments, ...options }) {
  const { choice, keys } = options;
  const { weights } = measured({ ...options, queries, seed });
  const theory = alignedWeights({ ...lawOf(options), alignments });
  return alignments.map((rho, index) => {
    const { data } = weights(rho);
    const weight = mean(Float64Array.from({ length: queries }, (_, row) => data[row * keys]));
    return { choice, rho, weight, theory: theory[index] };
  });
}
