/**
 * Scaled dot-product attention (Vaswani et al., "Attention is all you need", 2017) and its
 * gradient. The twin of c/attention.c and c/attention_backward.c.
 */
import { attendHeads, differentiateHeads } from './attention-kernel.js';
import { compute } from './compute.js';
import { gradientShapes, readInputs, readOutputGradient, resultShapes } from './heads.js';
import { EXPONENTIAL, expectWithin } from './limit.js';
import { pick } from './options.js';
import { makeResults } from './results.js';
import { ARRAYS, readSettings } from './settings.js';
import { sinkShapes, writeSinkGradient } from './sink.js';
import { widestSpan } from './visible.js';

/**
 * @import { Extra, Inputs, Results } from './heads.js'
 * @import { Limit } from './limit.js'
 * @import { Settings } from './settings.js'
 * @import { Causal, Integers } from './visible.js'
 * @import { Asking, Returned } from './results.js'
 * @import { MaskLike, Tensor, TensorLike } from './tensor.js'
 */

/** The names of further results. @typedef {Extra} FurtherResult */

/**
 * @template {Extra} [R=Extra]
 * @typedef {object} ScoreOptions
 * @property {number} [scale] the factor of the similarities; by default 1/√d_k, and 1 for 'cosine'
 * @property {number} [temperature] the divisor of the scores, above 0; 1 by default
 * @property {'dot' | 'cosine'} [similarity] 'dot' (default), or 'cosine', the dot product of rows
 *   brought to length 1 (lengths clamped at 1e-12; Henry et al., "Query-key normalization for
 *   transformers", 2020)
 * @property {number | null} [softcap] c: scores s become c·tanh(s / c), before masks (Gemma Team,
 *   "Gemma 2", 2024); none by default
 * @property {Causal} [causal] true or 'upper-left' lets query i attend to keys j ≤ i + offset,
 *   'lower-right' likewise with an offset of n_k − n_q, so that the last query sees the last key, or the
 *   last of its item's keyLengths; false (default) to all
 * @property {readonly [left: number, right: number] | null} [window] query i attends to keys from
 *   i + offset − left to i + offset + right; −1 is no limit. The cost is that of the pairs in it
 * @property {Integers | null} [offset] where query 0 stands among the keys, a whole number or one an
 *   item of the batch, as for queries after a cache of keys; by default 0, or that of 'lower-right'
 * @property {Integers | null} [keyLengths] one an item of the batch: keys from there on are padding
 * @property {MaskLike | null} [mask] booleans, or integers of 0 and 1 = may attend, other numbers =
 *   added to the scores; [n_q, n_k], or [1, n_k] for all queries, or with leading axes that broadcast
 *   to [b, h, n_q, n_k]: PyTorch's padding mask is [b, 1, 1, n_k]. It takes n_q·n_k numbers of memory.
 *   A key must be allowed by all of causal, window, keyLengths and mask
 * @property {number | TensorLike | null} [sink] a logit without value in the denominator of each row, a
 *   number or one a head [h], so that weights sum to less than 1 (Xiao et al., "Efficient streaming
 *   language models with attention sinks", 2024); none by default
 * @property {R | readonly R[]} [returns] further results, one name or a list: 'scores' (scale ·
 *   similarity / temperature), 'cappedScores' (after softcap), 'maskedScores' (as softmax sees them),
 *   'weights', 'meanWeights' (their mean over heads), 'logSumExp', and the statistics of
 *   `attentionStatistics`. Without one of the first five no n_q × n_k matrix exists
 * @property {Partial<Record<R | 'scores', Float32Array>>} [into] as in `attention`
 * @property {Limit} [limit] refuses a call that would take longer, before it starts
 */

/**
 * @template {Extra} [R=Extra]
 * @typedef {Omit<ScoreOptions<R>, 'into'> & AttentionTargets<R>} AttentionOptions
 */
/**
 * @template {Extra} [R=Extra]
 * @typedef {object} AttentionTargets
 * @property {Partial<Record<'output' | R, Float32Array>>} [into] arrays to write results to, by their
 *   names, each of as many numbers as its result and apart from all inputs; the result then holds that
 *   array. Results without one get a fresh one
 */

/**
 * dSink where there is a sink: of shape [] for a number, which all heads share, else [h]; summed over the
 * batch.
 *
 * @typedef {{ dQuery: Tensor, dKey: Tensor, dValue: Tensor, dScale: number,
 *   dSink?: Tensor }} AttentionGradients
 */

/**
 * @typedef {{ scores: Tensor, weights?: Tensor, cappedScores?: Tensor, maskedScores?: Tensor,
 *   meanWeights?: Tensor, logSumExp?: Tensor, entropy?: Tensor, effectiveKeys?: Tensor, jacobianTrace?: Tensor,
 *   largestWeight?: Tensor, largestScore?: Tensor, scoreMean?: Tensor, scoreDeviation?: Tensor,
 *   visibleKeys?: Tensor, firstWeight?: Tensor, previousWeight?: Tensor, sinkWeight?: Tensor,
 *   receivedWeight?: Tensor }} ScoreResults
 */

/**
 * Options of `attention`; `into` has names of gradients.
 *
 * @typedef {AttentionOptions | (Omit<AttentionOptions, 'into'> & {
 *   into?: Partial<Record<'dQuery' | 'dKey' | 'dValue' | 'dSink', Float32Array>> })} AttentionGradientOptions
 */

/**
 * Computes output = softmax(scale · query keyᵀ + mask) value, for each batch and head. With a temperature T, a
 * softcap c and a sink z the scores s = scale · query keyᵀ / T become c·tanh(s / c), and the denominator
 * of softmax has e^z besides the exponentials of the keys.
 *
 * Fewer key/value heads than query heads, dividing them, is grouped-query attention (Ainslie et
 * al., "GQA", 2023). A query that may attend nowhere gives weights and output 0 and logSumExp
 * −Infinity, or the sink. NaN reaches the rows it touches; a position that may not be attended touches
 * nothing. Empty inputs give empty or zero results.
 *
 * Cost: 2·n_q·n_k·(d_k + d_v) flop and n_q·n_k exponentials a head, of the pairs that a window or
 * causality leaves, O((n_q + n_k)·(d_k + d_v)) memory. Matrices among the results come from the same
 * product, and cost n_q·n_k numbers each.
 *
 * Error against float64 of an array's worst entry, in units of 2^-24·magnitude, where magnitude is
 * the largest entry of the same formula with every term's absolute value: output 0.6, weights 0.9,
 * scores 2.6, logSumExp 1.3 in PyTorch's golden vectors (normal entries, d_k from 1 to 768, n_k
 * from 1 to 128). Where all products have one sign it grows with d_k: for entries uniform in [0, 1)
 * scores are within 8 up to d_k = 4096, and logSumExp, before which products are summed in one chain,
 * within 48 there; for equal entries, whose roundings all go one way, within 40 and 900. Over very many
 * keys the output's grows: of values uniform in [0, 1) with nearly equal weights 2 at 1000 keys, 9 at
 * 100 000; equal values are 90 off at 128 keys, 250 at 100 000. scale·query must be a normal float32
 * (1.2e-38 to 3.4e38) or 0, and the sum of n_k values before it is divided by that of their weights
 * stay below 3.4e38.
 *
 * @template {string | readonly string[] | undefined} [const A=readonly []]
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {TensorLike} value [n_k, d_v], [g, n_k, d_v] or [b, g, n_k, d_v]
 * @param {Asking<AttentionOptions, A, Extra>} [options]
 * @returns {Returned<A, Results>} output [..., n_q, d_v]; weights, scores (scale · similarity /
 *   temperature, before softcap and masks), cappedScores and maskedScores [..., n_q, n_k]; meanWeights
 *   the same without the axis of heads; logSumExp of the masked scores and the sink [..., n_q]; statistics
 *   as in `attentionStatistics`
 * @throws {ShapeError} if shapes do not fit, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, unknown options or values
 * @throws {CapacityError} if a head with its results exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const x = randomNormal([8, 64], { seed: 1 });
 * const { output, weights } = attention(x, x, x, { causal: true, returns: ['weights'] });
 * weights.data[1]; // 0: the first query sees the first key only
 * output.shape; // [8, 64]
 */
export function attention(query, key, value, options) {
  const caller = 'attention';
  const inputs = readInputs(caller, query, key, value, 'dot');
  const settings = readSettings(caller, inputs, options);
  /** @type {('output' | Extra)[]} */
  const names = ['output', ...settings.returns];
  const others = Object.assign({ query, key, value }, pick(options, ARRAYS));
  return /** @type {any} */ (attend(caller, inputs, settings, names, others));
}

/**
 * Computes the scores of queries and keys, the first half of `attention`, without values.
 *
 * Masked rows, NaN and empty inputs are as in `attention`.
 *
 * Cost: 2·n_q·n_k·d_k flop a head, one product for all results; without weights and logSumExp no
 * exponential. Error: that of `attention`.
 *
 * @template {string | readonly string[] | undefined} [const A=readonly []]
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {Asking<ScoreOptions, A, Extra>} [options]
 * @returns {Returned<A, ScoreResults>} scores [..., n_q, n_k]; the others as in `attention`
 * @throws {ShapeError} if shapes do not fit, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, unknown options or values
 * @throws {CapacityError} if a head with its results exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const { scores, weights } = attentionScores([[1, 0]], [[2, 1], [0, 3]], { scale: 1, returns: 'weights' });
 * toNested(scores); // [[2, 0]]
 * weights.data; // Float32Array [0.8808, 0.1192]
 */
export function attentionScores(query, key, options) {
  const caller = 'attentionScores';
  const inputs = readInputs(caller, query, key, null, 'dot');
  const settings = readSettings(caller, inputs, options);
  const others = Object.assign({ query, key }, pick(options, ARRAYS));
  return /** @type {any} */ (
    attend(caller, inputs, settings, ['scores', ...settings.returns], others)
  );
}

/**
 * Computes results of a forward pass whose arguments have been read.
 *
 * @template {'output' | Extra} Name
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {readonly Name[]} names of the results
 * @param {Record<string, unknown>} others inputs by name, from which results are apart
 * @returns {Record<Name, Tensor>}
 */
export function attend(caller, inputs, settings, names, others) {
  const { limit, into } = settings;
  const products = names.some((name) => name === 'receivedWeight') ? 2 : 1;
  expectWithin(caller, limit, operations(inputs, settings, 2 * products, 2));
  const results = makeResults(caller, into, resultShapes(inputs, names), others);
  compute(caller, inputs, results, (kernel) => attendHeads(kernel, inputs, settings, results));
  return results;
}

/**
 * Computes the gradients of L = Σ output ∘ dOutput, where output is that of `attention` with the same
 * arguments: with S = scale · query keyᵀ + mask, P = softmax(S) and O = P value,
 *   dValue = Pᵀ dO, dP = dO valueᵀ, dS = P ∘ (dP − rowsum(P ∘ dP)),
 *   dQuery = scale · dS key, dKey = scale · dSᵀ query, dScale = Σ dS ∘ (query keyᵀ)
 * (Dao et al., "FlashAttention", 2022, appendix B). Key heads that several query heads share get
 * the sum of their gradients. For 'cosine' the gradients are those of the given query and key,
 * through their lengths.
 *
 * A query that may attend nowhere, and a position that may not be attended, take part in no
 * gradient. NaN reaches the gradients it touches. Empty inputs give empty or zero gradients.
 *
 * Cost: n_q·n_k·(6·d_k + 4·d_v) flop and n_q·n_k exponentials a head, without a forward pass;
 * 2·min(n_q, 112)·n_k numbers, or 2·min(n_q, 56)·n_k with more than 2048 keys, and
 * O((n_q + n_k)·(d_k + d_v)) memory.
 *
 * Error against float64 in the units of `attention`, worst of the same golden vectors and of random
 * problems (normal entries, up to 150 queries, 250 keys and d 20): dQuery 0.9, dKey 0.9, dValue
 * 1.4, dScale 0.4.
 *
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {TensorLike} value [n_k, d_v], [g, n_k, d_v] or [b, g, n_k, d_v]
 * @param {TensorLike} dOutput like the output, [..., n_q, d_v]: ∂L/∂output
 * @param {AttentionGradientOptions} [options] those of `attention`; `returns` is without effect, and
 *   `into` has names of gradients
 * @returns {AttentionGradients} each with the shape of its argument; dScale (a float64 sum) is that of
 *   the scale, over all heads and batches
 * @throws {ShapeError} if shapes do not fit, or d_k is 0
 * @throws {DTypeError} for entries that are no numbers, unknown options or values
 * @throws {CapacityError} if a head with its gradients exceeds the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const [q, k, v, dO] = [1, 2, 3, 4].map((seed) => randomNormal([8, 64], { seed }));
 * const { dQuery, dKey, dValue, dScale } = attentionGradient(q, k, v, dO, { causal: true });
 * dQuery.data[0]; // 0: the first query has no choice, so its scores do not matter
 * dKey.shape; // [8, 64]
 */
export function attentionGradient(query, key, value, dOutput, options) {
  const caller = 'attentionGradient';
  const inputs = readInputs(caller, query, key, value, 'dot');
  const upstream = readOutputGradient(caller, dOutput, [...inputs.lead, inputs.nQ, inputs.dV]);
  const settings = readSettings(caller, inputs, options);
  const { limit, into, scoring } = settings;
  expectWithin(caller, limit, operations(inputs, settings, 6, 4));
  const others = Object.assign({ query, key, value, dOutput }, pick(options, ARRAYS));
  const shapes = { ...gradientShapes(inputs), ...sinkShapes(scoring) };
  const gradients = makeResults(caller, into, shapes, others);
  const dScale = compute(caller, inputs, gradients, (kernel) => {
    const sums = differentiateHeads(kernel, inputs, upstream, settings, gradients);
    writeSinkGradient(gradients.dSink, sums.dSinks, inputs.heads);
    return sums.dFactors.reduce((sum, x) => sum + x, 0) / scoring.temperature;
  });
  return { ...gradients, dScale: dScale ?? 0 };
}

/**
 * Counts the floating-point operations of all heads: for each pair of a query and a key that it sees,
 * those for the entries of key and value, and an exponential.
 *
 * @param {Omit<Inputs, 'query' | 'key' | 'value'>} sizes
 * @param {Pick<Settings, 'scoring'>} settings
 * @param {number} perKeyEntry
 * @param {number} perValueEntry
 * @returns {number}
 */
export function operations(
  { batch, heads, nQ, nK, dK, dV },
  { scoring },
  perKeyEntry,
  perValueEntry,
) {
  const pairs = batch * heads * nQ * widestSpan(scoring.spans, nK);
  return pairs * (perKeyEntry * dK + perValueEntry * dV + EXPONENTIAL);
}
