/**
 * Heads with the same weights, found by a number of each.
 */

/** @import { Diagnosis } from './diagnose.js' */

/** How far numbers of equal weights may be apart. */
const SAME = 1e-6;

/**
 * Returns a number from −1 to 1 that looks random: the mixing of MurmurHash3 (A. Appleby).
 *
 * @param {number} i
 */
export function noise(i) {
  let bits = Math.imul(i + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 31 - 1;
}

/**
 * Returns for each head the first before it that has the same weights. Heads whose weights are all equal are none.
 *
 * @param {readonly Pick<Diagnosis, 'verdict' | 'fingerprint' | 'entropyRatio' | 'effectiveKeys'>[]} heads
 * @returns {(number | undefined)[]}
 */
export function duplicatesAmong(heads) {
  /** Returns whether two numbers are equal but for rounding. @param {number} a @param {number} b */
  const isSame = (a, b) => Math.abs(a - b) <= SAME * Math.max(1, Math.abs(a));
  return heads.map((head, i) => {
    if (head.verdict === 'undefined' || head.entropyRatio > 1 - SAME) return undefined;
    const first = heads.findIndex(
      (other) =>
        isSame(other.fingerprint, head.fingerprint) &&
        isSame(other.entropyRatio, head.entropyRatio) &&
        isSame(other.effectiveKeys, head.effectiveKeys),
    );
    return first >= 0 && first < i ? first : undefined;
  });
}
