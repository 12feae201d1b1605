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
 * Writes the likely cause of a verdict, the most specific one that the numbers fit.
 *
 * @param {Omit<Diagnosis, 'batch' | 'head' | 'hint'>} measured
 * @param {number} [d] columns of query and key, if these were given
 * @returns {string}
 */
export function hintFor(measured, d) {
  const { verdict, scoreDeviation, dotDeviation, entropyRatio } = measured;
  if (Number.isNaN(entropyRatio))
    return 'no query may attend to more than one key, or entries are NaN';
  const isNarrow = verdict === 'frozen' || verdict === 'sharp';
  if (d !== undefined && scoreDeviation !== undefined && dotDeviation !== undefined) {
    const shown = `scores have a deviation of ${round(scoreDeviation)}`;
    if (isNarrow && isNear(scoreDeviation, Math.sqrt(d)) && isNear(dotDeviation, scoreDeviation)) {
      return `${shown} = √d_k: was 1/√d_k left out?`;
    }
    if (verdict === 'uniform' && isNear(scoreDeviation, 1 / Math.sqrt(d))) {
      return `${shown} = 1/√d_k: were they divided by d_k instead of √d_k?`;
    }
  }
  if (isNarrow) return narrowHint(measured, d);
  if (verdict === 'uniform')
    return 'weights hardly differ: a mean of the values, whatever the query';
  return 'nothing stands out';
}

/**
 * Writes the likely cause of weights on few keys.
 *
 * @param {Omit<Diagnosis, 'batch' | 'head' | 'hint'>} measured
 * @param {number} [d]
 * @returns {string}
 */
function narrowHint(measured, d) {
  const { previousKeyWeight, firstKeyWeight, ratio, correlation, scoreDeviation } = measured;
  if (previousKeyWeight > MOST_WEIGHT) return 'it looks at the key before: learned, as a rule';
  if (firstKeyWeight > MOST_WEIGHT) return 'it rests on the first key, as on a sink';
  if (d !== undefined && correlation !== undefined && Math.abs(correlation) > 1 / Math.sqrt(d)) {
    return `queries and keys are correlated by ${round(correlation)}: scores grow like d_k, not √d_k`;
  }
  if (ratio !== undefined && ratio > NEAR * NEAR) {
    return `q·k varies ${round(ratio)} times as much as independent entries would`;
  }
  if (scoreDeviation === undefined) return 'few keys have nearly all the weight';
  return `scores have a deviation of ${round(scoreDeviation)}: entries of queries and keys, or the scale, are large`;
}

/** Writes a number with two digits, or as a whole number. @param {number} x */
const round = (x) => (Math.abs(x) < 100 ? x.toPrecision(2) : String(Math.round(x)));
