/**
 * Samples that several claims measure: scores and weights of normal queries and keys, computed in blocks
 * with pauses between them.
 */
import { attentionScores, describe, entropy } from '../../attention/index.js';
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
export function joined(blocks) {
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

/**
 * Returns the scores and weights of normal queries and keys.
 * @param {{ dK: number, queries?: number, keys?: number, scale?: number, entrySize?: number }} options
 * @param {Cancellable} control
 */
export async function sample({ dK, queries = 256, keys = 64, scale = 1, entrySize = 1 }, control) {
  const shape = { columns: dK, seed: SEED, entrySize };
  const key = await drawKeys(shape, keys, control);
  const blocks = await inBlocks(queries, control, (block) =>
    attentionScores(noise('query', { ...block, ...shape }), key, { scale, returns: ['weights'] }),
  );
  return {
    scores: joined(blocks.map(({ scores }) => scores)),
    weights: joined(blocks.map(({ weights }) => weights)),
  };
}

/** Returns the scores alone. @param {Parameters<typeof sample>[0]} options @param {Cancellable} control */
export const scoresOf = async (options, control) => (await sample(options, control)).scores;

/** Returns the standard deviation of scores. @param {Parameters<typeof sample>[0]} options @param {Cancellable} control */
export const deviation = async (options, control) =>
  Math.sqrt(describe(await scoresOf(options, control)).variance);

/** Returns the mean entropy of the rows, relative to that of equal weights. @param {Tensor} weights [queries, keys] */
export const entropyRatio = (weights) => mean(entropy(weights).data) / Math.log(weights.shape[1]);
