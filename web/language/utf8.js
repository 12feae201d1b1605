/** UTF-8 of single characters, also of halves of surrogate pairs, which TextEncoder replaces. */
import { times } from '../shared/times.js';

/** Returns the bytes of a character. @param {string} character @returns {number[]} */
export function bytesOf(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  if (code < 0x80) return [code];
  const tail = (/** @type {number} */ shift) => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)];
  if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)];
  return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
}

/** Returns the number of bytes of a character by its first byte, 0 for none. @param {number} byte */
function lengthBy(byte) {
  if (byte < 0x80) return 1;
  if (byte >> 5 === 6) return 2;
  if (byte >> 4 === 14) return 3;
  return byte >> 3 === 30 ? 4 : 0;
}

/**
 * Returns the text of bytes that come as halves; '\uFFFD' for each half or byte that is no part of a
 * character.
 * @param {readonly number[]} halves
 * @returns {string}
 */
export function textOf(halves) {
  let text = '';
  for (let i = 0; i < halves.length;) {
    const byteAt = (/** @type {number} */ k) => (halves[i + 2 * k] << 4) | halves[i + 2 * k + 1];
    const length = i + 1 < halves.length ? lengthBy(byteAt(0)) : 0;
    const rest = times(Math.max(0, length - 1), (k) => byteAt(k + 1));
    const isWhole = length > 0 && i + 2 * length <= halves.length;
    const code = rest.reduce(
      (sum, byte) => (sum << 6) | (byte & 0x3f),
      byteAt(0) & firstBits(length),
    );
    if (isWhole && rest.every((byte) => byte >> 6 === 2) && code < 0x110000) {
      text += String.fromCodePoint(code);
      i += 2 * length;
    } else {
      text += '\uFFFD';
      i += i + 1 < halves.length ? 2 : 1;
    }
  }
  return text;
}

/** Returns a mask of the bits that a first byte adds to a character. @param {number} length in bytes */
const firstBits = (length) => (length === 1 ? 0x7f : 0x7f >> length);
