/** The diagnoses of many heads, as a worker makes them for a course of training. */
import { withDuplicates } from '../diagnosis/hint.js';
import { diagnose } from '../attention/index.js';
import { pause } from '../shared/pause.js';

/**
 * @import { GivenWeights } from '../diagnosis/diagnose.js'
 * @import { Diagnosis, ScoreOptions, Tensor } from '../attention/index.js'
 * @import { Control } from '../shared/slices.js'
 */

/** A head to diagnose. @typedef {GivenWeights | { query: Tensor, key: Tensor, options: ScoreOptions }} GivenHead */

/**
 * Diagnoses heads, one after another.
 * @param {{ heads: readonly GivenHead[] } & Control<Diagnosis>} given
 * @returns {Promise<Diagnosis[]>} one a head; of those before the signal aborted
 */
export async function diagnoseHeads({ heads, signal }) {
  /** @type {Diagnosis[]} */
  const diagnoses = [];
  for (const head of heads) {
    if (signal?.aborted) break;
    const [diagnosis] =
      'weights' in head ? diagnose(head) : diagnose(head.query, head.key, head.options);
    diagnoses.push(diagnosis);
    await pause();
  }
  return withDuplicates(diagnoses);
}
