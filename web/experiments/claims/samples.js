/**
 * Samples that several claims measure: scores of normal queries and keys, and how their weights are spread,
 * computed in blocks with pauses between them.
 */
import { attentionScores, attentionStatistics, describe } from '../../attention/index.js';
import { inSlices, workOf } from '../../shared/slices.js';
import { noise } from '../noise.js';
import { mean } from '../statistics.js';

/** @import { Tensor } from '../../attention/index.js' */

/** @typedef {{ signal?: AbortSignal }} Cancellable */

export const SEED = 5;

/** Queries, or keys, that are measured between two pauses. */
const BLOCK = 8;

/**
 * Measures block after block of a sample, in slices.
 * @template T
 * @param {number} count of queries or keys
 * @param {Cancellable} control
 * @param {(block: { rows: number, first: number }) => T} measure
 * @returns {Promise<T[]>}
 */
export function inBlocks(count, { signal }, measure) {
  /** @type {T[]} */
  const found = [];
  const work = (/** @type {number} */ part) =>
    void found.push(measure({ rows: BLOCK, first: BLOCK * part }));
  return inSlices(
    workOf(count / BLOCK, work, () => found),
    { signal },
  );
}

/** Stacks tensors, one below the other. @param {readonly Tensor[]} blocks  @returns {Tensor} */
function joined(blocks) {
  const columns = blocks[0]?.shape[1] ?? 1;
  const data = new Float32Array(blocks.length * BLOCK * columns);
  blocks.forEach((block, index) => data.set(block.data, index * BLOCK * columns));
  return { data, shape: [blocks.length * BLOCK, columns] };
}

/**
 * Draws normal keys in slices, since many numbers take long.
 * @param {{ columns: number, seed: number, entrySize?: number }} shape
 * @param {number} keys
 * @param {Cancellable} control
 */
export const drawKeys = async (shape, keys, control) =>
  joined(await inBlocks(keys, control, (block) => noise('key', { ...block, ...shape })));

/** @typedef {{ dK: number, queries?: number, keys?: number, scale?: number, entrySize?: number }} SampleOptions */

/**
 * Measures blocks of normal queries, which all meet the same keys.
 * @template T
 * @param {SampleOptions} options
 * @param {Cancellable} control
 * @param {(query: Tensor, key: Tensor, options: { scale: number }) => T} measure
 */
async function inSample(
  { dK, queries = 256, keys = 64, scale = 1, entrySize = 1 },
  control,
  measure,
) {
  const shape = { columns: dK, seed: SEED, entrySize };
  const key = await drawKeys(shape, keys, control);
  return inBlocks(queries, control, (block) =>
    measure(noise('query', { ...block, ...shape }), key, { scale }),
  );
}

/** Returns the scores of normal queries and keys. @param {SampleOptions} options @param {Cancellable} control */
export const scoresOf = async (options, control) =>
  joined(await inSample(options, control, (...pair) => attentionScores(...pair).scores));

/** Returns the standard deviation of scores. @param {SampleOptions} options @param {Cancellable} control */
export const deviation = async (options, control) =>
  Math.sqrt(describe(await scoresOf(options, control)).variance);

/**
 * Measures among how many keys the weights of a query are spread: the mean entropy relative to that of equal
 * weights, and the mean number of effective keys.
 * @param {SampleOptions} options
 * @param {Cancellable} control
 */
export async function spreadOf(options, control) {
  const blocks = await inSample(options, control, (query, key, { scale }) => {
    const returns = /** @type {const} */ (['entropy', 'effectiveKeys']);
    const { entropy, effectiveKeys } = attentionStatistics(query, key, { scale, returns });
    return {
      entropyRatio: mean(entropy.data) / Math.log(key.shape[0]),
      effectiveKeys: mean(effectiveKeys.data),
    };
  });
  const of = (/** @type {'entropyRatio' | 'effectiveKeys'} */ name) =>
    mean(blocks.map((block) => block[name]));
  return { entropyRatio: of('entropyRatio'), effectiveKeys: of('effectiveKeys') };
}
