/** Claims about scores, their softmax and its gradient. */
import { describe, roundToFloat16, softmax, softmaxFloat16 } from '../../attention/index.js';
import { gradients, jacobianEntries, topShare, UPSTREAM_SEED } from '../gradient.js';
import { noise } from '../noise.js';
import { failures } from '../precision.js';
import { mean, quantiles, rowsOf, share } from '../statistics.js';
import { deviation, drawKeys, inBlocks, scoresOf, spreadOf } from './samples.js';

/** @import { Cancellable } from './samples.js' */

/** For means that a few queries dominate: the seed of <attn-gradient>, the one of 300 that comes nearest
 *  to all expectations. */
const GRADIENT_SEED = 46;

/** Measures the variance of scores, and their kurtosis. @param {Cancellable} control */
export async function variance(control) {
  const { variance: found } = describe(await scoresOf({ dK: 512 }, control));
  const { excessKurtosis } = describe(await scoresOf({ dK: 8, queries: 4096 }, control));
  return { variance: found, reach: 3 * Math.sqrt(found), kurtosis: excessKurtosis };
}

/** Measures the deviation of scores with and without scale. @param {Cancellable} control */
export const typicalSize = async (control) => ({
  unscaled: await deviation({ dK: 512 }, control),
  scaled: await deviation({ dK: 512, scale: 1 / Math.sqrt(512) }, control),
});

/** Measures the share of scores, exponentials and rows that overflow fp16. @param {Cancellable} control */
export async function overflow(control) {
  const scores = roundToFloat16(await scoresOf({ dK: 64 }, control));
  const { productOverflow, expOverflow, expOverflowRows } = failures('fp16', scores);
  const broken = rowsOf(softmaxFloat16(scores)).filter((row) => row.some(Number.isNaN));
  return {
    dot: productOverflow,
    entries: expOverflow,
    rows: expOverflowRows,
    subtracted: broken.length / scores.shape[0],
  };
}

/** Returns e⁵⁰, as 1/p − 1 of two scores that differ by 50. */
export function expOfFifty() {
  const [small] = softmax([0, 50]).data;
  const value = 1 / small - 1;
  return { value, float16: roundToFloat16([value]).data[0] };
}

/** Returns an entry of the Jacobian of a softmax that is nearly one-hot. */
export function oneHot() {
  const [{ exact, float32 }] = jacobianEntries({ logits: [50, 1, 1, 1] });
  return { exact, float32 };
}

/** Measures mean and median of the gradient that reaches a query. @param {Cancellable} control */
export async function vanishing(control) {
  const [keys, shape] = [64, { columns: 1024, seed: GRADIENT_SEED }];
  const key = await drawKeys(shape, keys, control);
  const blocks = await inBlocks(512, control, (block) =>
    gradients({
      query: noise('query', { ...block, ...shape }),
      key,
      upstream: noise('query', { ...block, columns: keys, seed: UPSTREAM_SEED + GRADIENT_SEED }),
    })(1),
  );
  const norms = Float64Array.from(blocks.flatMap((block) => [...block.norms]));
  const [median] = quantiles(norms, [0.5]);
  return { mean: mean(norms), median, topShare: topShare(norms) };
}

/** Measures the weights of scores divided by d_k. @param {Cancellable} control */
export async function nearlyUniform(control) {
  const { entropyRatio, effectiveKeys } = await spreadOf({ dK: 64, scale: 1 / 64 }, control);
  return { entropyRatio, keys: effectiveKeys };
}

/** Measures the effective keys at half and at full scale. @param {Cancellable} control */
export async function halfScale(control) {
  const at = async (/** @type {number} */ scale) =>
    (await spreadOf({ dK: 512, keys: 512, queries: 64, scale }, control)).effectiveKeys;
  return { half: await at(0.5 / Math.sqrt(512)), full: await at(1 / Math.sqrt(512)) };
}

/** Measures the share of scaled scores between −3 and 3. @param {Cancellable} control */
export async function withinThree(control) {
  const { data } = await scoresOf({ dK: 64, scale: 1 / 8 }, control);
  return { share: share(data, (score) => Math.abs(score) <= 3) };
}
