/**
 * A picture of the weights of attention, of any number of queries and keys.
 */
import { attendHeads } from './attention-kernel.js';
import { operations } from './attention.js';
import { compute } from './compute.js';
import { reject } from './errors.js';
import { readInputs } from './heads.js';
import { expectWithin } from './limit.js';
import { pick, readChoice, readEntries, readInteger } from './options.js';
import { makeResults } from './results.js';
import { ARRAYS, optionsWithout, readSettings } from './settings.js';

/**
 * @import { ScoreOptions } from './attention.js'
 * @import { Tensor, TensorLike } from './tensor.js'
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
const KNOWN = ['rows', 'columns', 'pool', ...optionsWithout('returns')];

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
  const caller = 'attentionMap';
  const inputs = readInputs(caller, query, key, null, 'dot');
  const given = readEntries(caller, options);
  const settings = readSettings(caller, inputs, options, [], KNOWN);
  const rows = readBlocks(caller, 'rows', given.rows, inputs.nQ);
  const columns = readBlocks(caller, 'columns', given.columns, inputs.nK);
  const pool = readChoice(caller, 'pool', given.pool, /** @type {const} */ (['mean', 'max']));
  expectWithin(caller, settings.limit, operations(inputs, settings, 4, 0));
  const shapes = { weights: [...inputs.lead, rows, columns] };
  const others = { query, key, ...pick(given, ARRAYS) };
  const results = makeResults(caller, settings.into, shapes, others);
  const pooled = { rows, columns, pool, target: results.weights };
  compute(caller, inputs, results, (kernel) => attendHeads(kernel, inputs, settings, {}, pooled));
  return results;
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
