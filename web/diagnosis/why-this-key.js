/**
 * The score of a query and a key as a sum over the directions that carry the head.
 *
 * With M = (1/n) Σ q qᵀ over the queries and C the covariance of the keys about their mean k̄, let M = F Fᵀ,
 * C = G Gᵀ, and W turn the rows of FᵀG to right angles. With b_r the columns of F Wᵀ, h_r the rows of W FᵀG,
 * λ_r = |h_r|² and a_r = G h_r / λ_r,
 *   q·k = q·k̄ + Σ_r (q·a_r)(b_r·(k − k̄))
 * for every query and key. Over all pairs the mean square of a term is λ_r, and the mean product of two is 0:
 * it is the singular value decomposition of the scores less the mean of each row, without the scores.
 */
import { reject } from '../attention/errors.js';
import { forHeads, readInputs } from '../attention/heads.js';
import { readInteger, readOptions } from '../attention/options.js';
import { atOnce } from '../shared/slices.js';

/**
 * @import { Steps } from '../shared/slices.js'
 * @import { TensorLike } from '../attention/tensor.js'
 */

/**
 * @typedef {object} WhyOptions
 * @property {number} query the index of the query, from 0
 * @property {number} key the index of the key, from 0
 * @property {number} [terms] the most directions to return; 4
 */

/**
 * The score of a pair: score = common + the terms of the directions + rest.
 *
 * @typedef {object} WhyThisKey
 * @property {number} score q·k, unscaled
 * @property {number} common q·k̄, the query's mean score: the same for every key, so that softmax ignores it
 * @property {{ term: number, share: number, row: Float64Array }[]} directions the part of the score that lies in
 *   each direction; the direction's share of the head's score variance (over the keys of a query, averaged over
 *   the queries): largest share first, 1 in all; and the same part of the query's score with every key [n_k]
 * @property {number} rest the terms of the directions left out, and rounding
 */

/**
 * λ_r, b_r and h_r.
 *
 * @typedef {{ value: number, b: Float64Array, h: Float64Array }} Direction
 */

/**
 * The directions of a head, of which the terms of any pair follow.
 *
 * @typedef {object} HeadDirections
 * @property {Float64Array} middle k̄ [d]
 * @property {Float64Array[]} keyFactors the columns of G
 * @property {(Direction & { share: number, ofKeys: Float64Array })[]} directions  largest λ first, with their
 *   shares of the sum of all λ, and b_r·(k − k̄) of every key [n_k]
 */

/** Smaller parts of a pivot and of the variance are rounding. */
const ROUNDING = 2 ** -48;
/** Vectors are at right angles when the cosine of their angle is below this. */
const RIGHT_ANGLE = 2 ** -44;
/** About ten sweeps over all pairs of directions are enough. */
const MOST_SWEEPS = 40;
/** The multiplications between two pauses: about a millisecond. */
const PART = 2 ** 19;

/**
 * Explains why a query attends to a key as it does: splits q·k into the mean score of the query and a sum
 * over the directions that carry the head, which are uncorrelated over all pairs of queries and keys. A trained
 * head often has few of them. Turning queries and keys alike, or giving both the same new order of entries,
 * changes nothing.
 *
 * All pairs count, also those that a mask or causality would hide. Directions of equal shares are not unique;
 * there are at most as many as d_k, and none if the keys are alike, or if an entry is not finite.
 *
 * Cost: 2·(n_q + n_k)·d_k² + about 100·d_k³ flop in float64 a head, in a fixed order; O(d_k²) memory.
 * Error: with all directions, the rest is at most 1e-7 of the deviation of the scores.
 *
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {WhyOptions} options the pair
 * @returns {WhyThisKey[]} one a head, item after item
 * @throws {ShapeError} if shapes do not fit, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, unknown options or values, a pair that is not there
 * @example
 * const [q, k] = [1, 2].map((seed) => randomNormal([64, 8], { seed }));
 * const [{ score, common, directions, rest }] = whyThisKey(q, k, { query: 5, key: 3, terms: 8 });
 * directions.length; // 8
 * const sum = directions.reduce((total, { term }) => total + term, common);
 * Math.abs(score - sum) < 1e-12; // true
 */
export function whyThisKey(query, key, options) {
  const caller = 'whyThisKey';
  const inputs = readInputs(caller, query, key, null, 'dot');
  const given = readOptions(caller, options, ['query', 'key', 'terms']);
  const { nQ, nK, dK } = inputs;
  const i = readIndex(caller, 'options.query', given.query, nQ);
  const j = readIndex(caller, 'options.key', given.key, nK);
  const count = readInteger(caller, 'terms', given.terms, 1, 4);
  /** @type {Float32Array} */
  let keys = new Float32Array(0);
  /** @type {WhyThisKey[]} */
  const heads = [];
  forHeads(inputs, {
    begin(group) {
      keys = inputs.key.subarray(group * nK * dK, (group + 1) * nK * dK);
    },
    work(head) {
      const queries = inputs.query.subarray(head * nQ * dK, (head + 1) * nQ * dK);
      const directions = atOnce(directionsOfHead(queries, keys, dK, count));
      heads.push(explainPair(directions, queries, keys, { i, j }));
    },
  });
  return heads;
}

/** Reads an index below n. @param {string} caller @param {string} name @param {unknown} value
 *  @param {number} n @returns {number} */
function readIndex(caller, name, value, n) {
  const index = readInteger(caller, name, value, 0);
  return index < n ? index : reject(caller, name, value, `an index below ${n}`);
}

/**
 * Computes the directions of a head, with a pause after every millisecond or so.
 *
 * @param {Float32Array} queries [n_q, d]
 * @param {Float32Array} keys [n_k, d]
 * @param {number} d
 * @param {number} count  the most directions to return
 * @returns {Steps<HeadDirections>}
 */
export function* directionsOfHead(queries, keys, d, count) {
  const middle = meanOf(keys, d);
  const queryFactors = factorsOf(yield* momentsOf(queries, d, new Float64Array(d)));
  const keyFactors = factorsOf(yield* momentsOf(keys, d, middle));
  const all = yield* directionsOf(queryFactors, keyFactors);
  const variance = all.reduce((sum, { value }) => sum + value, 0);
  const directions = [];
  for (const { value, b, h } of all.slice(0, count)) {
    if (!(value > ROUNDING * variance)) break;
    const ofMean = dot(b, middle);
    const ofKeys = new Float64Array(keys.length / d);
    for (let at = 0; at < ofKeys.length; at++) ofKeys[at] = dot(b, keys, at * d) - ofMean;
    directions.push({ value, b, h, share: value / variance, ofKeys });
    yield;
  }
  return { middle, keyFactors, directions };
}

/**
 * Explains the score of query i and key j.
 *
 * @param {HeadDirections} head
 * @param {Float32Array} queries [n_q, d]
 * @param {Float32Array} keys [n_k, d]
 * @param {{ i: number, j: number }} pair
 * @returns {WhyThisKey}
 */
export function explainPair({ middle, keyFactors, directions: known }, queries, keys, { i, j }) {
  const d = middle.length;
  const q = Float64Array.from(queries.subarray(i * d, (i + 1) * d));
  const k = Float64Array.from(keys.subarray(j * d, (j + 1) * d));
  const [score, common] = [dot(q, k), dot(q, middle)];
  const fromMean = k.map((x, c) => x - middle[c]);
  const alongKeys = keyFactors.map((factor) => dot(q, factor));
  const directions = known.map(({ value, share, b, h, ofKeys }) => {
    const along = dot(alongKeys, h) / value;
    return { term: along * dot(b, fromMean), share, row: ofKeys.map((x) => along * x) };
  });
  const explained = directions.reduce((sum, { term }) => sum + term, common);
  return { score, common, directions, rest: score - explained };
}

/** Returns the mean of rows. @param {Float32Array} rows [n, d] @param {number} d */
function meanOf(rows, d) {
  const mean = new Float64Array(d);
  rows.forEach((x, at) => (mean[at % d] += x));
  return mean.map((sum) => sum / (rows.length / d));
}

/**
 * Computes (1/n) Σ (x − center)(x − center)ᵀ of rows x.
 *
 * @param {Float32Array} rows [n, d]
 * @param {number} d
 * @param {Float64Array} center
 * @returns {Steps<Float64Array[]>} [d, d]
 */
function* momentsOf(rows, d, center) {
  const sums = [...center].map(() => new Float64Array(d));
  const together = d * Math.ceil(PART / d ** 2);
  for (let at = 0; at < rows.length; at += d) {
    const x = center.map((middle, c) => rows[at + c] - middle);
    sums.forEach((row, c) => addScaled(row, x[c], x));
    if (at % together === 0) yield;
  }
  return sums.map((row) => row.map((sum) => sum / (rows.length / d)));
}

/**
 * Factors moments into Σ f fᵀ by Cholesky's method. The next pivot is the one that keeps the largest part of
 * what it was, so that the sizes of entries do not matter.
 *
 * @param {Float64Array[]} moments [d, d], overwritten
 * @returns {Float64Array[]} as many f as the rank is; none for NaN
 */
function factorsOf(moments) {
  const before = moments.map((row, c) => row[c]);
  const partOf = (/** @type {number} */ c) => moments[c][c] / before[c];
  /** @type {Float64Array[]} */
  const factors = [];
  while (factors.length < moments.length) {
    let [pivot, most] = [-1, ROUNDING];
    for (let c = 0; c < moments.length; c++) {
      if (partOf(c) > most) [pivot, most] = [c, partOf(c)];
    }
    if (pivot < 0) break;
    const root = Math.sqrt(moments[pivot][pivot]);
    const factor = moments[pivot].map((x) => x / root);
    moments.forEach((row, c) => addScaled(row, -factor[c], factor));
    factors.push(factor);
  }
  return factors;
}

/**
 * Computes the directions of a head, with λ_r, b_r and h_r of the file's head, largest λ first.
 *
 * @param {Float64Array[]} queryFactors the columns of F
 * @param {Float64Array[]} keyFactors the columns of G
 * @returns {Steps<Direction[]>}
 */
function* directionsOf(queryFactors, keyFactors) {
  const rows = queryFactors.map((b) => ({ b, h: Float64Array.from(keyFactors, (g) => dot(b, g)) }));
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let turns = 0;
    for (let r = 0; r < rows.length; r++) {
      for (let other = r + 1; other < rows.length; other++) turns += turn(rows[r], rows[other]);
      yield;
    }
    if (turns === 0) break;
  }
  return rows
    .map(({ b, h }) => ({ value: dot(h, h), b, h }))
    .sort((one, other) => other.value - one.value);
}

/**
 * Turns two rows until their h are at right angles (Hestenes, "Inversion of matrices by biorthogonalization
 * and related results", 1958).
 *
 * @param {{ b: Float64Array, h: Float64Array }} one
 * @param {{ b: Float64Array, h: Float64Array }} other
 * @returns {0 | 1} 0 if they were
 */
function turn(one, other) {
  let [square, otherSquare, product] = [0, 0, 0];
  for (let c = 0; c < one.h.length; c++) {
    square += one.h[c] * one.h[c];
    otherSquare += other.h[c] * other.h[c];
    product += one.h[c] * other.h[c];
  }
  if (!(Math.abs(product) > RIGHT_ANGLE * Math.sqrt(square) * Math.sqrt(otherSquare))) return 0;
  const ratio = (otherSquare - square) / (2 * product);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  rotate(one.h, other.h, cosine, cosine * tangent);
  rotate(one.b, other.b, cosine, cosine * tangent);
  return 1;
}

/** Rotates two vectors in their plane. @param {Float64Array} a @param {Float64Array} b
 *  @param {number} cosine @param {number} sine */
function rotate(a, b, cosine, sine) {
  for (let c = 0; c < a.length; c++) {
    const x = a[c];
    a[c] = cosine * x - sine * b[c];
    b[c] = sine * x + cosine * b[c];
  }
}

/** Adds x times a factor to a sum. @param {Float64Array} sum @param {number} factor @param {Float64Array} x */
function addScaled(sum, factor, x) {
  for (let c = 0; c < sum.length; c++) sum[c] += factor * x[c];
}

/** Returns the product of two vectors. @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 *  @param {number} [start] where the vector begins in b */
function dot(a, b, start = 0) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[start + i];
  return sum;
}
