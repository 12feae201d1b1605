/**
 * The competitors of the largest score of a row: how many keys lie within a gap below it, and how the gap
 * with one of them shrinks with the number of keys. By Hayase & Karakida (2026) it decides how the factor of
 * scores should grow: like √ln n, ln n or ln² n.
 */
import { competitorGap, competitorsWithin } from '../theory/precision.js';
import { sampledScores } from './scores.js';
import { largestOf, rowsOf } from './statistics.js';

/** @typedef {{ dK: number, queries?: number, seed: number }} Sample  of N(0, 1) entries; `queries` 64 */

/**
 * Returns how far each score lies below the largest of its row, in deviations of the scores, in ascending order.
 * @param {Sample & { keys: number }} sample
 */
function gapsOf({ dK, keys, queries = 64, seed }) {
  const scores = sampledScores({ dK, keys, queries, seed });
  const gaps = new Float32Array(scores.data.length);
  let at = 0;
  for (const row of rowsOf(scores)) {
    const largest = largestOf(row);
    for (let i = 0; i < row.length; i++) gaps[at++] = (largest - row[i]) / Math.sqrt(dK);
  }
  return gaps.sort();
}

/** Returns the law of scores of deviation 1. @param {{ dK: number, keys: number }} options */
const lawOf = ({ dK, keys }) => ({ dK, keys, factor: 1 / Math.sqrt(dK) });

/**
 * @typedef {object} CompetitorRow
 * @property {number} gap in deviations of the scores
 * @property {number} count mean over queries of the other keys with scores at most that far below the largest
 * @property {number} theory exact expectation
 */

/**
 * Counts the keys near the largest score, by the gap. A factor makes no difference, since the gap is in deviations.
 * @param {Sample & { keys: number, gaps: readonly number[] }} options
 * @returns {CompetitorRow[]}
 */
export function competitorCounts({ gaps, ...sample }) {
  const { queries = 64 } = sample;
  const found = gapsOf(sample);
  return gaps.map((gap) => {
    const beyond = found.findIndex((each) => each > gap);
    const within = beyond === -1 ? found.length : beyond;
    return {
      gap,
      count: within / queries - 1,
      theory: competitorsWithin(gap, lawOf(sample)),
    };
  });
}

/**
 * @typedef {object} CompetitorGapRow
 * @property {number} keys
 * @property {number} gap within which one other key lies, on average, in deviations of the scores
 * @property {number} theory exact, to .5 %
 */

/**
 * Measures the gap with one competitor at a number of keys.
 * @param {Sample & { keys: number }} sample  keys: at least 3
 * @returns {CompetitorGapRow}
 */
export function gapOfOne(sample) {
  const { queries = 64 } = sample;
  const gap = gapsOf(sample)[2 * queries - 1]; // each row has a gap of 0, its own
  return { keys: sample.keys, gap, theory: competitorGap(lawOf(sample)) };
}

/** The laws by which a factor may have to grow with the number of keys: powers of ln n. */
export const GROWTH_POWERS = [0.5, 1, 2];

/**
 * Returns the laws through one point.
 * @param {{ keys: number, value: number }} point
 * @param {readonly number[]} sizes
 * @returns {{ power: number, points: { x: number, y: number }[] }[]}
 */
export const growthLaws = ({ keys, value }, sizes) =>
  GROWTH_POWERS.map((power) => {
    const points = sizes.map((x) => ({ x, y: value * (Math.log(x) / Math.log(keys)) ** power }));
    return { power, points };
  });
