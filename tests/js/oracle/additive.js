/** Additive attention of one head and its gradient, in float64. */
import { attend, attendGradient } from './attention.js';
import { EPSILON } from './error.js';
import { absolute, dot, linear, mix, sum, transpose } from './matrices.js';

/** @import { Matrix } from './matrices.js' */

/**
 * Computes additive attention of one head: scores_ij = v · tanh(W1 q_i + W2 k_j + b).
 * @param {{ query: Matrix, key: Matrix, value: Matrix, queryWeight: Matrix, keyWeight: Matrix,
 *   scoreWeight: number[], bias?: number[], mask?: Matrix,
 *   causal?: 'all' | 'upper-left' | 'lower-right' }} problem
 */
export function additiveAttention(problem) {
  const { query, key, value, queryWeight, keyWeight, scoreWeight, bias, mask, causal } = problem;
  const projected = (/** @type {Matrix} */ x, /** @type {Matrix} */ weight) =>
    x.map((row) => weight.map((w) => dot(w, row)));
  const queries = projected(query, queryWeight);
  const keys = projected(key, keyWeight);
  // The derivative of tanh is at most 1, so an error of its argument arrives at most undiminished.
  const sizes = (/** @type {Matrix} */ x, /** @type {Matrix} */ weight) =>
    projected(absolute(x), absolute(weight));
  const [querySizes, keySizes] = [sizes(query, queryWeight), sizes(key, keyWeight)];
  return attend({
    scores: queries.map((q) =>
      keys.map((k) =>
        sum(scoreWeight, (v, h) => v * Math.tanh(q[h] + k[h] + (bias ? bias[h] : 0))),
      ),
    ),
    scoreMagnitude: querySizes.map((q) =>
      keySizes.map((k) =>
        sum(scoreWeight, (v, h) => Math.abs(v) * (2 + q[h] + k[h] + Math.abs(bias ? bias[h] : 0))),
      ),
    ),
    value,
    mask,
    causal,
  });
}

/**
 * Computes the gradients of Σ output ∘ dOutput for one head of `additiveAttention`; of vectors as one
 * row.
 * @param {Parameters<typeof additiveAttention>[0] & { dOutput: Matrix }} problem
 */
export function additiveAttentionGradient(problem) {
  const { query, key, queryWeight, keyWeight, scoreWeight, bias } = problem;
  const { dScores, dValue, magnitude } = attendGradient(additiveAttention(problem), problem);
  const [queries, keys] = [linear(query, queryWeight, bias), linear(key, keyWeight, undefined)];
  const sizes = [
    linear(absolute(query), absolute(queryWeight), bias?.map(Math.abs)),
    linear(absolute(key), absolute(keyWeight), undefined),
  ];
  /** A term of query i, key j and hidden unit h.
   *  @typedef {(i: number, j: number, h: number) => number} Term */
  const units = scoreWeight.map((_, h) => h);
  const overKeys = (/** @type {Term} */ term) =>
    query.map((_q, i) => units.map((h) => sum(key.map((_k, j) => term(i, j, h)))));
  const overQueries = (/** @type {Term} */ term) =>
    key.map((_k, j) => units.map((h) => sum(query.map((_q, i) => term(i, j, h)))));
  const overPairs = (/** @type {Term} */ term) => [
    units.map((h) => sum(query.map((_q, i) => sum(key.map((_k, j) => term(i, j, h)))))),
  ];
  /** @type {Term} */
  const tanh = (i, j, h) => Math.tanh(queries[i][h] + keys[j][h]);
  /** 1 − tanh², without cancellation. @type {Term} */
  const slope = (i, j, h) => Math.cosh(queries[i][h] + keys[j][h]) ** -2;
  /** Returns the slope of an error bound: the kernel takes a slope below 2⁻⁹⁰ as 0. @type {Term} */
  const slopeSize = (i, j, h) => (slope(i, j, h) < 2 ** -89 ? 2 ** -90 / EPSILON : slope(i, j, h));
  /** Roundings of tanh's argument. @type {Term} */
  const off = (i, j, h) => sizes[0][i][h] + sizes[1][j][h];
  /** @type {Term} */
  const dArgument = (i, j, h) => dScores[i][j] * scoreWeight[h] * slope(i, j, h);
  /** @type {Term} */
  const dArgumentSize = (i, j, h) =>
    Math.abs(scoreWeight[h]) *
    slopeSize(i, j, h) *
    (magnitude.dScores[i][j] + Math.abs(dScores[i][j]) * (3 + 2 * off(i, j, h)));
  /** @type {Term} */
  const dScoreWeight = (i, j, h) => dScores[i][j] * tanh(i, j, h);
  /** @type {Term} */
  const dScoreWeightSize = (i, j, h) =>
    magnitude.dScores[i][j] * Math.abs(tanh(i, j, h)) +
    Math.abs(dScores[i][j]) * (2 + slope(i, j, h) * off(i, j, h));
  /** @param {Matrix} dQueries @param {Matrix} dKeys @param {(x: Matrix) => Matrix} as */
  const back = (dQueries, dKeys, as) => ({
    dQuery: mix(dQueries, as(queryWeight)),
    dKey: mix(dKeys, as(keyWeight)),
    dQueryWeight: mix(transpose(dQueries), as(query)),
    dKeyWeight: mix(transpose(dKeys), as(key)),
  });
  return {
    ...back(overKeys(dArgument), overQueries(dArgument), (x) => x),
    dValue,
    dScoreWeight: overPairs(dScoreWeight),
    dBias: overPairs(dArgument),
    magnitude: {
      ...back(overKeys(dArgumentSize), overQueries(dArgumentSize), absolute),
      dValue: magnitude.dValue,
      dScoreWeight: overPairs(dScoreWeightSize),
      dBias: overPairs(dArgumentSize),
    },
  };
}
