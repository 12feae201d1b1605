/**
 * How the scores of a head spread, from second moments of its queries and keys. The twin of
 * c/score_moments.c.
 */
import { forHeads, readInputs } from './heads.js';
import { run } from './kernel/active.js';

/**
 * @import { TensorLike } from './tensor.js'
 */

/**
 * The scores q·k of all pairs of a head, unscaled; NaN without a key.
 *
 * @typedef {object} ScoreMoments
 * @property {number} scoreMean q̄·k̄
 * @property {number} scoreDeviation √(tr(M_q M_k) − (q̄·k̄)²), where M = (1/n) Σ x xᵀ: population
 * @property {number} effectiveDimension tr M_q · tr M_k / tr(M_q M_k): d_k for independent entries of equal
 *   size, less where queries and keys lie in the same few directions
 * @property {number} rmsQuery root of the mean square of the entries of queries
 * @property {number} rmsKey the same of keys
 */

/**
 * Computes mean and deviation of the scores q·k over all pairs of a query and a key, without a pair: by
 * moments, exactly, without any assumption of independence. With the effective dimension d_eff the root of
 * the mean square of q·k is d_k·rms_q·rms_k/√d_eff: what became of √d_k at any time of training.
 *
 * All pairs count, also those that a mask or causality would hide.
 *
 * Cost: (n_q + n_k)·d_k² multiplications in float64 a head, in a fixed order; O(d_k²) memory beside copies
 * of the rows. Error: of float64 sums; the deviation is a sum of terms of one sign, without cancellation.
 *
 * @param {TensorLike} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]
 * @param {TensorLike} key [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @returns {ScoreMoments[]} one a head, item after item; none without a query
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * const [q, k] = [1, 2].map((seed) => randomNormal([4096, 64], { seed }));
 * const [{ scoreDeviation, effectiveDimension }] = scoreMoments(q, k);
 * Math.round(scoreDeviation); // 8
 * effectiveDimension > 60; // true
 */
export function scoreMoments(query, key) {
  const caller = 'scoreMoments';
  const inputs = readInputs(caller, query, key, null, 'dot');
  const { nQ, nK, dK } = inputs;
  /** @type {ScoreMoments[]} */
  const heads = [];
  run(caller, (kernel) => {
    const [queries, keys] = [nQ, nK].map((n) => kernel.floats(n * dK));
    const moments = kernel.bytes(5 * 8);
    const scratch = kernel.scratch('attn_score_moments_scratch', dK);
    forHeads(inputs, {
      begin: (group) => kernel.write(keys, inputs.key, group * nK * dK, nK * dK),
      work(head) {
        kernel.write(queries, inputs.query, head * nQ * dK, nQ * dK);
        kernel.call('attn_score_moments', queries, nQ, keys, nK, dK, moments, scratch);
        const [scoreMean, scoreDeviation, effectiveDimension, rmsQuery, rmsKey] =
          kernel.readDoubles(moments, 5);
        heads.push({ scoreMean, scoreDeviation, effectiveDimension, rmsQuery, rmsKey });
      },
    });
  });
  return heads;
}
