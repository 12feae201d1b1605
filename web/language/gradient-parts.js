/**
 * The gradient of a batch in parts, each of some windows of it. They are added in their order, so that the bits
 * depend on the number of parts, and not on who computes them.
 */
import { times } from '../shared/times.js';

/**
 * @import { Texts } from './tokens.js'
 * @typedef {{ texts: Texts, targets: Int32Array }} Part
 * @typedef {{ loss: number, gradients: Float32Array }} PartGradient  means over the windows of a part
 */

/**
 * Cuts a batch into parts, which differ by one window at most.
 * @param {Part} batch
 * @param {number} count from 1 to the number of windows
 * @returns {Part[]}
 */
export function cut({ texts: { data, batch, n }, targets }, count) {
  const start = (/** @type {number} */ i) => Math.floor((i * batch) / count);
  return times(count, (i) => {
    const [first, end] = [start(i), start(i + 1)];
    const windows = end - first;
    return {
      texts: {
        data: data.subarray(first * n, end * n),
        shape: [windows, n],
        batch: windows,
        n,
      },
      targets: targets.subarray(first * n, end * n),
    };
  });
}

/**
 * Returns the loss and the gradients of the batch: the means of those of its parts, weighted by their windows.
 * @param {Part[]} parts
 * @param {PartGradient[]} results
 * @returns {PartGradient}
 */
export function mean(parts, results) {
  const windows = parts.reduce((sum, { texts }) => sum + texts.batch, 0);
  const total = new Float32Array(results[0].gradients.length);
  let loss = 0;
  results.forEach((result, i) => {
    const share = parts[i].texts.batch / windows;
    const { gradients } = result;
    loss += share * result.loss;
    for (let k = 0; k < total.length; k++) total[k] += share * gradients[k];
  });
  return { loss, gradients: total };
}
