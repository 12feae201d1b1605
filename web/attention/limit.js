/**
 * Refuses a call that would take longer than its caller allows, before it starts.
 */
import { CapacityError, reject } from './errors.js';
import { speedOf } from './kernel/active.js';
import { ATTN_ATTENTION, ATTN_ATTENTION_RESULTS } from './kernel/generated/structs.js';
import { expectKnown, readEntries } from './options.js';
import { attentionFields, resultsFields } from './structs.js';

/** @import { Kernel } from './kernel/active.js' */

/**
 * @typedef {object} Limit
 * @property {number} milliseconds a call that is expected to take longer is a CapacityError. The first
 *   call with a limit measures the device, which takes about 50 ms
 */

/** Exponentials cost about as much as this many operations of a matrix product. */
export const EXPONENTIAL = 20;

/** The length of a round, which a clock with steps of a tenth of a millisecond measures well. */
const ROUND_MILLISECONDS = 1;
/** The number of rounds: enough for engines to replace their first code by a faster one. */
const ROUNDS = 30;
/**
 * The number of calls in a round after which the clock counts as standing still; then no call is refused. So many
 * take longer than a step of the coarsest clocks, a tenth of a second.
 */
const MOST_CALLS = 2 ** 13;

/**
 * Refuses a call whose operations take longer than the option allows.
 *
 * @param {string} caller
 * @param {unknown} limit the option, undefined for none
 * @param {number} operations of floating-point numbers
 */
export function expectWithin(caller, limit, operations) {
  if (limit === undefined) return;
  const given = readEntries(caller, limit, 'limit');
  expectKnown(caller, given, ['milliseconds']);
  const { milliseconds } = given;
  if (typeof milliseconds !== 'number' || !(milliseconds > 0)) {
    reject(caller, 'limit.milliseconds', milliseconds, 'a positive number');
  }
  const expected = operations / speedOf(caller, measure);
  if (expected <= milliseconds) return;
  throw new CapacityError(
    `${caller}: about ${Math.ceil(expected)} ms expected here, limit.milliseconds is ${milliseconds}`,
  );
}

/**
 * Measures operations a millisecond: those of the fastest round of some attentions.
 *
 * @param {Kernel} kernel
 * @returns {number}
 */
function measure(kernel) {
  const [nQ, nK, d] = [64, 64, 64];
  const [query, keys, output] = [nQ, nK, nQ].map((n) => kernel.zeros(n * d));
  const blocks = { query, key: keys, value: keys, mask: null };
  const sizes = { nQ, nK, dK: d, dV: d };
  const span = { offset: 0, left: -1, right: -1, keyCount: nK };
  const call = kernel.struct(ATTN_ATTENTION, attentionFields(blocks, sizes, { factor: 1, span }));
  const wanted = resultsFields({ output, lse: kernel.floats(nQ) });
  const results = kernel.struct(ATTN_ATTENTION_RESULTS, wanted);
  const scratch = kernel.scratch('attn_attention_forward_scratch', call, 0);
  let [calls, fastest] = [1, Infinity];
  for (let rounds = 0; rounds < ROUNDS && calls < MOST_CALLS;) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) {
      kernel.call('attn_attention_forward', call, results, scratch);
    }
    const elapsed = performance.now() - start;
    if (elapsed < ROUND_MILLISECONDS) {
      calls *= 2;
    } else {
      rounds += 1;
      fastest = Math.min(fastest, elapsed / calls);
    }
  }
  return (nQ * nK * (4 * d + EXPONENTIAL)) / (fastest < Infinity ? fastest : 0);
}
