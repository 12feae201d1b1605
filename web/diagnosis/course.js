/**
 * The course of training of every head: diagnoses of many steps as tidy rows, with the step since which a head
 * is as it is.
 */
import { isObject } from '../shared/keys.js';
import { DTypeError, reject } from '../attention/errors.js';

/**
 * @import { Cause } from './hint.js'
 * @import { Diagnosis } from './diagnose.js'
 *
 * @typedef {'dotDeviation' | 'effectiveDimension' | 'entropyRatio' | 'largestScore' | 'firstWeight'} Measure
 */

/**
 * The part of a diagnosis that belongs to a course.
 *
 * @typedef {Pick<Diagnosis, 'batch' | 'head' | 'verdict' | Measure> & Partial<Pick<Diagnosis, 'cause' | 'hint'>>} HeadReport
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
 * @property {Diagnosis['verdict']} verdict
 * @property {number} since the first of the steps up to this one at all of which the head has this verdict
 * @property {number} [dotDeviation] standard deviation of q·k; this and the next are there for queries and keys
 * @property {number} [effectiveDimension]
 * @property {number} entropyRatio entropy of the weights over ln n
 * @property {number} [largestScore] for queries and keys
 * @property {number} firstWeight
 * @property {Cause} [cause] the first that stands out; this and the hint are there where reports have them
 * @property {string} [hint] all that stands out, in sentences
 */

/**
 * Turns the diagnoses of many steps into a row a head and step: what a log keeps, and what `<attn-view>` maps.
 *
 * A head that is missing at a step has no row there, and its verdict lasts over the gap.
 *
 * @param {readonly StepReport[]} reports in any order, each step once
 * @returns {DiagnosisRow[]} by step, then layer and head
 * @throws {DTypeError} for steps that are not numbers, or are there twice
 * @example
 * const [query, key] = [1, 2].map((seed) => randomNormal([32, 32], { seed }));
 * const reports = [0.2, 4, 5].map((scale, i) => {
 *   return { step: 100 * i, diagnoses: diagnose(query, key, { scale }) };
 * });
 * const course = diagnosisCourse(reports);
 * course.map(({ step, verdict, since }) => [step, verdict, since].join()); // ['0,spread,0', '100,frozen,100', '200,frozen,100']
 */
export function diagnosisCourse(reports) {
  const caller = 'diagnosisCourse';
  if (!Array.isArray(reports)) reject(caller, 'reports', reports, 'an array with a report a step');
  reports.forEach((report, i) => {
    const { diagnoses } = Object(report);
    if (Array.isArray(diagnoses) && diagnoses.every(isObject)) return;
    reject(caller, `reports[${i}]`, report, '{ step, diagnoses }, as diagnose gives these');
  });
  const ordered = [.../** @type {readonly StepReport[]} */ (reports)].sort(
    (a, b) => a.step - b.step,
  );
  ordered.forEach(({ step }, i) => {
    if (Number.isFinite(step) && ordered[i - 1]?.step !== step) return;
    throw new DTypeError(`${caller}: step ${step}, expected numbers, each of them once`);
  });
  /** What each head was at the last step that has it. @type {Map<string, DiagnosisRow>} */
  const last = new Map();
  return ordered.flatMap(({ step, diagnoses }) =>
    diagnoses.map((diagnosis) => {
      const { batch: layer, head, verdict, entropyRatio, firstWeight, cause, hint } = diagnosis;
      const { dotDeviation, effectiveDimension, largestScore } = diagnosis;
      const before = last.get(`${layer}.${head}`);
      const since = before?.verdict === verdict ? before.since : step;
      const measured = { dotDeviation, effectiveDimension, entropyRatio, largestScore };
      const told = { ...(cause && { cause }), ...(hint && { hint }) };
      const row = { step, layer, head, verdict, since, ...measured, firstWeight, ...told };
      last.set(`${layer}.${head}`, row);
      return row;
    }),
  );
}
