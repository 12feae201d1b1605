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

/** The head that <attn-words> shows: layer and head, from 1. */
export const SHOWN = { layer: 4, head: 2 };

/**
 * Returns the queries and keys of one head, as a file holds them: 16-bit numbers in base64, [n, d_k].
 * @param {Uint8Array} file  .safetensors, as minilm.py writes it
 * @param {{ layer: number, head: number }} place  from 1
 */
export function headIn(file, { layer, head }) {
  const start = 8 + new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  const of = (/** @type {'query' | 'key'} */ name) => {
    const { shape, data_offsets: offsets } = header[name];
    const [, heads, n, dK] = shape;
    const size = 2 * n * dK;
    const at = start + offsets[0] + ((layer - 1) * heads + head - 1) * size;
    return Buffer.from(file.subarray(at, at + size)).toString('base64');
  };
  return { tokens: JSON.parse(header.__metadata__.tokens), query: of('query'), key: of('key') };
}
