/**
 * Additive attention in plain JavaScript, as in a blog post, with Math.tanh and float64 accumulators:
 * the baseline behind the setting "tanh: scalar" of the cost experiment. It is deliberately not
 * optimised beyond the algorithm, and is used for timing only.
 *
 * Bahdanau, Cho & Bengio, "Neural machine translation by jointly learning to align and
 * translate", 2015: scores[i][j] = scoreWeight · tanh(queryWeight q_i + keyWeight k_j).
 */

/**
 * @typedef {object} AdditiveInputs
 * @property {Float32Array} query [n, d]
 * @property {Float32Array} key [n, d]
 * @property {Float32Array} value [n, d]
 * @property {Float32Array} queryWeight [h, d]
 * @property {Float32Array} keyWeight [h, d]
 * @property {Float32Array} scoreWeight [h]
 * @property {number} n
 * @property {number} d
 * @property {number} h
 */

/**
 * Computes additive attention with each projection once: 4ndh + n²·h·(3 + c_tanh) + 2n²d flop.
 * @param {AdditiveInputs} inputs
 * @returns {Float32Array} output [n, d]
 */
export function plainFactored(inputs) {
  const { query, key, queryWeight, keyWeight, n, d, h } = inputs;
  const projectedQueries = new Float32Array(n * h);
  const projectedKeys = new Float32Array(n * h);
  for (let i = 0; i < n; i++) {
    project(queryWeight, query, i, d, h, projectedQueries, i * h);
    project(keyWeight, key, i, d, h, projectedKeys, i * h);
  }
  return attend(inputs, (i, j) => score(inputs, projectedQueries, i * h, projectedKeys, j * h));
}

/**
 * Computes additive attention with the projections again for every pair: n²·(4dh + h·(3 + c_tanh)) +
 * 2n²d flop.
 * @param {AdditiveInputs} inputs
 * @returns {Float32Array} output [n, d]
 */
export function plainPairwise(inputs) {
  const { query, key, queryWeight, keyWeight, d, h } = inputs;
  const projectedQuery = new Float32Array(h);
  const projectedKey = new Float32Array(h);
  return attend(inputs, (i, j) => {
    project(queryWeight, query, i, d, h, projectedQuery, 0);
    project(keyWeight, key, j, d, h, projectedKey, 0);
    return score(inputs, projectedQuery, 0, projectedKey, 0);
  });
}

/**
 * Writes weight [h, d] times row `row` of x to out[at … at + h).
 * @param {Float32Array} weight
 * @param {Float32Array} x
 * @param {number} row
 * @param {number} d
 * @param {number} h
 * @param {Float32Array} out
 * @param {number} at
 */
function project(weight, x, row, d, h, out, at) {
  for (let unit = 0; unit < h; unit++) {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += weight[unit * d + c] * x[row * d + c];
    out[at + unit] = sum;
  }
}

/**
 * Returns the score of a projected query and a projected key.
 * @param {AdditiveInputs} inputs
 * @param {Float32Array} a projected query at `aAt`
 * @param {number} aAt
 * @param {Float32Array} b projected key at `bAt`
 * @param {number} bAt
 */
function score({ scoreWeight, h }, a, aAt, b, bAt) {
  let sum = 0;
  for (let unit = 0; unit < h; unit++) {
    sum += scoreWeight[unit] * Math.tanh(a[aAt + unit] + b[bAt + unit]);
  }
  return sum;
}

/**
 * Multiplies the softmax of each row of scores with the values.
 * @param {AdditiveInputs} inputs
 * @param {(i: number, j: number) => number} scoreOf
 */
function attend({ value, n, d }, scoreOf) {
  const output = new Float32Array(n * d);
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) scores[j] = scoreOf(i, j);
    softmaxInPlace(scores);
    for (let j = 0; j < n; j++) {
      for (let c = 0; c < d; c++) output[i * d + c] += scores[j] * value[j * d + c];
    }
  }
  return output;
}

/** Replaces a row of scores by its softmax. @param {Float64Array} row */
function softmaxInPlace(row) {
  let max = -Infinity;
  for (const x of row) max = Math.max(max, x);
  let sum = 0;
  for (let j = 0; j < row.length; j++) {
    row[j] = Math.exp(row[j] - max);
    sum += row[j];
  }
  for (let j = 0; j < row.length; j++) row[j] /= sum;
}
