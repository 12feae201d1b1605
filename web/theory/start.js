/** How wide queries and keys begin, by the start of the weights that make them. */
import { START_KEYS, startVariance } from '../shared/starts.js';
import { checkChoice, checkOptions, checkPositive, checkSizes } from './check.js';

/** @import { StartKey } from '../shared/starts.js' */

/**
 * @typedef {object} StartOptions
 * @property {number} dModel numbers of an input
 * @property {StartKey} [start] 'unit' by default; 'nn-linear' and 'multihead' are those of PyTorch's nn.Linear and
 *   nn.MultiheadAttention, 'glorot' is that of a head of its own, 'gpt-2' has weights of deviation .02
 * @property {number} [dK] of the head, for 'glorot'; d_model/8 by default
 * @property {number} [std] s, instead of a start
 */

/**
 * Returns √d_model·s, the deviation of the entries of queries and keys that weights of deviation s make of d_model
 * inputs of variance 1, as after a layer norm: the `entrySize` of the other laws. Scores then have a deviation of
 * √d_k times its square.
 *
 *   const entrySize = startDeviation({ dModel: 512, start: 'nn-linear' });
 *   freezingDimension(64, { entrySize }); // 74.9: without a scale softmax freezes from this d_k on, instead of 8.3
 * @param {StartOptions} options
 * @returns {number}
 */
export function startDeviation(options) {
  checkOptions('startDeviation', options, 'dModel, start, dK, std');
  const { dModel, start = 'unit', dK = dModel / 8, std } = options;
  checkSizes('startDeviation', { dModel });
  if (std !== undefined) {
    checkPositive('startDeviation', { std });
    return Math.sqrt(dModel) * std;
  }
  checkChoice('startDeviation', 'start', start, START_KEYS);
  checkPositive('startDeviation', { dK });
  return Math.sqrt(startVariance(start, { dModel, dK }));
}
