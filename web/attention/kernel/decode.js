/**
 * The kernel travels as text, a character for each byte: no engine needs a decoder for it, and it
 * compresses almost like the module itself (base64 would be a quarter larger). web/build/embed-kernel.js
 * writes it.
 */

/** The code of a byte's character exceeds the byte by this, so that frequent bytes are printable ASCII. */
export const OFFSET = 40;

/**
 * Returns the bytes of a kernel's text.
 *
 * @param {string} text
 * @returns {Uint8Array & BufferSource}
 */
export function decode(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i) - OFFSET; // modulo 256
  return bytes;
}
