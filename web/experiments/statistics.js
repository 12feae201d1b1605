/** Summaries of a sample: mean and quantiles, in float64; and matrices by rows. */

import { times } from '../shared/times.js';

/** @import { Tensor } from '../attention/tensor.js' */

/** Returns the mean. @param {ArrayLike<number>} values @returns {number} */
export function mean(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/**
 * Returns the fraction of the values for which a predicate holds, 0 to 1.
 * @template T
 * @param {ArrayLike<T>} values numbers, typed or not, or rows
 * @param {(value: T) => boolean} predicate
 */
export function share(values, predicate) {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (predicate(values[i])) count++;
  return count / values.length;
}

/**
 * Returns the rows of a matrix, which share its memory.
 * @param {Tensor} matrix [rows, columns]
 * @returns {Float32Array[]}
 */
export const rowsOf = ({ data, shape: [rows, columns] }) =>
  times(rows, (row) => data.subarray(row * columns, (row + 1) * columns));

/**
 * Returns the largest entry, in a loop, since `reduce` takes five times as long.
 * @param {Float32Array} row not empty
 */
export function largestOf(row) {
  let largest = -Infinity;
  for (let i = 0; i < row.length; i++) if (row[i] > largest) largest = row[i];
  return largest;
}

/**
 * Subtracts a number from the entries of each row.
 * @param {Tensor} matrix [rows, columns]
 * @param {readonly number[]} each the number of each row
 * @returns {Tensor}
 */
export function lessEach({ data, shape }, each) {
  const less = new Float32Array(data.length);
  const columns = shape[1];
  for (let i = 0; i < data.length; i++) less[i] = data[i] - each[Math.floor(i / columns)];
  return { data: less, shape };
}

/** Returns the product of two vectors. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Returns the sums of the rows, and of the columns. @param {readonly (readonly number[])[]} matrix */
export const sumsOf = (matrix) => ({
  rows: matrix.map((row) => row.reduce((sum, value) => sum + value, 0)),
  columns: matrix[0].map((_, column) => matrix.reduce((sum, row) => sum + row[column], 0)),
});

/** Returns ‖M − Mᵀ‖/‖M + Mᵀ‖, 0 for a symmetric matrix. @param {ArrayLike<number>} m [n, n] @param {number} n */
export function asymmetryOf(m, n) {
  let [odd, even] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      odd += (m[i * n + j] - m[j * n + i]) ** 2;
      even += (m[i * n + j] + m[j * n + i]) ** 2;
    }
  }
  return Math.sqrt(odd / even);
}

/** Swaps the last two axes. @param {Tensor} matrices [..., n, d] @returns {Tensor} [..., d, n] */
export function transposed({ data, shape }) {
  const [n, d] = shape.slice(-2);
  const turned = new Float32Array(data.length);
  for (let row = 0; row < data.length / d; row++) {
    const start = (row - (row % n)) * d + (row % n);
    for (let j = 0; j < d; j++) turned[start + j * n] = data[row * d + j];
  }
  return { data: turned, shape: [...shape.slice(0, -2), d, n] };
}

/**
 * Counts values in the equal bins of a histogram from −reach to reach; those beyond are in none.
 * @param {ArrayLike<number>} values
 * @param {number} reach
 * @param {number} bins
 */
export function countInBins(values, reach, bins) {
  const counts = times(bins, () => 0);
  for (let i = 0; i < values.length; i++) {
    const bin = Math.floor(((values[i] + reach) / (2 * reach)) * bins);
    if (bin >= 0 && bin < bins) counts[bin] += 1;
  }
  return counts;
}

/**
 * Returns quantiles by linear interpolation between order statistics (type 7 of Hyndman & Fan, "Sample
 * quantiles in statistical packages", 1996).
 * @param {ArrayLike<number>} values at least one
 * @param {number[]} probabilities each in [0, 1]
 */
export function quantiles(values, probabilities) {
  const sorted = new Float64Array(values).sort();
  return probabilities.map((probability) => {
    const position = probability * (sorted.length - 1);
    const below = Math.floor(position);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  });
}

/** Returns the median and the ends, with values that are not finite as the largest. @param {readonly number[]} values */
export function spread(values) {
  const sorted = values.map((value) => (Number.isFinite(value) ? value : Infinity));
  sorted.sort((a, b) => a - b || 0); // Infinity − Infinity is no order
  const half = (sorted.length - 1) / 2;
  const middle = (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
  return { low: sorted[0], middle, high: sorted[sorted.length - 1] };
}

/**
 * Returns the mean, the median and two percentiles as columns.
 * @template {string} Name
 * @param {Name} name first part of every column
 * @param {ArrayLike<number>} values
 * @returns {Record<Name | `${Name}Median` | `${Name}P10` | `${Name}P90`, number>}
 */
export function summary(name, values) {
  const [p10, median, p90] = quantiles(values, [0.1, 0.5, 0.9]);
  const columns = {
    [name]: mean(values),
    [`${name}Median`]: median,
    [`${name}P10`]: p10,
    [`${name}P90`]: p90,
  };
  return /** @type {Record<Name | `${Name}Median` | `${Name}P10` | `${Name}P90`, number>} */ (
    columns
  );
}
