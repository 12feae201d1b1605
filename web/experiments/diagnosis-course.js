/**
 * The course of training of every head: diagnoses of many steps as tidy rows, with the step since which a head
 * is as it is.
 */
import { diagnose, DTypeError } from '../attention/index.js';
import { pause } from '../shared/pause.js';

/**
 * @import { Diagnosis, ScoreOptions, Tensor } from '../attention/index.js'
 * @import { Control } from '../shared/slices.js'
 *
 * @typedef {'dotDeviation' | 'effectiveDimension' | 'entropyRatio' | 'largestLogit' | 'firstKeyWeight'} Measure
 */

/**
 * What of a diagnosis belongs to a course.
 *
 * @typedef {Pick<Diagnosis, 'batch' | 'head' | 'verdict' | 'cause' | Measure>} HeadReport
 */

/**
 * The diagnoses of one step: what `diagnose` returns for [layers, heads, …].
 *
 * @typedef {object} StepReport
 * @property {number} step
 * @property {readonly HeadReport[]} diagnoses
 */

/**
 * A head at a step.
 *
 * @typedef {object} DiagnosisRow
 * @property {number} step
 * @property {number} layer from 0
 * @property {number} head from 0
 * @property {Diagnosis['verdict'] | 'undefined'} verdict 'undefined' where there are NaN, or no query with a
 *   choice
 * @property {number} since the first of the steps up to this one at all of which the head has this verdict
 * @property {number} [dotDeviation] standard deviation of q·k; this and the next are there for queries and keys
 * @property {number} [effectiveDimension]
 * @property {number} entropyRatio entropy of the weights over ln n
 * @property {number} [largestLogit] for queries and keys
 * @property {number} firstKeyWeight
 */

/**
 * Turns the diagnoses of many steps into a row a head and step: what a log keeps, and what `<attn-view>` maps.
 *
 * A head that is missing at a step has no row there, and its verdict lasts over the gap.
 *
 * @param {readonly StepReport[]} reports in any order, each step once
 * @returns {DiagnosisRow[]} by step, then layer and head
 * @throws {DTypeError} for steps that are not numbers, or are there twice
 */
export function diagnosisCourse(reports) {
  const ordered = [...reports].sort((a, b) => a.step - b.step);
  ordered.forEach(({ step }, i) => {
    if (Number.isFinite(step) && ordered[i - 1]?.step !== step) return;
    throw new DTypeError(`diagnosisCourse: step ${step}, expected numbers, each of them once`);
  });
  /** What each head was at the last step that has it. @type {Map<string, DiagnosisRow>} */
  const last = new Map();
  return ordered.flatMap(({ step, diagnoses }) =>
    diagnoses.map((diagnosis) => {
      const { batch: layer, head, entropyRatio, firstKeyWeight } = diagnosis;
      const { dotDeviation, effectiveDimension, largestLogit } = diagnosis;
      const verdict = verdictOf(diagnosis);
      const before = last.get(`${layer}.${head}`);
      const since = before?.verdict === verdict ? before.since : step;
      const measured = { dotDeviation, effectiveDimension, entropyRatio, largestLogit };
      const row = { step, layer, head, verdict, since, ...measured, firstKeyWeight };
      last.set(`${layer}.${head}`, row);
      return row;
    }),
  );
}

/** Returns the verdict of a head, if it has one. @param {HeadReport} report @returns {DiagnosisRow['verdict']} */
export const verdictOf = ({ cause, verdict }) => (cause === 'undefined' ? 'undefined' : verdict);

/** A head to diagnose. @typedef {{ weights: Tensor } | { query: Tensor, key: Tensor, options: ScoreOptions }} GivenHead */

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
  return diagnoses;
}
