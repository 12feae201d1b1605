/**
 * Where number formats end, and how often the scores of random queries and keys go beyond: entries
 * of q and k iid N(0, entrySize²), exact for finite d_k by averaging over the length of the query.
 */
import { overRandomNorm } from './norm.js';
import { normalDensity, normalTail } from './special.js';

/**
 * @typedef {object} FormatLimits
 * @property {number} overflow the least magnitude that rounds to infinity
 * @property {number} expOverflow the exponent from which exp rounds to infinity; the exponent is
 *   itself rounded to the format
 * @property {number} zeroBelow a weight that is e^x of the largest one rounds to 0 below this x
 */

/**
 * fp16: 11 significant bits, up to 65504; bf16: 8 bits with the exponents of fp32; fp32: 24 bits.
 * IEEE 754-2008, to nearest, subnormals included.
 * @type {Readonly<Record<'fp16' | 'bf16' | 'fp32', FormatLimits>>}
 */
export const FORMATS = Object.freeze({
  fp16: { overflow: 65520, expOverflow: 11.08984375, zeroBelow: -25 * Math.LN2 },
  bf16: { overflow: (2 - 2 ** -8) * 2 ** 127, expOverflow: 88.75, zeroBelow: -134 * Math.LN2 },
  fp32: {
    overflow: (2 - 2 ** -24) * 2 ** 127,
    expOverflow: 88.7228391,
    zeroBelow: -150 * Math.LN2,
  },
});

/** @typedef {keyof typeof FORMATS} Format */

/**
 * @typedef {object} ScoreOptions
 * @property {number} dK
 * @property {number} [factor] the scores are factor·(q·k); 1
 * @property {number} [entrySize] 1
 */

/**
 * P(score > limit) of one score; for large d_k this is Q(limit / (factor·entrySize²·√d_k)).
 * @param {number} limit positive
 * @param {ScoreOptions} options
 * @returns {number}
 */
export const scoreTail = (limit, { dK, factor = 1, entrySize = 1 }) =>
  overRandomNorm((radius) => normalTail(limit / (factor * entrySize ** 2 * radius)), dK);

/**
 * P(some score of a row of n > limit).
 * @param {number} limit positive
 * @param {ScoreOptions & { keys: number }} options
 * @returns {number}
 */
export const rowTail = (limit, { dK, keys, factor = 1, entrySize = 1 }) =>
  overRandomNorm((radius) => {
    const each = normalTail(limit / (factor * entrySize ** 2 * radius));
    return -Math.expm1(keys * Math.log1p(-each));
  }, dK);

/** Step of the trapezoidal rule over a normal density. */
const STEP = 0.2;
const FARTHEST = 8;

/**
 * P(a score lies more than `distance` below the largest of its row of n): for iid N(0, σ²) scores
 * 1 − ∫ φ(x) Φ(x + distance/σ)^{n−1} dx. Weights that far below the largest are lost.
 * @param {number} distance positive
 * @param {ScoreOptions & { keys: number }} options
 * @returns {number}
 */
export const farBelowLargest = (distance, { dK, keys, factor = 1, entrySize = 1 }) =>
  overRandomNorm((radius) => {
    const gap = distance / (factor * entrySize ** 2 * radius);
    let missing = 0;
    for (let x = -FARTHEST; x <= FARTHEST; x += STEP) {
      const others = (keys - 1) * Math.log1p(-normalTail(x + gap));
      missing -= normalDensity(x) * Math.expm1(others);
    }
    return missing * STEP;
  }, dK);
