/**
 * Statistics of the weights of attention without the matrix of them.
 */
import { attend } from './attention.js';
import { KEY_STATISTICS } from './head-statistics.js';
import { readInputs } from './heads.js';
import { pick } from './options.js';
import { ARRAYS, readSettings } from './settings.js';

/**
 * @import { ScoreOptions } from './attention.js'
 * @import { Asking, Returned } from './results.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/** @typedef {(typeof NAMES)[number]} StatisticName */

/** The results without a name in `returns`. */
const USUAL = /** @type {const} */ (['logSumExp', ...KEY_STATISTICS]);
const NAMES = /** @type {const} */ ([...USUAL, 'sinkWeight', 'receivedWeight']);

/**
 * @template {StatisticName} [R=StatisticName]
 * @typedef {Omit<ScoreOptions, 'returns' | 'into'> & StatisticTargets<R>} AttentionStatisticOptions
 */
/**
 * @template {StatisticName} [R=StatisticName]
 * @typedef {object} StatisticTargets
 * @property {R | readonly R[]} [returns] the results, one name or a list; by default all but
 *   'receivedWeight', and 'sinkWeight' only with a sink
 * @property {Partial<Record<R, Float32Array>>} [into] as in `attention`
 */

/**
 * @typedef {{ logSumExp?: Tensor, entropy?: Tensor, effectiveKeys?: Tensor, jacobianTrace?: Tensor,
 *   largestWeight?: Tensor, largestScore?: Tensor, scoreMean?: Tensor, scoreDeviation?: Tensor,
 *   visibleKeys?: Tensor, firstWeight?: Tensor, previousWeight?: Tensor, sinkWeight?: Tensor,
 *   receivedWeight?: Tensor }} StatisticResults
 */

/**
 * Computes what the weights p of each query are like, as `attention` would give them, without a value and
 * without a matrix of n_q × n_k: an online softmax carries the sums from tile to tile.
 *
 * - logSumExp: of the scores that softmax sees, and the sink;
 * - entropy: −Σ p ln p, in nats; effectiveKeys: 1/Σp², 0 for a query without keys;
 * - jacobianTrace: Σp − Σp², how much gradient passes softmax;
 * - largestWeight, largestScore (−Infinity without keys);
 * - scoreMean, scoreDeviation (population) of the scores that the query sees, NaN without keys;
 * - visibleKeys: how many these are, those at −Infinity left out;
 * - firstWeight: on key 0; previousWeight: on the key before the query's own place, i + offset − 1, 0 where
 *   there is none; sinkWeight: on the sink, 0 without one;
 * - receivedWeight: what each key collects, Σ p over the queries.
 *
 * With a sink the p of a query sum to less than 1. Masked rows, NaN and empty inputs are as in `attention`.
 * Each result has the same bits whatever else is asked for, in every engine and in the pool.
 *
 * Cost: 2·n_q·n_k·(d_k + 7) flop and n_q·n_k exponentials a head, O((n_q + n_k)·d_k) memory; receivedWeight
 * takes a second product.
 *
 * Error against float64 in units of 2^-24·max(1, |x|), worst of PyTorch's golden vectors: entropy 7.5,
 * effectiveKeys 17, jacobianTrace 4.2, largestScore 5.1, all others 3.1; it grows with that of the scores.
 * Scores from 1e18 on have a scoreDeviation of Infinity or NaN; where a sink leaves no key 1e-19 of the
 * weight, effectiveKeys is 0.
 *
 * @template {string | readonly string[] | undefined} [const A=typeof USUAL]
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {Asking<AttentionStatisticOptions, A, StatisticName>} [options] those of
 *   `attentionScores`
 * @returns {Returned<A, StatisticResults>} each [..., n_q]; receivedWeight [..., n_k]
 * @throws {ShapeError} if shapes do not fit, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, unknown options or values
 * @throws {CapacityError} if a head exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const [q, k] = [1, 2].map((seed) => randomNormal([64, 64], { seed }));
 * const found = attentionStatistics(q, k, { causal: true, returns: ['entropy', 'largestScore'] });
 * found.entropy.data[0]; // 0: the first query sees one key
 * found.largestScore.shape; // [64]
 */
export function attentionStatistics(query, key, options) {
  const caller = 'attentionStatistics';
  const inputs = readInputs(caller, query, key, null, 'dot');
  const settings = readSettings(caller, inputs, options, NAMES);
  /** @type {readonly StatisticName[]} */
  const usual = settings.scoring.hasSink ? [...USUAL, 'sinkWeight'] : USUAL;
  const names = options?.returns === undefined ? usual : settings.returns;
  const others = { query, key, ...pick(options, ARRAYS) };
  return /** @type {any} */ (attend(caller, inputs, settings, names, others));
}
