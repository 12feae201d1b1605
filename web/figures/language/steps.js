// The steps after which the parameters of the recorded runs were kept.

/** @import { ScaleName } from '../../experiments/language.js' */

/** Those of the first run with 1/√d_k. */
export const STEPS = [0, 100, 300, 1000, 1500];
const [START, END] = [STEPS[0], STEPS[STEPS.length - 1]];

/**
 * Returns the step whose parameters are shown: of other scales there are only those of the start and the end.
 * @param {{ step: string, scale: ScaleName }} state
 */
export function shownStep({ step, scale }) {
  const wanted = Number(step);
  return scale === 'sqrt' || wanted === START ? wanted : END;
}
