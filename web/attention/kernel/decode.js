/**
 * The kernel travels as text, which web/build/encode-kernel.js writes. WebAssembly has operands behind their
 * instruction; here each kind of operand stands apart, which compresses an eighth better for transfer,
 * and what can be counted again, as the length of a function, is left out. The streams, in this order:
 * instructions, indices of locals, offsets in memory, integers, called functions, constants, the
 * functions' groups of locals, the sections after the code, those before the exports, those from there
 * to the first function. They end with a double quote; a character is a byte, that of code byte + 40,
 * modulo 256, or, in place of quotes, the backslash and what is not printable ASCII, the letter 256
 * further on. Exports have code byte + 0: their names stand in the package once more.
 */

export const OFFSET = 40;
export const EXPORTS = 9; // that stream
export const END = 255; // in place of the last `end` of a function
export const VECTOR = 0xfd; // begins an instruction of two bytes

/**
 * The stream of an instruction's operands, from 256 on of a vector instruction's; 0 where none stand apart:
 * types of blocks, labels and lanes are so small that they read as instructions without operands.
 * @type {Uint8Array}
 */
export const STREAMS = new Uint8Array(512).fill(1, 32, 35).fill(2, 40, 63).fill(3, 65, 67);
STREAMS.fill(4, 16, 17).fill(5, 67, 69).fill(2, 256, 268).fill(5, 268, 270);

/** The bytes of a constant. @param {number} instruction */
export const constantSize = (instruction) => (instruction === VECTOR ? 16 : 4 * (instruction - 66));

/**
 * @param {string} text
 * @returns {Uint8Array & BufferSource}
 */
export function decode(text) {
  const { length } = text; // the loops run once, not yet optimised: every access counts
  const next = [0]; // byte of each stream
  while (next.length <= EXPORTS) next.push(text.indexOf('"', next[next.length - 1]) + 1);
  const [, locals, , , , , , , before, exports] = next;
  const codes = new Uint8Array(length);
  // Stored modulo 256, so that both kinds of characters are read alike.
  for (let i = 0; i < length; i++) codes[i] = text.charCodeAt(i) - (i < exports ? OFFSET : 0);
  const bytes = new Uint8Array(2 * length);
  let end = 0;
  const copy = (/** @type {number} */ stream, /** @type {number} */ count) => {
    bytes.set(codes.subarray(next[stream], (next[stream] += count)), end);
    end += count;
  };
  copy(8, exports - 1 - before);
  copy(EXPORTS, length - 1 - exports);
  for (let at = 0; at < locals - 1;) {
    const body = (end += 2);
    copy(6, 1 + 2 * codes[next[6]]);
    for (let instruction; (instruction = codes[at++]) !== END;) {
      bytes[end++] = instruction;
      let stream = STREAMS[instruction];
      if (instruction === VECTOR) stream = STREAMS[256 + (bytes[end++] = codes[at++])];
      if (stream === 5) copy(5, constantSize(instruction));
      else if (stream > 0) {
        if (stream === 2) end++; // 0: no promise of alignment, which engines do not ask for
        let place = next[stream];
        while ((bytes[end++] = codes[place++]) > 127);
        next[stream] = place;
      }
    }
    bytes[end++] = 11; // end
    bytes[body - 2] = (end - body) | 128; // modulo 256: seven bits, then the others
    bytes[body - 1] = (end - body) >> 7;
  }
  copy(7, before - 1 - next[7]);
  return bytes.slice(0, end);
}
