// Attention as a blog author writes it: three loops, float64 sums, Math.exp. The one contender that
// shares no idea with the others, so all are compared with it.
import { plainFactored } from '../../../web/experiments/plain-additive.js';

/** @import { Contender } from '../problems.js' */

/** @type {Contender} */
export const plain = {
  name: 'plain JavaScript',
  prepare({ task, inputs, n, d, heads, visible }) {
    const data = Object.fromEntries(Object.entries(inputs).map(([name, { data }]) => [name, data]));
    if (task === 'weights') return () => Object.values(attend(data, heads, n, d));
    if (task === 'statistics') return () => reduceRows(attend(data, heads, n, d).weights, n);
    if (task === 'gradient') return () => differentiate(data, n, d);
    if (task === 'additive') return () => [plainFactored(/** @type {any} */ ({ ...data, n, d, h: d }))];
    if (task === 'softmax') return () => [softmaxRows(data.x, n, d)];
    return () => [attend(data, heads, n, d, visible).output];
  }, // prettier-ignore
};

/**
 * Reduces weights to statistics, as whoever has no function for these does.
 * @param {Float32Array} weights [rows, columns]
 * @param {number} columns
 * @returns {Float32Array[]} entropy, effective keys and largest weight of each row
 */
export function reduceRows(weights, columns) {
  const results = [0, 1, 2].map(() => new Float32Array(weights.length / columns));
  for (let row = 0; row < results[0].length; row++) {
    let [entropy, squares, largest] = [0, 0, 0];
    for (let j = row * columns; j < (row + 1) * columns; j++) {
      const weight = weights[j];
      if (weight > 0) entropy -= weight * Math.log(weight);
      squares += weight * weight;
      if (weight > largest) largest = weight;
    }
    [entropy, 1 / squares, largest].forEach((x, i) => (results[i][row] = x));
  }
  return results;
}

/**
 * @param {Float32Array | Float64Array} x [rows, columns]
 * @param {number} rows
 * @param {number} columns
 */
function softmaxRows(x, rows, columns) {
  const weights = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const start = i * columns;
    let max = -Infinity;
    for (let j = 0; j < columns; j++) max = Math.max(max, x[start + j]);
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += weights[start + j] = Math.exp(x[start + j] - max);
    for (let j = 0; j < columns; j++) weights[start + j] /= sum;
  }
  return weights;
}

/**
 * Computes scale · a bᵀ, both [n, d] from `start` on.
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {number} start
 * @param {number} n
 * @param {number} d
 * @param {number} scale
 */
function timesTransposed(a, b, start, n, d, scale) {
  const product = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += a[start + i * d + c] * b[start + j * d + c];
      product[i * n + j] = scale * sum;
    }
  }
  return product;
}

/**
 * Adds a b, a [n, n] and b [n, d] from `start` on, to `out` from `start` on; with aᵀ where
 * `transposed`.
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {Float32Array} out
 * @param {number} start
 * @param {number} n
 * @param {number} d
 * @param {boolean} [transposed]
 */
function addProduct(a, b, out, start, n, d, transposed = false) {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const weight = transposed ? a[j * n + i] : a[i * n + j];
      for (let c = 0; c < d; c++) out[start + i * d + c] += weight * b[start + j * d + c];
    }
  }
}

/**
 * @param {Record<string, Float32Array>} inputs
 * @param {number} heads
 * @param {number} n
 * @param {number} d
 * @param {Uint8Array} [visible] [n, n]
 */
function attend({ query, key, value }, heads, n, d, visible) {
  const output = new Float32Array(heads * n * d);
  const weights = new Float32Array(heads * n * n);
  for (let head = 0, start = 0; head < heads; head++, start += n * d) {
    const scores = timesTransposed(query, key, start, n, d, 1 / Math.sqrt(d));
    visible?.forEach((sees, i) => (scores[i] = sees ? scores[i] : -Infinity));
    const rows = softmaxRows(scores, n, n);
    addProduct(rows, value, output, start, n, d);
    weights.set(rows, head * n * n);
  }
  return { output, weights };
}

/**
 * @param {Record<string, Float32Array>} inputs
 * @param {number} n
 * @param {number} d
 */
function differentiate({ query, key, value, dOutput }, n, d) {
  const scale = 1 / Math.sqrt(d);
  const weights = softmaxRows(timesTransposed(query, key, 0, n, d, scale), n, n);
  const dScores = timesTransposed(dOutput, value, 0, n, d, 1);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += weights[i * n + j] * dScores[i * n + j];
    for (let j = 0; j < n; j++) dScores[i * n + j] = scale * weights[i * n + j] * (dScores[i * n + j] - sum);
  } // prettier-ignore
  const [dQuery, dKey, dValue] = [0, 0, 0].map(() => new Float32Array(n * d));
  addProduct(dScores, key, dQuery, 0, n, d);
  addProduct(dScores, query, dKey, 0, n, d, true);
  addProduct(weights, dOutput, dValue, 0, n, d, true);
  return [dQuery, dKey, dValue];
}
