/**
 * How the dot-product models of training.js score the tokens of a batch, and follow the gradient.
 *
 * Scores are c x_q W_Q W_Kᵀ x_jᵀ, so a step needs the product M = W_Q W_Kᵀ [16, 16] once, and after it d no
 * longer matters; lengths of queries and keys need W_Q W_Qᵀ and W_K W_Kᵀ besides. Sums are float64, which the kernel
 * does not have. Numbers are float32, and every power of two that moves from the scale into the weights moves
 * exactly.
 */
import { softmax } from '../attention/index.js';

/** @import { Batch, Run } from './training-runs.js' */

export const WIDTH = 16;
export const TOKENS = 16;
export const VALUES = 8;
export const SEQUENCES = 16;

/** Rows of 16 entries and, for pairs of a query and a token, the index of each.
 *  @typedef {{ batch: Batch, scores: Float32Array, lengths?: Lengths }} Forward */
/** Squared lengths of queries and keys. @typedef {{ query: Float64Array, key: Float64Array }} Lengths */

/**
 * Returns W Vᵀ.
 * @param {Float32Array} a W [16, d]
 * @param {Float32Array} b V [16, d]
 * @returns {Float64Array} [16, 16]
 */
export function multiply(a, b) {
  const d = a.length / WIDTH;
  const product = new Float64Array(WIDTH * WIDTH);
  for (let i = 0; i < WIDTH; i++) {
    for (let j = 0; j < WIDTH; j++) {
      let sum = 0;
      for (let k = 0; k < d; k++) sum += a[i * d + k] * b[j * d + k];
      product[i * WIDTH + j] = sum;
    }
  }
  return product;
}

/**
 * Computes the scores of a batch.
 * @param {Run} run
 * @param {Batch} batch
 * @param {Float32Array} scores [16, 16], written; one row for each sequence
 * @returns {Forward} what the gradient needs
 */
export function score({ weights, setup: { scale, cap } }, batch, scores) {
  const [query, key, gain] = weights;
  project(multiply(query, key), batch, scale, scores);
  if (cap !== undefined) softcap(scores, cap);
  if (!gain) return { batch, scores };
  const lengths = {
    query: forms(multiply(query, query), batch.query),
    key: forms(multiply(key, key), batch.key),
  };
  for (let pair = 0; pair < scores.length; pair++) {
    scores[pair] *= gain[0] / lengthOf(lengths, pair);
  }
  return { batch, scores, lengths };
}

/** Returns |q||k| of a pair. @param {Lengths} lengths @param {number} pair */
const lengthOf = ({ query, key }, pair) => Math.sqrt(query[Math.floor(pair / TOKENS)] * key[pair]);

/**
 * Adds a row of a product A B to sums.
 * @param {Float64Array} sums
 * @param {number} to  where the row of sums begins
 * @param {Float32Array | Float64Array} a
 * @param {{ from: number, step: number, count: number }} place  of the row in A, the step from one entry to the next,
 *   and how many there are
 * @param {Float32Array | Float64Array} b
 * @param {{ first: number, length: number }} rows  where the first row in B begins, and the length of each
 */
function addRow(sums, to, a, { from, step, count }, b, { first, length }) {
  for (let i = 0; i < count; i++) {
    const x = a[from + i * step];
    const row = first + i * length;
    for (let k = 0; k < length; k++) sums[to + k] += x * b[row + k];
  }
}

/**
 * Writes the product x M of a row x.
 * @param {Float32Array} rows [n, 16]
 * @param {number} row
 * @param {Float64Array} matrix M [16, 16]
 * @param {Float64Array} product [16]
 */
function transform(rows, row, matrix, product) {
  product.fill(0);
  const place = { from: row * WIDTH, step: 1, count: WIDTH };
  addRow(product, 0, rows, place, matrix, { first: 0, length: WIDTH });
}

/**
 * Returns the product of two rows.
 * @param {Float64Array} a [16]
 * @param {Float32Array} rows [n, 16]
 * @param {number} row of the second
 */
function dot(a, rows, row) {
  let sum = 0;
  for (let e = 0; e < WIDTH; e++) sum += a[e] * rows[row * WIDTH + e];
  return sum;
}

/**
 * Writes the products c x_q M x_jᵀ.
 * @param {Float64Array} matrix M [16, 16]
 * @param {Batch} batch
 * @param {number} scale
 * @param {Float32Array} scores
 */
function project(matrix, { query, key }, scale, scores) {
  const projected = new Float64Array(WIDTH);
  for (let pair = 0; pair < scores.length; pair++) {
    if (pair % TOKENS === 0) transform(query, pair / TOKENS, matrix, projected);
    scores[pair] = scale * dot(projected, key, pair);
  }
}

/**
 * Caps scores by c·tanh(s/c) = c(2p − 1), with p the softmax of 2s/c beside 0: the kernel's, whose bits are
 * the same in every engine, which those of Math.tanh are not.
 * @param {Float32Array} scores overwritten
 * @param {number} cap
 */
function softcap(scores, cap) {
  const data = new Float32Array(2 * scores.length);
  scores.forEach((s, i) => (data[2 * i] = (2 * s) / cap));
  const halves = softmax({ data, shape: [scores.length, 2] }).data;
  for (let i = 0; i < scores.length; i++) scores[i] = cap * (halves[2 * i] - halves[2 * i + 1]);
}

/**
 * Returns x A xᵀ of each row x.
 * @param {Float64Array} matrix A [16, 16], symmetric
 * @param {Float32Array} rows [n, 16]
 * @returns {Float64Array} [n]
 */
function forms(matrix, rows) {
  const projected = new Float64Array(WIDTH);
  return new Float64Array(rows.length / WIDTH).map((_, row) => {
    transform(rows, row, matrix, projected);
    return dot(projected, rows, row);
  });
}

// ---- gradients ------------------------------------------------------------------------------

/**
 * Returns ∂loss/∂M.
 * @param {Batch} batch
 * @param {Float32Array} dScores [16, 16]
 * @param {number} scale
 * @returns {Float64Array} [16, 16]
 */
function differentiateProduct({ query, key }, dScores, scale) {
  const dProduct = new Float64Array(WIDTH * WIDTH);
  const dProjected = new Float64Array(WIDTH);
  const slopes = new Float64Array(dScores).map((slope) => scale * slope);
  for (let b = 0; b < SEQUENCES; b++) {
    dProjected.fill(0);
    const row = { from: b * TOKENS, step: 1, count: TOKENS };
    addRow(dProjected, 0, slopes, row, key, { first: b * TOKENS * WIDTH, length: WIDTH });
    for (let a = 0; a < WIDTH; a++) {
      const x = query[b * WIDTH + a];
      for (let e = 0; e < WIDTH; e++) dProduct[a * WIDTH + e] += x * dProjected[e];
    }
  }
  return dProduct;
}

/**
 * Returns Σ d xᵀx, the gradient by A of the rows' x A xᵀ.
 * @param {Float64Array} dForms d [n]
 * @param {Float32Array} rows [n, 16]
 * @returns {Float64Array} [16, 16]
 */
function differentiateForms(dForms, rows) {
  const dMatrix = new Float64Array(WIDTH * WIDTH);
  const column = new Float64Array(dForms.length);
  for (let a = 0; a < WIDTH; a++) {
    for (let i = 0; i < column.length; i++) column[i] = dForms[i] * rows[i * WIDTH + a];
    const row = { from: 0, step: 1, count: column.length };
    addRow(dMatrix, a * WIDTH, column, row, rows, { first: 0, length: WIDTH });
  }
  return dMatrix;
}

/**
 * Adds A V to a gradient.
 * @param {Float64Array} gradient [16, d]
 * @param {Float64Array} matrix A [16, 16]
 * @param {Float32Array} weight V [16, d]
 * @param {boolean} [transposed]  whether to add Aᵀ V instead
 */
function addProduct(gradient, matrix, weight, transposed = false) {
  const length = weight.length / WIDTH;
  const [across, step] = transposed ? [1, WIDTH] : [WIDTH, 1];
  for (let i = 0; i < WIDTH; i++) {
    const row = { from: i * across, step, count: WIDTH };
    addRow(gradient, i * length, matrix, row, weight, { first: 0, length });
  }
}

/**
 * Makes one step down ∂loss/∂W_Q = ∂M·W_K and ∂loss/∂W_K = ∂Mᵀ·W_Q, and what a cap, lengths and a largest
 * score add.
 * @param {Run} run
 * @param {Forward} forward
 * @param {Float32Array} dScores [16, 16], overwritten
 * @returns {number} norm of the gradient
 */
export function descend({ weights, pace, setup: { scale, cap, most } }, forward, dScores) {
  const { batch, scores, lengths } = forward;
  const [query, key, gain] = weights;
  const [dQuery, dKey] = [new Float64Array(query.length), new Float64Array(key.length)];
  if (cap !== undefined)
    dScores.forEach((slope, i) => (dScores[i] = slope * (1 - (scores[i] / cap) ** 2)));
  let squares = 0;
  if (lengths) {
    const dLengths = differentiateLengths(forward, lengths, dScores);
    // A = W Wᵀ is symmetric, so W has twice the gradient A·W.
    addProduct(dQuery, differentiateForms(dLengths.query, batch.query), query);
    addProduct(dKey, differentiateForms(dLengths.key, batch.key), key);
    for (const gradient of [dQuery, dKey]) gradient.forEach((x, i) => (gradient[i] = 2 * x));
    squares += throughGain(gain, { scores, lengths, dScores, pace });
  }
  const dProduct = differentiateProduct(batch, dScores, scale);
  addProduct(dQuery, dProduct, key);
  addProduct(dKey, dProduct, query, true);
  squares += subtract(query, dQuery, pace) + subtract(key, dKey, pace);
  if (most !== undefined) clip(weights, Math.max(...scores), most);
  return Math.sqrt(squares);
}

/**
 * Returns ∂loss/∂|q|² and ∂loss/∂|k|², of scores g q·k/(|q||k|).
 * @param {Forward} forward
 * @param {Lengths} lengths
 * @param {Float32Array} dScores
 * @returns {Lengths}
 */
function differentiateLengths({ scores }, { query, key }, dScores) {
  const slopes = { query: new Float64Array(query.length), key: new Float64Array(key.length) };
  for (let pair = 0; pair < scores.length; pair++) {
    const half = -0.5 * dScores[pair] * scores[pair];
    const row = Math.floor(pair / TOKENS);
    slopes.query[row] += half / query[row];
    slopes.key[pair] = half / key[pair];
  }
  return slopes;
}

/**
 * Makes a step of the gain, and turns gradients by the scores into gradients by q·k.
 * @param {Float32Array} gain [1], moved
 * @param {{ scores: Float32Array, lengths: Lengths, dScores: Float32Array, pace: number }} at
 *   dScores: overwritten
 * @returns {number} |∂loss/∂gain|²
 */
function throughGain(gain, { scores, lengths, dScores, pace }) {
  const [before] = gain;
  let slope = 0;
  for (let pair = 0; pair < scores.length; pair++) {
    slope += (dScores[pair] * scores[pair]) / before;
    dScores[pair] *= before / lengthOf(lengths, pair);
  }
  return subtract(gain, Float64Array.of(slope), pace);
}

/**
 * Shrinks W_Q and W_K alike, so that a score of `largest` would be `most` (Kimi Team 2025).
 * @param {readonly Float32Array[]} weights
 * @param {number} largest
 * @param {number} most
 */
function clip(weights, largest, most) {
  if (!(largest > most)) return;
  const factor = Math.sqrt(most / largest);
  for (const weight of weights) weight.forEach((x, i) => (weight[i] = factor * x));
}

/**
 * Moves a weight against its gradient.
 * @param {Float32Array} weight moved
 * @param {Float32Array | Float64Array} gradient
 * @param {number} pace
 * @returns {number} |gradient|²
 */
export function subtract(weight, gradient, pace) {
  let squares = 0;
  for (let i = 0; i < weight.length; i++) {
    squares += gradient[i] * gradient[i];
    weight[i] -= pace * gradient[i];
  }
  return squares;
}
