/**
 * Where the softmax of n iid N(0, σ²) scores begins to saturate: the freezing transition of
 * Derrida's random-energy model ("Random-energy model: an exactly solvable model of disordered
 * systems", 1981).
 */

import { checkOptions, checkPositive, checkRange } from './check.js';

/**
 * Returns σ_c = √(2 ln n), the deviation of the scores from which few keys carry the weight.
 * @param {number} n keys, at least 1
 * @returns {number}
 */
export function freezingSigma(n) {
  checkRange('freezingSigma', { n }, 1);
  return Math.sqrt(2 * Math.log(n));
}

/**
 * Returns d* = 2 ln n / entrySize⁴, the d_k at which unscaled scores of iid N(0, entrySize²) queries
 * and keys reach that deviation.
 * @param {number} n keys, at least 1
 * @param {{ entrySize?: number }} [options] 1
 * @returns {number}
 */
export function freezingDimension(n, options = {}) {
  checkOptions('freezingDimension', options, 'entrySize');
  const { entrySize = 1 } = options;
  checkRange('freezingDimension', { n }, 1);
  checkPositive('freezingDimension', { entrySize });
  return (2 * Math.log(n)) / entrySize ** 4;
}
