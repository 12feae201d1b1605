// How q·k is spread over all pairs that may attend, as recorded runs have it: deviations over all pairs, not within a
// query, so that what all keys share counts.
import { attentionStatistics, describe } from '../../attention/index.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 *
 * @typedef {object} Dots  of a head
 * @property {number} dotDeviation  standard deviation of q·k
 * @property {number} ratio  dotDeviation over √d_k·σ_q·σ_k, where σ are deviations of all entries
 * @property {number} correlation  mean of q·k over d_k·σ_q·σ_k
 */

/**
 * Measures every head.
 * @param {Tensor} query  [b, h, n, d_k]
 * @param {Tensor} key
 * @param {{ causal?: boolean }} [options]
 * @returns {Dots[]}
 */
export function dotsOf(query, key, { causal = false } = {}) {
  const returns = /** @type {const} */ (['scoreMean', 'scoreDeviation', 'visibleKeys']);
  const found = attentionStatistics(query, key, { scale: 1, causal, returns });
  const [batch, heads, n, d] = query.shape;
  const size = n * d;
  return [...Array(batch * heads).keys()].map((head) => {
    const [means, deviations, counts] = returns.map((name) =>
      found[name].data.subarray(head * n, (head + 1) * n),
    );
    const pairs = counts.reduce((sum, count) => sum + count, 0);
    const mean = means.reduce((sum, each, i) => sum + counts[i] * each, 0) / pairs;
    const squares = means.reduce(
      (sum, each, i) => sum + counts[i] * (deviations[i] ** 2 + (each - mean) ** 2),
      0,
    );
    const dotDeviation = Math.sqrt(squares / pairs);
    const [own, other] = [query, key].map(({ data }) =>
      Math.sqrt(describe(data.subarray(head * size, (head + 1) * size)).variance),
    );
    const scale = Math.sqrt(d) * own * other;
    return {
      dotDeviation,
      ratio: dotDeviation / scale,
      correlation: mean / (scale * Math.sqrt(d)),
    };
  });
}
