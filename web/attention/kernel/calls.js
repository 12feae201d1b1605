/**
 * The arguments of the functions of c/attn.h, as types: each returns an attn_status or nothing.
 */

/** @import { Block } from './block.js' */

/**
 * @typedef {Block | null} Pointer
 * @typedef {{
 *   attn_softmax_forward: [x: Block, rows: number, columns: number, temperature: number,
 *     weights: Block],
 *   attn_log_softmax_forward: [x: Block, rows: number, columns: number, temperature: number,
 *     logWeights: Block],
 *   attn_log_sum_exp_forward: [x: Block, rows: number, columns: number, temperature: number,
 *     lse: Block],
 *   attn_softmax_backward: [weights: Block, dWeights: Block, rows: number, columns: number,
 *     temperature: number, dX: Block],
 *   attn_softmax_jacobian: [weights: Block, rows: number, columns: number, temperature: number,
 *     jacobian: Block],
 *   attn_entropy_forward: [p: Block, rows: number, columns: number, entropy: Block],
 *   attn_sum_of_squares: [p: Block, rows: number, columns: number, sums: Block],
 *   attn_describe: [x: Block, n: number, moments: Block],
 *   attn_random_uniform: [seedLow: number, seedHigh: number, streamLow: number,
 *     streamHigh: number, n: number, low: number, high: number, x: Block],
 *   attn_random_normal: [seedLow: number, seedHigh: number, streamLow: number,
 *     streamHigh: number, n: number, mean: number, std: number, x: Block],
 *   attn_attention_forward: [a: Block, results: Block, scratch: Block],
 *   attn_unit_rows_forward: [x: Block, rows: number, d: number, unit: Block],
 *   attn_attention_backward: [a: Block, dOutput: Block, gradient: Block, scratch: Block],
 *   attn_unit_rows_backward: [x: Block, dUnit: Block, rows: number, d: number, dX: Block],
 *   attn_additive_forward: [a: Block, output: Block, lse: Block, weights: Pointer,
 *     scores: Pointer, scratch: Block],
 *   attn_additive_pairwise_forward: [a: Block, output: Block, lse: Block, weights: Pointer,
 *     scores: Pointer, scratch: Block],
 *   attn_additive_backward: [a: Block, dOutput: Block, gradient: Block, scratch: Block],
 *   attn_round_float16: [x: Block, n: number, rounded: Block],
 *   attn_round_bfloat16: [x: Block, n: number, rounded: Block],
 *   attn_softmax_float16: [x: Block, rows: number, columns: number, subtractMax: number,
 *     weights: Block],
 *   attn_linear_forward: [x: Block, weight: Block, bias: Pointer, n: number, dIn: number,
 *     dOut: number, y: Block, scratch: Block],
 *   attn_linear_backward: [x: Block, weight: Block, dY: Block, n: number, dIn: number,
 *     dOut: number, dX: Block, dWeight: Block, dBias: Pointer, scratch: Block],
 *   attn_swap_axes: [x: Block, a: number, b: number, d: number, y: Block],
 *   attn_rotary_turns: [positions: Block, n: number, d: number, base: number, turns: Block],
 *   attn_rotary_forward: [x: Block, turns: Block, count: number, n: number, d: number,
 *     pairing: number, inverse: number, y: Block],
 * }} Calls
 */

/**
 * The functions that return the bytes of scratch that another one needs.
 *
 * @typedef {{
 *   attn_attention_forward_scratch: [a: Block, withWeights: number],
 *   attn_attention_backward_scratch: [a: Block],
 *   attn_additive_forward_scratch: [a: Block],
 *   attn_additive_backward_scratch: [a: Block],
 *   attn_linear_scratch: [n: number, dIn: number, dOut: number],
 * }} ScratchCalls
 */

export {};
