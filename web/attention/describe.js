/**
 * Moments of a sample, as float64 sums in index order; without the kernel, so that a program that only describes
 * numbers does not carry it.
 */
import { readTensor } from './read.js';

/** @import { TensorLike } from './tensor.js' */

/**
 * Computes the moments of all entries. Variance is the population's; skewness and excess kurtosis are NaN where
 * it is 0; all but the count are NaN where there is no entry.
 *
 * Cost: two passes, O(1) an entry. Error: that of float64 sums.
 *
 * @param {TensorLike} x any shape
 * @returns {{ count: number, mean: number, variance: number, skewness: number,
 *   excessKurtosis: number, min: number, max: number }}
 * @throws {ShapeError | DTypeError | CapacityError}
 * @example
 * describe([1, 2, 3, 4]).variance; // 1.25
 */
export function describe(x) {
  const { data } = readTensor('describe', 'x', x);
  const count = data.length;
  let [sum, min, max] = [0, data[0] ?? NaN, data[0] ?? NaN];
  for (let i = 0; i < count; i++) {
    const value = data[i];
    sum += value;
    if (value < min || value !== value) min = value;
    if (value > max || value !== value) max = value;
  }
  const mean = sum / count;
  let [second, third, fourth] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const difference = data[i] - mean;
    const square = difference * difference;
    second += square;
    third += square * difference;
    fourth += square * square;
  }
  const variance = second / count;
  const skewness = third / count / (variance * Math.sqrt(variance)); // 0 / 0 for variance 0
  const excessKurtosis = fourth / count / (variance * variance) - 3;
  return { count, mean, variance, skewness, excessKurtosis, min, max };
}
