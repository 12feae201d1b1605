/**
 * The kernel travels as text, one character a byte: that of code byte + 43, modulo 256, or, in place
 * of quotes, the backslash and what is not printable ASCII, the letter 256 further on
 * (web/build/embed-kernel.js writes it). What is frequent in WebAssembly, 0xfd before each vector
 * instruction too, stays one byte long and no byte crosses the border of a character, so it is
 * compressed for transfer almost as well as the bytes themselves.
 */

export const OFFSET = 43;

/**
 * @param {string} text
 * @returns {Uint8Array & BufferSource}
 */
export function decode(text) {
  const { length } = text; // the loop runs once, not yet optimised: every access counts
  const bytes = new Uint8Array(length);
  // Stored modulo 256, so that both kinds of characters are read alike.
  for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(i) - OFFSET;
  return bytes;
}
