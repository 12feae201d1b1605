/**
 * Scaled dot-product attention (Vaswani et al., "Attention is all you need", 2017) and its
 * gradient. The twin of c/attention.c and c/attention_backward.c.
 */
import { attendHeads, differentiateHeads } from './dot-product.js';
import { gradientShapes, isEmpty, readInputs, readOutputGradient, resultShapes } from './heads.js';
import { run } from './kernel/active.js';
import { EXPONENTIAL, expectWithin } from './limit.js';
import { pick } from './options.js';
import { clearResults, makeResults } from './results.js';
import { readSettings } from './settings.js';

/**
 * @import { Causal, Extra, Inputs, Results } from './heads.js'
 * @import { Limit } from './limit.js'
 * @import { Returned } from './results.js'
 * @import { MaskLike, Tensor, TensorLike } from './tensor.js'
 */

/**
 * @template {Extra} [R=Extra]
 * @typedef {object} AttentionOptions
 * @property {number} [scale] what the similarities are multiplied with; by default 1/√d_k, and 1
 *   for 'cosine'
 * @property {number} [temperature] what the scores are divided by, above 0; 1 by default
 * @property {Causal} [causal] true or 'upper-left' lets query i attend to keys j ≤ i,
 *   'lower-right' to j ≤ i + n_k − n_q; false (default) to all
 * @property {MaskLike | null} [mask] booleans (or a Uint8Array) = may attend, other numbers = added
 *   to the scores; [n_q, n_k], or [1, n_k] for all queries, or with leading axes that broadcast to
 *   [b, h, n_q, n_k]: PyTorch's padding mask is [b, 1, 1, n_k]. With causal both must allow. It takes
 *   n_q·n_k numbers of memory
 * @property {'dot' | 'cosine'} [similarity] 'dot' (default), or 'cosine', the dot product of rows
 *   brought to length 1 (lengths clamped at 1e-12; Henry et al., "Query-key normalization for
 *   transformers", 2020)
 * @property {R | readonly R[]} [returns] what to give besides the output, one name or a list. Without
 *   'weights' and 'scores' no n_q × n_k matrix exists
 * @property {Partial<Record<'output' | R, Float32Array>>} [into] arrays to write results to, by their
 *   names, each of as many numbers as its result and apart from all inputs; the result then holds that
 *   array. Results without one get a fresh one
 * @property {Limit} [limit] refuses a call that would take longer, before it starts
 */

/**
 * Options of `attention`; `into` has names of gradients.
 *
 * @typedef {AttentionOptions | (Omit<AttentionOptions, 'into'> & {
 *   into?: Partial<Record<'dQuery' | 'dKey' | 'dValue', Float32Array>> })} AttentionGradientOptions
 */

/**
 * output = softmax(scale · query keyᵀ + mask) value, for each batch and head.
 *
 * Fewer key/value heads than query heads, dividing them, is grouped-query attention (Ainslie et
 * al., "GQA", 2023). A query that may attend nowhere gives weights and output 0 and logSumExp
 * −Infinity. NaN reaches the rows it touches; a position that may not be attended touches
 * nothing. Empty inputs give empty or zero results.
 *
 * Cost: 2·n_q·n_k·(d_k + d_v) flop and n_q·n_k exponentials a head, O((n_q + n_k)·(d_k + d_v))
 * memory; 'weights' and 'scores' cost n_q·n_k numbers each and the first product again.
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
 * @template {Extra | readonly Extra[] | undefined} [const A=readonly []]
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {TensorLike} value [n_k, d_v], [g, n_k, d_v] or [b, g, n_k, d_v]
 * @param {AttentionOptions & ({ returns: A } | { returns?: undefined })} [options]
 * @returns {Returned<A, Results>} output [..., n_q, d_v]; weights and
 *   scores (scale · similarity, before mask and causal) [..., n_q, n_k]; logSumExp of the masked
 *   scores [..., n_q]
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
  const { returns, into } = settings;
  expectWithin(caller, settings.limit, operations(inputs, 2, 2));
  const others = { query, key, value, ...pick(options, ['mask']) };
  const results = makeResults(caller, into, resultShapes(inputs, returns), others);
  if (isEmpty(inputs)) clearResults(results);
  run(caller, (kernel) => attendHeads(kernel, inputs, settings, results));
  return /** @type {any} */ (results);
}

/**
 * The gradients of L = Σ output ∘ dOutput, where output is that of `attention` with the same
 * arguments: with S = scale · query keyᵀ + mask, P = softmax(S) and O = P value,
 *   dValue = Pᵀ dO, dP = dO valueᵀ, dS = P ∘ (dP − rowsum(P ∘ dP)),
 *   dQuery = scale · dS key, dKey = scale · dSᵀ query, dScale = Σ dS ∘ (query keyᵀ)
 * (Dao et al., "FlashAttention", 2022, appendix B). Key heads that several query heads share get
 * the sum of their gradients. For 'cosine' the gradients are those of the given query and key,
 * through their lengths.
 *
 * A query that may attend nowhere, and a position that may not be attended, take part in no
 * gradient. NaN reaches what it touches. Empty inputs give empty or zero gradients.
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
 * @returns {{ dQuery: Tensor, dKey: Tensor, dValue: Tensor, dScale: number }} each shaped like what
 *   it is the gradient of; dScale (a float64 sum) is that of the scale, over all heads and batches
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
  expectWithin(caller, settings.limit, operations(inputs, 6, 4));
  const others = { query, key, value, dOutput, ...pick(options, ['mask']) };
  const gradients = makeResults(caller, settings.into, gradientShapes(inputs), others);
  if (isEmpty(inputs)) clearResults(gradients);
  const dFactor = run(caller, (kernel) =>
    differentiateHeads(kernel, inputs, upstream, settings, gradients),
  );
  return { ...gradients, dScale: dFactor / settings.temperature };
}

/**
 * Counts the floating-point operations of all heads: for each pair of query and key, so many as an
 * entry of key and of value needs, and an exponential.
 *
 * @param {Inputs} inputs
 * @param {number} perKeyEntry
 * @param {number} perValueEntry
 * @returns {number}
 */
const operations = ({ batch, heads, nQ, nK, dK, dV }, perKeyEntry, perValueEntry) =>
  batch * heads * nQ * nK * (perKeyEntry * dK + perValueEntry * dV + EXPONENTIAL);
