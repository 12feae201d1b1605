/**
 * One attention head on four tokens, small enough to follow with a pencil: every intermediate matrix
 * with its gradient. Row-vector convention: Q = X·W_Q, S = Q·Kᵀ, P = c·S, A = softmax(P), Z = A·V.
 */
import { entriesOf } from '../shared/keys.js';
import {
  attention,
  attentionGradient,
  attentionScores,
  randomNormal,
  softmaxGradient,
  toNested,
} from '../attention/index.js';

/**
 * The number of tokens, of those of another text for cross-attention, the length of a token, that of
 * queries and keys, and that of values, which may be another.
 */
export const FLOW_SIZES = Object.freeze({ tokens: 4, others: 3, dModel: 6, dK: 3, dV: 2 });

/**
 * @typedef {number[][]} Rows
 * @typedef {'x' | 'queryWeight' | 'keyWeight' | 'valueWeight' | 'y'} Given  y: the tokens of another text
 * @typedef {Given | 'query' | 'key' | 'value' | 'scores' | 'scaled' | 'weights' | 'output'} Name
 */

/**
 * Returns a list of numbers as a matrix.
 * @type {(rows: number, columns: number) => readonly [number, number]}
 */
const shaped = (rows, columns) => Object.freeze([rows, columns]);
const WEIGHT = shaped(FLOW_SIZES.dModel, FLOW_SIZES.dK);

/** The matrices a reader may set, with their shapes. @type {Readonly<Record<Given, readonly [number, number]>>} */
export const FLOW_GIVEN = Object.freeze({
  x: shaped(FLOW_SIZES.tokens, FLOW_SIZES.dModel),
  queryWeight: WEIGHT,
  keyWeight: WEIGHT,
  valueWeight: shaped(FLOW_SIZES.dModel, FLOW_SIZES.dV),
  y: shaped(FLOW_SIZES.others, FLOW_SIZES.dModel),
});

/**
 * Draws tokens with entries of N(0, 1) and weights of N(0, 1/d_model), rounded to a tenth.
 * @param {number} seed
 * @returns {Record<Given, Rows>}
 */
export function flowSample(seed) {
  const entries = Object.entries(FLOW_GIVEN).map(([name, shape], stream) => {
    const std = name === 'x' || name === 'y' ? 1 : 1 / Math.sqrt(FLOW_SIZES.dModel);
    const nested = rowsOf(randomNormal(shape, { seed, stream, std }));
    return [name, nested.map((row) => row.map((value) => Math.round(10 * value) / 10))];
  });
  return Object.fromEntries(entries);
}

/** Returns the rows of a matrix. @param {import('../attention/index.js').Tensor} matrix */
const rowsOf = (matrix) => /** @type {Rows} */ (toNested(matrix));

/** Returns a matrix transposed. @param {Rows} matrix @returns {Rows} */
const transpose = (matrix) => matrix[0].map((_, column) => matrix.map((row) => row[column]));

/** Returns a·bᵀ, by the kernel: the scores of the rows of a against the rows of b. @param {Rows} a @param {Rows} b */
const productWithRows = (a, b) => rowsOf(attentionScores(a, b, { scale: 1 }).scores);

/** Returns a·b. @param {Rows} a @param {Rows} b @returns {Rows} a·b */
const product = (a, b) => productWithRows(a, transpose(b));

/** Returns the sum of matrices. @param {...Rows} terms @returns {Rows} */
const sum = (...terms) =>
  terms[0].map((row, i) => row.map((_, j) => terms.reduce((total, term) => total + term[i][j], 0)));

/**
 * Computes the matrices of the forward pass.
 * @param {Record<Given, Rows>} given
 * @param {{ scale: number, causal: boolean, source: 'x' | 'y' }} options  source: of keys and values
 */
function forward({ queryWeight, keyWeight, valueWeight, ...texts }, { scale, causal, source }) {
  const query = product(texts.x, queryWeight);
  const [key, value] = [keyWeight, valueWeight].map((w) => product(texts[source], w));
  const result = attention(query, key, value, { scale, causal, returns: ['weights'] });
  const scores = productWithRows(query, key);
  const scaled = scores.map((row, i) =>
    row.map((score, j) => (causal && j > i ? -Infinity : scale * score)),
  );
  const [weights, output] = [result.weights, result.output].map(rowsOf);
  return { query, key, value, scores, scaled, weights, output };
}

/**
 * Returns the gradients of L = ½·Σ Z², for which ∂L/∂Z is Z itself.
 * @param {Record<Given, Rows>} given
 * @param {ReturnType<typeof forward>} values
 * @param {{ scale: number, causal: boolean, source: 'x' | 'y' }} options
 * @returns {Record<Name, Rows>}
 */
function backward(given, { query, key, value, scaled, output }, { source, ...options }) {
  const gradient = attentionGradient(query, key, value, output, options);
  const [dQuery, dKey, dValue] = [gradient.dQuery, gradient.dKey, gradient.dValue].map(rowsOf);
  const dWeights = productWithRows(output, value);
  const dScaled = rowsOf(softmaxGradient(scaled, dWeights));
  const columns = transpose(given[source]);
  const throughQuery = productWithRows(dQuery, given.queryWeight);
  const throughOthers = sum(
    productWithRows(dKey, given.keyWeight),
    productWithRows(dValue, given.valueWeight),
  );
  return {
    output,
    weights: dWeights,
    scaled: dScaled,
    scores: dScaled.map((row) => row.map((entry) => options.scale * entry)),
    query: dQuery,
    key: dKey,
    value: dValue,
    queryWeight: product(transpose(given.x), dQuery),
    keyWeight: product(columns, dKey),
    valueWeight: product(columns, dValue),
    x: source === 'x' ? sum(throughQuery, throughOthers) : throughQuery,
    y: throughOthers,
  };
}

/**
 * Returns every entry of every matrix of the head.
 * @param {{ given: Record<Given, Rows>, scaling?: boolean, causal?: boolean, cross?: boolean }} options
 *   `scaling` divides scores by √d_k; true by default. `cross` takes keys and values from `y`, without a mask
 * @returns {{ matrix: Name, row: number, column: number, value: number, gradient: number }[]}
 *   rows and columns count from 0; `value` is −Infinity where the mask forbids; `gradient` is the
 *   derivative of L = ½·Σ Z² (Z the output) by the entry
 */
export function attentionFlow({ given, scaling = true, causal = false, cross = false }) {
  /** @type {'x' | 'y'} */
  const source = cross ? 'y' : 'x';
  const scale = scaling ? 1 / Math.sqrt(FLOW_SIZES.dK) : 1;
  const options = { scale, causal: causal && !cross, source };
  const computed = forward(given, options);
  const gradients = backward(given, computed, options);
  const all = entriesOf({ ...given, ...computed }).filter(([name]) => cross || name !== 'y');
  return all.flatMap(([matrix, rows]) =>
    rows.flatMap((entries, row) =>
      entries.map((value, column) => ({
        matrix,
        row,
        column,
        value,
        gradient: gradients[matrix][row][column],
      })),
    ),
  );
}
