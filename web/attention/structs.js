/**
 * The structs of c/attn.h as lists of their fields, for `Kernel.struct`.
 */

/**
 * @import { Block } from './heads.js'
 */

/**
 * The keys that query i sees: those from i + offset − left to i + offset + right, and below keyCount; −1
 * for left or right is no limit.
 *
 * @typedef {{ offset: number, left: number, right: number, keyCount: number }} Span
 */

/** Sizes of an attn_attention and an attn_attention_results, which have 32-bit fields throughout. */
export const ATTENTION_BYTES = 4 * 17;
export const RESULTS_BYTES = 4 * 8;

/** One float, whose bits `floatBits` reads: calls allocate no array, so none can be refused. */
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Returns the bits of a C float. @param {number} x */
export function floatBits(x) {
  float[0] = x;
  return bits[0];
}

/** Returns an attn_window. @param {Span} span @returns {number[]} */
export const windowFields = ({ offset, left, right, keyCount }) => [offset, left, right, keyCount];

/**
 * Returns an attn_attention.
 *
 * @param {readonly (Block | null)[]} inputs query, key, value, mask
 * @param {{ nQ: number, nK: number, dK: number, dV: number, nAll?: number }} sizes
 * @param {{ factor: number, softcap?: number, sink?: number, span: Span }} settings
 * @param {number} [first] query, if the call computes some of them
 * @param {number} [count] how many
 * @returns {(Block | null | number)[]}
 */
export function attentionFields(inputs, sizes, settings, first = 0, count = sizes.nQ) {
  const { factor, softcap = 0, sink = -Infinity, span } = settings;
  const [query, key, value, mask] = inputs;
  return [
    query,
    key,
    value,
    mask,
    count,
    sizes.nK,
    sizes.dK,
    sizes.dV,
    sizes.nAll ?? sizes.nQ,
    first > 0 ? 1 : 0, // again
    span.offset + first,
    span.left,
    span.right,
    span.keyCount,
    floatBits(factor),
    floatBits(softcap),
    floatBits(sink),
  ];
}
