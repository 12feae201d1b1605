/**
 * The limits of number formats, and how often the scores of random queries and keys exceed them:
 * exact for finite d_k, by averaging over the length of the query. Entries of q and k are iid
 * N(0, entrySize²).
 */
import { recent } from '../shared/recent.js';
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
 * Returns the limits of a format.
 * @type {(overflow: number, expOverflow: number, zeroExponent: number) => Readonly<FormatLimits>}
 */
const limits = (overflow, expOverflow, zeroExponent) =>
  Object.freeze({ overflow, expOverflow, zeroBelow: zeroExponent * Math.LN2 });

/**
 * The limits of fp16 (11 significant bits, up to 65504), bf16 (8 bits with the exponents of fp32) and
 * fp32 (24 bits), with rounding to nearest as in IEEE 754-2008, and with subnormals.
 * @type {Readonly<Record<'fp16' | 'bf16' | 'fp32', Readonly<FormatLimits>>>}
 */
export const FORMATS = Object.freeze({
  fp16: limits(65520, 11.08984375, -25),
  bf16: limits((2 - 2 ** -8) * 2 ** 127, 88.75, -134),
  fp32: limits((2 - 2 ** -24) * 2 ** 127, 88.7228391, -150),
});

/** @typedef {keyof typeof FORMATS} Format */

/**
 * @typedef {object} ScoreLaw
 * @property {number} dK
 * @property {number} [factor] the scores are factor·(q·k); 1
 * @property {number} [entrySize] 1
 * @property {number} [mean] of an entry, in sizes; 0. What all keys share moves no difference of scores
 */

/**
 * Returns P(score > limit) of one score; for large d_k this is Q(limit / (factor·entrySize²·√d_k)).
 * @param {number} limit positive
 * @param {ScoreLaw} options
 * @returns {number}
 */
export function scoreTail(limit, { dK, factor = 1, entrySize = 1 }) {
  return overRandomNorm((radius) => normalTail(limit / (factor * entrySize ** 2 * radius)), dK);
}

/**
 * Returns P(some score of a row of n > limit).
 * @param {number} limit positive
 * @param {ScoreLaw & { keys: number }} options
 * @returns {number}
 */
export function rowTail(limit, { dK, keys, factor = 1, entrySize = 1 }) {
  return overRandomNorm((radius) => {
    const each = normalTail(limit / (factor * entrySize ** 2 * radius));
    return -Math.expm1(keys * Math.log1p(-each));
  }, dK);
}

/** Step of the trapezoidal rule over a normal density. */
const STEP = 0.2;
const FARTHEST = 8;

/**
 * Returns P(a score lies more than `distance` below the largest of its row of n): for iid N(0, σ²)
 * scores 1 − ∫ φ(x) Φ(x + distance/σ)^{n−1} dx. Weights that far below the largest are lost.
 * @param {number} distance not negative
 * @param {ScoreLaw & { keys: number }} options
 * @returns {number}
 */
export function farBelowLargest(distance, { dK, keys, factor = 1, entrySize = 1, mean }) {
  return overRandomNorm(
    (radius) => farBelow(distance / (factor * entrySize ** 2 * radius), keys),
    dK,
    mean,
  );
}

/**
 * Returns the expected number of other keys whose scores lie at most `gap` below the largest of their row,
 * which Hayase & Karakida (2026) count: n·P(at most that far below) − 1. One lies within a gap that shrinks
 * like 1/√(ln n), in deviations of iid normal scores.
 * @param {number} gap not negative
 * @param {ScoreLaw & { keys: number }} options
 * @returns {number}
 */
export function competitorsWithin(gap, { dK, keys, factor = 1, entrySize = 1, mean }) {
  return keys * (1 - farBelowLargest(gap, { dK, keys, factor, entrySize, mean })) - 1;
}

/** Halvings of the range in which the gap lies, and its end, in deviations: of three keys it is 1.3. */
const HALVINGS = 40;
const WIDEST_GAP = 4;

/**
 * Returns the gap below the largest score of a row within which one other key lies, on average:
 * `competitorsWithin` is 1 there, to .005.
 * @param {ScoreLaw & { keys: number }} options `keys` at least 3
 * @returns {number} in units of the score
 */
export function competitorGap({ dK, keys, factor = 1, entrySize = 1 }) {
  const law = { dK, keys, factor, entrySize };
  let [low, high] = [0, WIDEST_GAP * factor * entrySize ** 2 * Math.sqrt(dK)];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (keys * (1 - farBelowLargestNear(middle, law)) < 2) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Returns the chance of `farBelowLargest` in a row of given deviation.
 * @param {number} gap the distance in deviations
 * @param {number} keys
 */
function farBelow(gap, keys) {
  let missing = 0;
  for (let x = -FARTHEST; x <= FARTHEST; x += STEP) {
    const others = (keys - 1) * Math.log1p(-normalTail(x + gap));
    missing -= normalDensity(x) * Math.expm1(others);
  }
  return missing * STEP;
}

/** Distance of the gaps of a table, and its end, at which the chance is below 1e-20. */
const TABLE_STEP = 1 / 16;
const TABLE_END = 16;
const TABLES_KEPT = 4;

const tableOf = recent(TABLES_KEPT, (/** @type {number} */ keys) =>
  Float64Array.from({ length: TABLE_END / TABLE_STEP + 1 }, (_, i) =>
    farBelow((i - 1) * TABLE_STEP, keys),
  ),
);

/**
 * Returns `farBelowLargest` by cubic interpolation in a table for this number of keys, to 1e-5: a curve
 * takes a hundredth of the time.
 * @type {typeof farBelowLargest}
 */
export function farBelowLargestNear(distance, { dK, keys, factor = 1, entrySize = 1 }) {
  const table = tableOf(keys);
  return overRandomNorm((radius) => {
    const at = distance / (factor * entrySize ** 2 * radius) / TABLE_STEP + 1;
    const i = Math.floor(at);
    if (!(i < table.length - 2)) return 0;
    const [a, b, c, d] = [table[i - 1], table[i], table[i + 1], table[i + 2]];
    const t = at - i;
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  }, dK);
}
