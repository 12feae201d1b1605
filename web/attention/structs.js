/**
 * The structs of c/attn.h as lists of their fields, for `Kernel.struct`.
 */
/**
 * @import { Block } from './heads.js'
 */

/** The bits of a C float. @param {number} x */
export const floatBits = (x) => new Uint32Array(Float32Array.of(x).buffer)[0];

/** A logit without value that takes part in no sum. */
export const NO_SINK = floatBits(-Infinity);

/**
 * An attn_window: which keys a query sees.
 *
 * @param {number} nQ
 * @param {number} nK
 * @param {number} causal 0 for all keys, 1 for 'upper-left', 2 for 'lower-right'
 * @returns {number[]}
 */
export const windowFields = (nQ, nK, causal) => [
  causal === 2 ? nK - nQ : 0,
  -1,
  causal === 0 ? -1 : 0,
  nK,
];

/**
 * An attn_attention.
 *
 * @param {readonly (Block | null)[]} inputs query, key, value, mask
 * @param {{ nQ: number, nK: number, dK: number, dV: number }} sizes
 * @param {{ factor: number, causal: number }} settings
 * @returns {(Block | number | null)[]}
 */
export const attentionFields = (inputs, { nQ, nK, dK, dV }, { factor, causal }) => [
  ...inputs,
  ...[nQ, nK, dK, dV, nQ],
  ...windowFields(nQ, nK, causal),
  ...[floatBits(factor), 0, NO_SINK],
];
