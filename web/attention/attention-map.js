/**
 * A picture of the weights of attention, of any number of queries and keys.
 */
import { attendHeads } from './attention-kernel.js';
import { operations, TILE } from './attention.js';
import { reject } from './errors.js';
import { INPUT_CUTS, prepared, readInputs } from './heads.js';
import { expectWithin } from './limit.js';
import { pick, readChoice, readEntries, readInteger } from './options.js';
import { makeResults } from './results.js';
import { ARRAYS, OPTIONS, readSettings, SETTING_CUTS } from './settings.js';
import { perform } from './work.js';

/**
 * @import { AttentionData, ScoreOptions } from './attention.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 * @import { Cuts, Prepared, Work } from './work.js'
 */

/**
 * @typedef {Omit<ScoreOptions, 'returns' | 'into'> & MapOptions} AttentionMapOptions
 */
/**
 * @typedef {object} MapOptions
 * @property {number} rows of the picture, from 1 to n_q
 * @property {number} columns of the picture, from 1 to n_k
 * @property {'mean' | 'max'} [pool] the mean of the weights of a block (default), or the largest
 * @property {{ weights?: Float32Array }} [into] as in `attention`
 */

/** The options of `attentionMap`. */
const KNOWN = ['rows', 'columns', 'pool', ...OPTIONS.filter((name) => name !== 'returns')];

/** How weights are pooled; `first` is the first query of a part. @typedef {{ rows: number, columns: number,
 *  pool: 'mean' | 'max', first: number }} Grid */
/** @typedef {AttentionData & { grid: Grid }} MapData */

/**
 * Computes the weights of attention, pooled over blocks of queries × keys: block a of c over n is from
 * ⌊a·n/c⌋ to before ⌊(a + 1)·n/c⌋. No matrix of n_q × n_k exists.
 *
 * Weights that may not be attended are 0 and count; with a sink the weights of a query sum to less than 1.
 * NaN reaches the cells it touches.
 *
 * Cost: two products of queries and keys, 4·n_q·n_k·d_k flop, and 2·n_q·n_k exponentials a head;
 * O((n_q + n_k)·d_k + rows·columns) memory. Error: that of the weights of `attention`; sums are float64.
 *
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {AttentionMapOptions} options those of `attentionScores`, rows and columns
 * @returns {{ weights: Tensor }} [..., rows, columns]
 * @throws {ShapeError} if shapes do not fit, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, unknown options or values, a block without a weight
 * @throws {CapacityError} if a head exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const x = randomNormal([1000, 16], { seed: 1 });
 * const { weights } = attentionMap(x, x, { causal: true, rows: 2, columns: 2 });
 * weights.data[1]; // 0: no query of the first half sees a key of the second
 */
export function attentionMap(query, key, options) {
  return perform(mapWork, 'attentionMap', [query, key, options]);
}

/**
 * Reads the arguments of `attentionMap` and makes its result.
 *
 * @param {string} caller
 * @param {TensorLike} query
 * @param {TensorLike} key
 * @param {unknown} options
 * @returns {Prepared<MapData, { weights: Tensor }>}
 */
function prepareMap(caller, query, key, options) {
  const inputs = readInputs(caller, query, key, null, 'dot');
  const { rows, columns, pool, ...rest } = readEntries(caller, options);
  const settings = readSettings(caller, inputs, options, [], KNOWN);
  const grid = {
    rows: readBlocks(caller, 'rows', rows, inputs.nQ),
    columns: readBlocks(caller, 'columns', columns, inputs.nK),
    pool: readChoice(caller, 'pool', pool, ['mean', 'max']),
    first: 0,
  };
  const count = operations(inputs, settings, 4, 0);
  expectWithin(caller, settings.limit, count);
  const shapes = { weights: [...inputs.lead, grid.rows, grid.columns] };
  const others = { query, key, ...pick(rest, ARRAYS) };
  const results = makeResults(caller, settings.into, shapes, others);
  const step = stepOf(grid.rows, inputs.nQ);
  return { ...prepared({ inputs, settings, grid }, results, count), step };
}

/** Returns the fewest queries, whole tiles of the kernel, that are a whole number of blocks.
 *  @param {number} blocks @param {number} nQ */
function stepOf(blocks, nQ) {
  let step = TILE;
  while (step < nQ && (step * blocks) % nQ !== 0) step += TILE;
  return step;
}

/**
 * Reads a number of blocks over n, none of them empty.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {number} n
 * @returns {number}
 */
function readBlocks(caller, name, value, n) {
  const blocks = readInteger(caller, name, value, 1);
  return blocks <= n ? blocks : reject(caller, name, value, `at most ${n}, one a block`);
}

/** @type {Cuts<Grid>} */
const GRID_CUTS = {
  rows: 'same',
  columns: 'same',
  pool: 'same',
  first: (_, { queries }) => queries[0],
};

/** @type {Work<MapData, { weights: Tensor }>} */
const mapWork = {
  prepare: prepareMap,
  compute: (kernel, { inputs, settings, grid }, { weights }) =>
    attendHeads(kernel, inputs, settings, {}, { ...grid, target: weights }),
  cuts: { inputs: INPUT_CUTS, settings: SETTING_CUTS, grid: GRID_CUTS },
  places: { weights: 'queries' },
};

export const works = { attentionMap: mapWork };
