/**
 * The scores of a trained language model and the course of its training, from recorded runs
 * (web/recording/record.js, variants.js). The model itself is `attention-lab/language`; nothing here needs it.
 */
import { times } from '../shared/times.js';
import { countInBins, mean } from './statistics.js';

/**
 * @import { Tensor } from '../attention/index.js'
 * @import { ModelOptions } from '../language/index.js'
 * @import { RecordedVariants } from '../language/recorded/measure.js'
 * @import { DkScaleKey } from '../shared/dk-scales.js'
 */

/**
 * What a recorded file holds, besides the means to repeat it: what every run was measured to be after some
 * of its steps, and the held-out text on which its heads were measured.
 * @typedef {{ scale: ScaleName, seed: number, rows: RecordedRow[] }} RecordedRun
 * @typedef {{ step: number, loss: number, heads: RecordedHead[] }} RecordedRow
 * @typedef {{ layer: number, head: number, ratio: number, correlation: number, entropyRatio: number,
 *   largestScore: number, firstKey: number, previousKey: number, fiveBack: number }} RecordedHead
 * @typedef {{ config: Record<'vocabulary' | 'context' | 'dModel' | 'layers' | 'heads' | 'dKey', number>, heldOut: number[][],
 *   training: { steps: number, learningRate: number, warmUp: number, batch: number }, runs: RecordedRun[] }} Recorded
 * @typedef {Exclude<DkScaleKey, 'half-sqrt'>} ScaleName
 */

/** The weight on the token before, or on the one five places back, where Tang verse has the character
 *  above the next one. @typedef {'previousKey' | 'fiveBack'} Role */

/**
 * A run after some steps.
 * @typedef {object} LanguageRow
 * @property {ScaleName} scale
 * @property {number} seed
 * @property {number} step
 * @property {number} loss on held-out text, in nats a token
 * @property {number} ratio σ(q·k) over √d_k·σ_q·σ_k; the mean over heads
 * @property {number} entropyRatio of the weights, over ln n; the mean over heads
 * @property {number} largestScore of all heads
 * @property {number} role the weight of the head that has most of it
 */

/**
 * Returns the course of every recorded run.
 * @param {Recorded} recorded
 * @param {Role} role
 * @returns {LanguageRow[]}
 */
export const languageCourse = ({ runs }, role) =>
  runs.flatMap(({ scale, seed, rows }) =>
    rows.map(({ step, loss, heads }) => ({
      scale,
      seed,
      step,
      loss,
      ratio: mean(heads.map((head) => head.ratio)),
      entropyRatio: mean(heads.map((head) => head.entropyRatio)),
      largestScore: Math.max(...heads.map((head) => head.largestScore)),
      role: Math.max(...heads.map((head) => head[role])),
    })),
  );

/**
 * Returns the course of one head in the first run with a scale.
 * @param {Recorded} recorded
 * @param {{ scale: ScaleName, layer: number, head: number, role: Role }} options layer and head from 0
 * @returns {Omit<LanguageRow, 'loss'>[]}
 */
export const headCourse = ({ runs }, { scale, layer, head, role }) =>
  runs
    .filter((run) => run.scale === scale && run.seed === 1)
    .flatMap(({ seed, rows }) =>
      rows.map(({ step, heads }) => {
        const own = heads.filter((each) => each.layer === layer && each.head === head)[0];
        const { ratio, entropyRatio, largestScore } = own;
        return { scale, seed, step, ratio, entropyRatio, largestScore, role: own[role] };
      }),
    );

/** The scales with which variants begin. @type {readonly ScaleName[]} */
const STARTS = ['sqrt', 'none', 'linear'];

/**
 * What `createModel` takes for each variant: a factor that each head learns, normalised queries and keys, keys as
 * values, and the last two together, as in Gemma 4's global layers.
 * @satisfies {Record<string, Pick<ModelOptions, 'learnedScale' | 'queryKeyNorm' | 'values'>>}
 */
export const VARIANT_OPTIONS = {
  learned: { learnedScale: true },
  norm: { queryKeyNorm: true },
  keys: { values: 'keys' },
  'keys-norm': { values: 'keys', queryKeyNorm: true },
};

/** @typedef {keyof typeof VARIANT_OPTIONS} Variant */

/**
 * A head of a variant after some steps.
 * @typedef {object} VariantRow
 * @property {ScaleName} scale with which the run began
 * @property {number} seed
 * @property {number} step
 * @property {number} loss of the whole model on held-out text, in nats a token
 * @property {string} head its layer and its place there, from 1: 2.1
 * @property {number} factor of its scores, times the mean product of the gains where there are any
 * @property {number} effectiveDimension
 * @property {number} predicted σ(q·k) by the moments of queries and keys
 * @property {number} measured σ(q·k) over the pairs of a query and a key that it sees
 * @property {number} entropyRatio of the weights, over ln n
 * @property {number} largestScore
 */

/**
 * Returns the course of every head in the recorded runs of a variant.
 * @param {RecordedVariants} recorded
 * @param {Variant} variant
 * @returns {VariantRow[]}
 */
export const variantCourse = ({ config, runs }, variant) =>
  STARTS.flatMap((scale) =>
    runs
      .filter((run) => run.variant === `${variant}-${scale}`)
      .flatMap(({ seed, rows }) =>
        rows.flatMap(({ step, loss, heads }) =>
          heads.factor.map((factor, index) => ({
            scale,
            seed,
            step,
            loss,
            head: `${Math.floor(index / config.heads) + 1}.${(index % config.heads) + 1}`,
            factor: factor * (heads.gain?.[index] ?? 1),
            effectiveDimension: heads.effectiveDimension[index],
            predicted: heads.predicted[index],
            measured: heads.measured[index],
            entropyRatio: heads.entropyRatio[index],
            largestScore: heads.largestScore[index],
          })),
        ),
      ),
  );

/**
 * The attention of a layer, as `attentionOf` returns it.
 * @typedef {{ query: Tensor, key: Tensor, scores: Tensor }} Layer [batch, heads, n, …]
 */

/** Sums over a sample, of which mean and deviation follow. @param {Iterable<number>} values */
function moments(values) {
  let [count, sum, squares] = [0, 0, 0];
  for (const x of values) {
    count += 1;
    sum += x;
    squares += x * x;
  }
  const average = sum / count;
  return { count, mean: average, deviation: Math.sqrt(squares / count - average * average) };
}

/**
 * Lists the entries of a head in a tensor.
 * @param {Tensor} tensor [batch, heads, n, columns]
 * @param {number} head
 * @returns {Float32Array[]} a part for each item of the batch
 */
function partsOf({ data, shape: [batch, heads, n, columns] }, head) {
  const size = n * columns;
  return times(batch, (item) => {
    const start = (item * heads + head) * size;
    return data.subarray(start, start + size);
  });
}

/**
 * Returns the dot products of each query of a head with the keys that it sees, its own and those before.
 * @param {readonly Layer[]} layers of several texts
 * @param {{ head: number, scale: number }} options scale: of the scores
 */
export const dotProducts = (layers, { head, scale }) =>
  layers
    .flatMap(({ scores }) => {
      const n = scores.shape[3];
      return partsOf(scores, head).flatMap((part) =>
        times(n, (i) => [...part.subarray(i * n, i * n + i + 1)]).flat(),
      );
    })
    .map((score) => score / scale);

/** One bin of a histogram. @typedef {{ low: number, high: number, density: number }} DotRow */

/**
 * Returns how the dot products of a head are spread.
 * @param {readonly Layer[]} layers of several texts
 * @param {{ head: number, scale: number, reach: number, bins?: number }} options reach: half the width of the
 *   histogram; dot products beyond it count in none of its bins
 * @returns {{ rows: DotRow[], mean: number, deviation: number, expected: number, dKey: number, count: number }}
 *   expected: √d_k·σ_q·σ_k, the deviation if entries were independent
 */
export function dotHistogram(layers, { head, scale, reach, bins = 60 }) {
  const dots = dotProducts(layers, { head, scale });
  const width = (2 * reach) / bins;
  const entries = (/** @type {'query' | 'key'} */ name) =>
    moments(layers.flatMap((layer) => partsOf(layer[name], head).flatMap((part) => [...part])));
  const dKey = layers[0].query.shape[3];
  const { count, ...spread } = moments(dots);
  return {
    ...spread,
    count,
    dKey,
    expected: Math.sqrt(dKey) * entries('query').deviation * entries('key').deviation,
    rows: countInBins(dots, reach, bins).map((each, bin) => ({
      low: bin * width - reach,
      high: (bin + 1) * width - reach,
      density: each / (count * width),
    })),
  };
}
