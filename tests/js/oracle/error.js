/** Errors of float32 results. */

export const EPSILON = 2 ** -24;

/**
 * Returns the largest |got − expected| / (EPSILON · magnitude) of two flat lists. NaN and infinities
 * must be in the same places; numbers that exceed float32 are expected to be infinite.
 * @param {ArrayLike<number>} got
 * @param {number[]} expected
 * @param {number | number[]} magnitude of all entries, or of each
 * @returns {number} Infinity where the places differ
 */
export function errorInUnits(got, expected, magnitude) {
  if (got.length !== expected.length) return Infinity;
  return expected.reduce((worst, x, i) => {
    const unit = EPSILON * (typeof magnitude === 'number' ? magnitude : magnitude[i]) + 2 ** -126;
    return Math.max(worst, distance(got[i], x, x) / unit);
  }, 0);
}

/**
 * Returns the distance of a float32 number from [low, high]; Infinity if only one side is finite, or
 * only one is NaN.
 * @param {number} got
 * @param {number} low
 * @param {number} high
 */
export function distance(got, low, high) {
  if (Number.isFinite(got) && Number.isFinite(Math.fround(low))) {
    return Math.max(0, low - got, got - high);
  }
  return Object.is(got, Math.fround(low)) ? 0 : Infinity;
}
