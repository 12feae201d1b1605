// What is measured of the heads of all-MiniLM-L6-v2 as it reads a sentence.
import { diagnose, scoreMoments } from '../attention/index.js';
import { dotsOf } from '../language/recorded/dots.js';

/** @import { Attention } from '../inspector/reading/index.js' */

/** Rounds to four digits, which a file holds. @param {number} value */
const short = (value) => Number(value.toPrecision(4));

/**
 * Returns statistics of every head, layer after layer: lists of a number, or the verdict, a head.
 * @param {Attention} attention queries and keys, [layers, heads, n, d_k]
 */
export function headsOf({ query, key }) {
  if (!query || !key) throw new TypeError('expected queries and keys');
  const found = diagnose(query, key);
  const moments = scoreMoments(query, key);
  const dots = dotsOf(query, key);
  return {
    measured: dots.map(({ dotDeviation }) => short(dotDeviation)),
    predicted: moments.map(({ scoreDeviation }) => short(scoreDeviation)),
    effectiveDimension: moments.map(({ effectiveDimension }) => short(effectiveDimension)),
    ratio: dots.map(({ ratio }) => short(ratio)),
    correlation: dots.map(({ correlation }) => short(correlation)),
    entropyRatio: found.map(({ entropyRatio }) => short(entropyRatio)),
    verdict: found.map(({ verdict }) => verdict),
  };
}
