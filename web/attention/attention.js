/**
 * Scaled dot-product attention (Vaswani et al., "Attention is all you need", 2017) and its
 * gradient. The twin of c/attention.c and c/attention_backward.c.
 */
import {
  allocateGradients,
  allocateResults,
  forHeads,
  readCausal,
  readHeadMask,
  readInputs,
  readOutputGradient,
  readReturns,
  takeMask,
  takeResults,
} from './heads.js';
import { run } from './kernel/active.js';
import { expectKnown, readChoice, readEntries, readNumber } from './options.js';

/**
 * @import { Block, Causal, Extra, Returned, HeadMask, HeadSizes, Inputs, Results } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { MaskLike, Tensor, TensorLike } from './tensor.js'
 */

/**
 * @template {Extra} [R=Extra]
 * @typedef {object} AttentionOptions
 * @property {number} [scale] what the similarities are multiplied with; by default 1/√d_k, and 1
 *   for 'cosine'
 * @property {Causal} [causal] true or 'upper-left' lets query i attend to keys j ≤ i,
 *   'lower-right' to j ≤ i + n_k − n_q; false (default) to all
 * @property {MaskLike | null} [mask] booleans (or a Uint8Array) = may attend, other numbers = added
 *   to the scores; [n_q, n_k], or [1, n_k] for all queries, or with leading axes that broadcast to
 *   [b, h, n_q, n_k]: PyTorch's padding mask is [b, 1, 1, n_k]. With causal both must allow. It takes
 *   n_q·n_k numbers of memory
 * @property {'dot' | 'cosine'} [similarity] 'dot' (default), or 'cosine', the dot product of rows
 *   brought to length 1 (lengths clamped at 1e-12; Henry et al., "Query-key normalization for
 *   transformers", 2020)
 * @property {readonly R[]} [returns] what to give besides the output. Without 'weights' and
 *   'scores' no n_q × n_k matrix exists
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
 * @template {readonly Extra[] | undefined} [const A=readonly []]
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
  const results = allocateResults(caller, inputs, settings.returns);
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
 * @param {AttentionOptions} [options] those of `attention`; `returns` is without effect
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
  const gradients = allocateGradients(caller, inputs);
  const dScale = run(caller, (kernel) =>
    differentiateHeads(kernel, inputs, upstream, settings, gradients),
  );
  return { ...gradients, dScale };
}

/**
 * @typedef {{ scale: number, causal: number, mask: HeadMask | null, cosine: boolean,
 *   returns: Extra[] }} Settings
 */

/**
 * Checks what the last axes and the options of dot-product attention need.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {unknown} options
 * @returns {Settings}
 */
function readSettings(caller, inputs, options) {
  const given = readEntries(caller, options);
  const mask = readHeadMask(caller, given.mask, inputs);
  expectKnown(caller, given, ['scale', 'causal', 'mask', 'similarity', 'returns']);
  const similarity = readChoice(caller, 'similarity', given.similarity, ['dot', 'cosine']);
  const cosine = similarity === 'cosine';
  return {
    scale: readNumber(caller, 'scale', given.scale, cosine ? 1 : 1 / Math.sqrt(inputs.dK)),
    causal: readCausal(caller, given.causal),
    mask,
    cosine,
    returns: readReturns(caller, given.returns),
  };
}

/**
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {Results} results filled
 */
function attendHeads(kernel, inputs, settings, results) {
  const { nQ, nK, dK, dV } = inputs;
  const [query, key, value] = [nQ * dK, nK * dK, nK * dV].map((count) => kernel.floats(count));
  const mask = takeMask(kernel, settings.mask, inputs);
  const out = takeResults(kernel, inputs, results);
  const rows = rowsOf(kernel, dK, settings.cosine);
  const spare = settings.cosine ? kernel.floats(Math.max(nQ, nK) * dK) : query;
  const attend = headForward(kernel, inputs, settings, Boolean(out.weights ?? out.scores));
  forHeads(inputs, {
    begin(group) {
      rows.write(key, spare, inputs.key, group, nK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
    },
    work(head) {
      rows.write(query, spare, inputs.query, head, nQ);
      mask.load(head);
      attend({ query, key, value, added: mask.added, ...out });
      out.store(head);
    },
  });
}

/**
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Float32Array} upstream ∂L/∂output
 * @param {Settings} settings
 * @param {{ dQuery: Tensor, dKey: Tensor, dValue: Tensor }} gradients filled
 * @returns {number} dScale
 */
function differentiateHeads(kernel, inputs, upstream, settings, gradients) {
  const { nQ, nK, dK, dV } = inputs;
  const [query, dQuery, key, dKey] = [nQ, nQ, nK, nK].map((n) => kernel.floats(n * dK));
  const [dOutput, value, dValue] = [nQ, nK, nK].map((n) => kernel.floats(n * dV));
  const mask = takeMask(kernel, settings.mask, inputs);
  const rows = rowsOf(kernel, dK, settings.cosine);
  const dScale = kernel.bytes(8); // a double
  kernel.clear(dScale, 2);
  const differentiate = headBackward(kernel, inputs, settings);
  forHeads(inputs, {
    begin(group) {
      rows.write(key, dKey, inputs.key, group, nK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
      kernel.clear(dKey, nK * dK);
      kernel.clear(dValue, nK * dV);
    },
    work(head) {
      rows.write(query, dQuery, inputs.query, head, nQ);
      kernel.write(dOutput, upstream, head * nQ * dV, nQ * dV);
      mask.load(head);
      const added = mask.added;
      differentiate({ query, key, value, added, dOutput, dQuery, dKey, dValue, dScale });
      rows.readGradient(dQuery, query, inputs.query, head, nQ, gradients.dQuery.data);
    },
    end(group) {
      rows.readGradient(dKey, key, inputs.key, group, nK, gradients.dKey.data);
      kernel.read(dValue, gradients.dValue.data, group * nK * dV, nK * dV);
    },
  });
  return kernel.readDoubles(dScale, 1)[0];
}

/**
 * How rows of query and key come into the kernel, and their gradients out of it: as they are, or
 * brought to length 1 by way of a spare block of the same size.
 *
 * @param {Kernel} kernel
 * @param {number} d columns
 * @param {boolean} cosine
 * @returns {{
 *   write: (block: Block, spare: Block, data: Float32Array, head: number, n: number) => void,
 *   readGradient: (block: Block, spare: Block, data: Float32Array, head: number, n: number,
 *     target: Float32Array) => void,
 * }}
 */
function rowsOf(kernel, d, cosine) {
  if (!cosine) {
    return {
      write: (block, _, data, head, n) => kernel.write(block, data, head * n * d, n * d),
      readGradient: (block, _, _data, head, n, target) =>
        kernel.read(block, target, head * n * d, n * d),
    };
  }
  return {
    write(block, spare, data, head, n) {
      kernel.write(spare, data, head * n * d, n * d);
      kernel.call('attn_unit_rows_forward', spare, n, d, block);
    },
    readGradient(block, spare, data, head, n, target) {
      kernel.write(spare, data, head * n * d, n * d);
      kernel.call('attn_unit_rows_backward', spare, block, n, d, block);
      kernel.read(block, target, head * n * d, n * d);
    },
  };
}

/**
 * Takes the scratch memory of a head and returns the function that computes one from its blocks.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes} sizes
 * @param {{ scale: number, causal: number }} settings
 * @param {boolean} matrices whether weights or scores will be asked for
 * @returns {(blocks: { query: Block, key: Block, value: Block, added: Block | null,
 *   output: Block, logSumExp: Block, weights: Block | null, scores: Block | null }) => void}
 */
export function headForward(kernel, { nQ, nK, dK, dV }, { scale, causal }, matrices) {
  const scratch = kernel.scratch('attn_attention_forward_scratch', nQ, nK, dK, dV);
  const shared = matrices && kernel.scratch('attn_attention_weights_scratch', nK, dK);
  return ({ query, key, value, added, output, logSumExp, weights, scores }) => {
    kernel.call(
      'attn_attention_forward',
      ...[query, key, value, added, nQ, nK, dK, dV, scale, causal, output, logSumExp, scratch],
    );
    if (!shared) return;
    kernel.call(
      'attn_attention_weights',
      ...[query, key, added, nQ, nK, dK, scale, causal, scores, weights, shared],
    );
  };
}

/**
 * The same for the gradients of a head: dQuery is written, the others are added to.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes} sizes
 * @param {{ scale: number, causal: number }} settings
 * @returns {(blocks: { query: Block, key: Block, value: Block, added: Block | null,
 *   dOutput: Block, dQuery: Block, dKey: Block, dValue: Block, dScale: Block }) => void}
 */
export function headBackward(kernel, { nQ, nK, dK, dV }, { scale, causal }) {
  const scratch = kernel.scratch('attn_attention_backward_scratch', nQ, nK, dK, dV);
  return ({ query, key, value, added, dOutput, dQuery, dKey, dValue, dScale }) =>
    kernel.call(
      'attn_attention_backward',
      ...[query, key, value, added, dOutput, nQ, nK, dK, dV, scale, causal],
      ...[dQuery, dKey, dValue, dScale, scratch],
    );
}
