/**
 * The competitors of the largest score of a row: how many keys lie within a gap below it, and how the gap
 * with one of them shrinks with the number of keys. By Hayase & Karakida (2026) it decides how the factor of
 * scores should grow: like √ln n, ln n or ln² n.
 */
import { times } from '../shared/times.js';
import { competitorGap, competitorsWithin } from '../theory/precision.js';
import { factorOf, SCALINGS } from './factors.js';
import { sampledScores } from './scores.js';
import { largestOf, rowsOf } from './statistics.js';

/**
 * @import { Scaling } from './factors.js'
 * @import { SaturationOptions, Tensor } from './saturation.js'
 */

/**
 * Returns how far each score lies below the largest of its row, in ascending order.
 * @param {Tensor} scores [rows, keys]
 */
function gapsOf(scores) {
  const gaps = new Float32Array(scores.data.length);
  let at = 0;
  for (const row of rowsOf(scores)) {
    const largest = largestOf(row);
    for (let i = 0; i < row.length; i++) gaps[at++] = largest - row[i];
  }
  return gaps.sort();
}

/**
 * Counts the entries up to a limit.
 * @param {Float32Array} ascending
 * @param {number} limit
 */
function countUpTo(ascending, limit) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @typedef {object} CompetitorRow
 * @property {Scaling} scaling
 * @property {number} gap in units of the score
 * @property {number} count mean over queries of the other keys with scores at most that far below the largest
 * @property {number} theory exact expectation
 */

/**
 * Counts the keys near the largest score, by the gap.
 * @param {SaturationOptions & { gaps: readonly number[] }} options
 * @returns {CompetitorRow[]} by series, then by gap
 */
export function competitorCounts({
  dK,
  keys,
  queries = 64,
  seed,
  entrySize = 1,
  factor = '1/√d',
  gaps,
}) {
  const found = gapsOf(sampledScores({ dK, keys, queries, seed }));
  return SCALINGS.flatMap((scaling) => {
    const scale = factorOf(scaling, factor, dK);
    return gaps.map((gap) => ({
      scaling,
      gap,
      count: countUpTo(found, gap / (scale * entrySize ** 2)) / queries - 1,
      theory: competitorsWithin(gap, { dK, keys, factor: scale, entrySize }),
    }));
  });
}

/**
 * @typedef {object} CompetitorGapRow
 * @property {number} keys
 * @property {number} gap within which one other key lies, on average, in deviations of the scores
 * @property {number} theory exact, to .5 %
 */

/**
 * Measures the gap with one competitor, by the number of keys. A factor makes no difference to it.
 * @param {{ dK: number, queries?: number, seed: number, sizes: readonly number[] }} options `queries` 64;
 *   `sizes` are numbers of keys, at least 3
 * @returns {CompetitorGapRow[]}
 */
export function competitorGaps({ dK, queries = 64, seed, sizes }) {
  return sizes.map((keys) => {
    const found = gapsOf(sampledScores({ dK, keys, queries, seed }));
    const deviation = Math.sqrt(dK);
    return {
      keys,
      gap: found[2 * queries - 1] / deviation, // each row has a gap of 0, its own
      theory: competitorGap({ dK, keys, factor: 1 / deviation }),
    };
  });
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
  times(GROWTH_POWERS.length, (i) => {
    const power = GROWTH_POWERS[i];
    const points = sizes.map((x) => ({ x, y: value * (Math.log(x) / Math.log(keys)) ** power }));
    return { power, points };
  });
