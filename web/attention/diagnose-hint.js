/**
 * The sentence that a diagnosis ends with.
 */

/**
 * @import { Diagnosis } from './diagnose.js'
 */

/** The factor, up or down, within which two numbers count as equal. */
const NEAR = 1.25;
/** The least share of the weight that marks a head by one key. */
const MOST_WEIGHT = 0.5;

/** Returns whether two numbers count as equal. @param {number} x @param {number} y */
const isNear = (x, y) => x < y * NEAR && x > y / NEAR;

/**
 * The causes, by the name that `Diagnosis.cause` gives them.
 *
 * @typedef {'undefined' | 'unweighted' | 'unscaled' | 'overscaled' | 'previous' | 'first' | 'correlated' | 'varied' | 'few'
 *   | 'large' | 'mean' | 'none'} Cause
 */

/** The sentence of each cause. @type {Record<Cause, (measured: Measured) => string>} */
const HINTS = {
  undefined: () => 'no query may attend to more than one key, or entries are NaN',
  unweighted: ({ oddRow }) =>
    `row ${oddRow} has negative numbers or a sum above 1: are these scores, not weights?`,
  unscaled: ({ scoreDeviation }) =>
    `scores have a deviation of ${round(scoreDeviation)} = √d_k: was 1/√d_k left out?`,
  overscaled: ({ scoreDeviation }) =>
    `scores have a deviation of ${round(scoreDeviation)} = 1/√d_k: were they divided by d_k instead of √d_k?`,
  previous: () => 'it looks at the key before: learned, as a rule',
  first: () => 'it rests on the first key, as on a sink',
  correlated: ({ correlation }) =>
    `queries and keys are correlated by ${round(correlation)}: scores grow like d_k, not √d_k`,
  varied: ({ ratio }) => `q·k varies ${round(ratio)} times as much as independent entries would`,
  few: () => 'few keys have nearly all the weight',
  large: ({ scoreDeviation }) =>
    `scores have a deviation of ${round(scoreDeviation)}: entries of queries and keys, or the scale, are large`,
  mean: () => 'weights hardly differ: a mean of the values, whatever the query',
  none: () => 'nothing stands out',
};

/** @typedef {Omit<Diagnosis, 'batch' | 'head' | 'cause' | 'hint'> & { oddRow?: number }} Measured */

/**
 * Finds the likely cause of a verdict, the most specific one that the numbers fit.
 *
 * @param {Measured} measured
 * @param {number} [d] columns of query and key, if these were given
 * @returns {{ cause: Cause, hint: string }}
 */
export function explain(measured, d) {
  const cause = causeOf(measured, d);
  return { cause, hint: HINTS[cause](measured) };
}

/** Returns the name of the cause. @param {Measured} measured @param {number} [d] @returns {Cause} */
function causeOf(measured, d) {
  const { verdict, scoreDeviation, dotDeviation, entropyRatio } = measured;
  if (measured.oddRow !== undefined) return 'unweighted';
  if (Number.isNaN(entropyRatio)) return 'undefined';
  const isNarrow = verdict === 'frozen' || verdict === 'sharp';
  if (d !== undefined && scoreDeviation !== undefined && dotDeviation !== undefined) {
    const isDot = isNear(dotDeviation, scoreDeviation);
    if (isNarrow && isNear(scoreDeviation, Math.sqrt(d)) && isDot) return 'unscaled';
    if (verdict === 'uniform' && isNear(scoreDeviation, 1 / Math.sqrt(d))) return 'overscaled';
  }
  if (isNarrow) return causeOfNarrow(measured, d);
  return verdict === 'uniform' ? 'mean' : 'none';
}

/** Returns the name of the cause of weights on few keys. @param {Measured} measured @param {number} [d] @returns {Cause} */
function causeOfNarrow(measured, d) {
  const { previousWeight, firstWeight, ratio, correlation, scoreDeviation } = measured;
  if (previousWeight > MOST_WEIGHT) return 'previous';
  if (firstWeight > MOST_WEIGHT) return 'first';
  if (d !== undefined && correlation !== undefined && Math.abs(correlation) > 1 / Math.sqrt(d)) {
    return 'correlated';
  }
  if (ratio !== undefined && ratio > NEAR * NEAR) return 'varied';
  return scoreDeviation === undefined ? 'few' : 'large';
}

/** Writes a number with two digits, or as a whole number. @param {number} [x] */
const round = (x = NaN) => (Math.abs(x) < 100 ? x.toPrecision(2) : String(Math.round(x)));
