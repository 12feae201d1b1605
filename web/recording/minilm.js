// What is measured of the heads of all-MiniLM-L6-v2 as it reads a sentence.
import { diagnose } from '../attention/index.js';

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
  const scale = Math.sqrt(query.shape[3]);
  const of = (
    /** @type {'dotDeviation' | 'effectiveDimension' | 'ratio' | 'correlation' | 'entropyRatio'} */ name,
  ) => found.map((head) => short(Number(head[name])));
  return {
    measured: of('dotDeviation'),
    predicted: found.map(({ predictedDeviation = NaN }) => short(scale * predictedDeviation)),
    effectiveDimension: of('effectiveDimension'),
    ratio: of('ratio'),
    correlation: of('correlation'),
    entropyRatio: of('entropyRatio'),
    verdict: found.map(({ verdict }) => verdict),
  };
}
