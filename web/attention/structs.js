/**
 * The structs of dot-product attention, which several modules write: their fields by name.
 */

/**
 * @import { Block } from './heads.js'
 * @import { AttnAttention, AttnAttentionResults, AttnWindow } from './kernel/generated/structs.js'
 */

/**
 * The keys that query i sees: those from i + offset − left to i + offset + right, and below keyCount; −1
 * for left or right is no limit.
 *
 * @typedef {AttnWindow} Span
 */

/**
 * Returns the fields of an attn_attention.
 *
 * @param {Record<'query' | 'key' | 'value' | 'mask', Block | null>} blocks
 * @param {{ nQ: number, nK: number, dK: number, dV: number }} sizes
 * @param {{ factor: number, softcap?: number, sink?: number, span: Span }} settings
 * @param {number} [first] query, if the call computes some of them, whose rows of query and mask are given
 * @param {number} [count] how many
 * @returns {AttnAttention}
 */
export function attentionFields(blocks, sizes, settings, first = 0, count = sizes.nQ) {
  const { factor, softcap = 0, sink = -Infinity, span } = settings;
  return {
    query: blocks.query,
    key: blocks.key,
    value: blocks.value,
    mask: blocks.mask,
    nQ: count,
    nK: sizes.nK,
    dK: sizes.dK,
    dV: sizes.dV,
    nAll: sizes.nQ,
    again: first > 0 ? 1 : 0,
    window: first > 0 ? { ...span, offset: span.offset + first } : span,
    scale: factor,
    softcap,
    sink,
  };
}

/**
 * Returns the fields of an attn_attention_results, of which the others are not wanted.
 *
 * @param {Partial<AttnAttentionResults>} wanted
 * @returns {AttnAttentionResults}
 */
export const resultsFields = (wanted) => ({
  output: null,
  lse: null,
  scores: null,
  capped: null,
  masked: null,
  weights: null,
  mean: null,
  share: 0,
  ...wanted,
});
