/**
 * Scaled dot-product attention (Vaswani et al., "Attention is all you need", 2017). The twin of
 * c/attention.c.
 */
import {
  allocateResults,
  forHeads,
  readCausal,
  readHeadMask,
  readInputs,
  takeResults,
  writeMaskMatrix,
} from './heads.js';
import { run } from './kernel/active.js';
import { readChoice, readNumber, readOptions } from './options.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */
/** @typedef {import('./tensor.js').MaskLike} MaskLike */
/** @typedef {import('./heads.js').Extra} Extra */
/** @typedef {import('./heads.js').Causal} Causal */
/** @typedef {import('./heads.js').Inputs} Inputs */
/** @typedef {import('./heads.js').HeadMask} HeadMask */
/** @typedef {import('./heads.js').Results} Results */
/** @typedef {import('./heads.js').Block} Block */
/** @typedef {import('./kernel/active.js').Kernel} Kernel */

/**
 * @template {Extra} [R=never]
 * @typedef {object} AttentionOptions
 * @property {number} [scale] what the similarities are multiplied with; by default 1/√d_k, and 1
 *   for 'cosine'
 * @property {Causal} [causal] true or 'upper-left' lets query i attend to keys j ≤ i,
 *   'lower-right' to j ≤ i + n_k − n_q; false (default) to all
 * @property {MaskLike | null} [mask] booleans (or bytes) = may attend, numbers = added to the
 *   scores; [n_q, n_k], or with leading axes that broadcast to [b, h, n_q, n_k]. With causal both
 *   must allow
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
 * Error against float64, as a multiple of 2^-24·magnitude (the same formula with every term's
 * absolute value, tests/golden/README.md), worst of PyTorch's golden vectors: output 0.6,
 * weights 0.9, scores 2.6, logSumExp 1.3.
 *
 * @template {Extra} [R=never]
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {TensorLike} value [n_k, d_v], [g, n_k, d_v] or [b, g, n_k, d_v]
 * @param {AttentionOptions<R>} [options]
 * @returns {Results & { [name in R]: Tensor }} output [..., n_q, d_v]; weights and
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
 * @typedef {{ scale: number, causal: number, mask: HeadMask | null, cosine: boolean,
 *   returns: unknown }} Settings
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
  const known = ['scale', 'causal', 'mask', 'similarity', 'returns'];
  const given = readOptions(caller, options, known);
  const similarity = readChoice(caller, 'similarity', given.similarity, ['dot', 'cosine']);
  const cosine = similarity === 'cosine';
  return {
    scale: readNumber(caller, 'scale', given.scale, cosine ? 1 : 1 / Math.sqrt(inputs.dK)),
    causal: readCausal(caller, given.causal),
    mask: readHeadMask(caller, given.mask, inputs),
    cosine,
    returns: given.returns,
  };
}

/**
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {Results} results filled
 */
function attendHeads(kernel, inputs, { scale, causal, mask, cosine }, results) {
  const { nQ, nK, dK, dV } = inputs;
  const [query, key, value] = [nQ * dK, nK * dK, nK * dV].map((count) => kernel.floats(count));
  const added = mask && kernel.floats(nQ * nK);
  const out = takeResults(kernel, inputs, results);
  const writeRows = rowWriter(kernel, inputs, cosine);
  const forward = headForward(kernel, inputs, { query, key, value, added, scale, causal, ...out });
  forHeads(inputs, mask, {
    loadGroup(group) {
      writeRows(key, inputs.key, group, nK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
    },
    loadMask(matrix) {
      if (mask && added) writeMaskMatrix(kernel, added, mask, matrix, nQ * nK);
    },
    work(head) {
      writeRows(query, inputs.query, head, nQ);
      forward();
      out.store(head);
    },
  });
}

/**
 * How rows of query and key come into the kernel: as they are, or brought to length 1.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {boolean} cosine
 * @returns {(block: Block, data: Float32Array, head: number, n: number) => void}
 */
function rowWriter(kernel, { nQ, nK, dK }, cosine) {
  if (!cosine) return (block, data, head, n) => kernel.write(block, data, head * n * dK, n * dK);
  const raw = kernel.floats(Math.max(nQ, nK) * dK);
  return (block, data, head, n) => {
    kernel.write(raw, data, head * n * dK, n * dK);
    kernel.call('attn_unit_rows_forward', raw, n, dK, block);
  };
}

/**
 * Takes the scratch memory of a head and returns the function that computes what is in the blocks.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {{ query: Block, key: Block, value: Block, added: Block | null, scale: number,
 *   causal: number, output: Block, logSumExp: Block, weights: Block | null,
 *   scores: Block | null }} blocks
 * @returns {() => void}
 */
function headForward(kernel, { nQ, nK, dK, dV }, blocks) {
  const { query, key, value, added, scale, causal, output, logSumExp, weights, scores } = blocks;
  const scratch = kernel.scratch('attn_attention_forward_scratch', nQ, nK, dK, dV);
  const forward = () =>
    kernel.call(
      'attn_attention_forward',
      ...[query, key, value, added, nQ, nK, dK, dV, scale, causal, output, logSumExp, scratch],
    );
  if (!weights && !scores) return forward;
  const shared = kernel.scratch('attn_attention_weights_scratch', nQ, nK, dK);
  return () => {
    forward();
    kernel.call(
      'attn_attention_weights',
      ...[query, key, added, nQ, nK, dK, scale, causal, scores, weights, shared],
    );
  };
}
