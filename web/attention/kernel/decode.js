/**
 * The kernel travels as text, which web/build/encode-kernel.js writes. WebAssembly has operands behind their
 * instruction; here each kind of operand stands apart, which compresses an eighth better for transfer,
 * and what can be counted again, as the length of a function, is left out. The streams, in this order:
 * the sections before the code, instructions, indices of locals, offsets in memory, integers, called
 * functions, constants, the functions' groups of locals, the sections after the code. They end with a
 * double quote; a character is a byte, that of code byte + 43, modulo 256, or, in place of quotes, the
 * backslash and what is not printable ASCII, the letter 256 further on.
 */

export const OFFSET = 43;
export const END = 255; // in place of the last `end` of a function
export const VECTOR = 0xfd; // begins an instruction of two bytes

/**
 * The stream of an instruction's operands, from 256 on of a vector instruction's; 0 where none stand apart:
 * types of blocks, labels and lanes are so small that they read as instructions without operands.
 * @type {Uint8Array}
 */
export const STREAMS = new Uint8Array(512).fill(2, 32, 35).fill(3, 40, 63).fill(4, 65, 67);
STREAMS.fill(5, 16, 17).fill(6, 67, 69).fill(3, 256, 268).fill(6, 268, 270);

/** The bytes of a constant. @param {number} instruction */
export const constantSize = (instruction) => (instruction === VECTOR ? 16 : 4 * (instruction - 66));

/**
 * @param {string} text
 * @returns {Uint8Array & BufferSource}
 */
export function decode(text) {
  const { length } = text; // the loops run once, not yet optimised: every access counts
  const codes = new Uint8Array(length);
  // Stored modulo 256, so that both kinds of characters are read alike.
  for (let i = 0; i < length; i++) codes[i] = text.charCodeAt(i) - OFFSET;
  const next = [0]; // byte of each stream
  while (next.length < 10) next.push(text.indexOf('"', next.at(-1)) + 1);
  const bytes = new Uint8Array(2 * length);
  let end = 0;
  const copy = (/** @type {number} */ stream, /** @type {number} */ count) => {
    bytes.set(codes.subarray(next[stream], (next[stream] += count)), end);
    end += count;
  };
  /** In the bytes before `start`, which are `count`, how many there are from it on. */
  const writeNumber = (
    /** @type {number} */ value,
    /** @type {number} */ start,
    /** @type {number} */ count,
  ) => {
    for (let i = 0; i < count; i++) bytes[start + i] = ((value >> (7 * i)) & 127) | 128;
    bytes[start + count - 1] &= 127;
  };

  let [, instructions, last] = next;
  copy(0, instructions - 1);
  bytes[end] = 10; // the code section
  const section = (end += 4);
  let functions = 0;
  end += 2;
  for (last--; instructions < last; functions++) {
    const body = (end += 2);
    copy(7, 1 + 2 * codes[next[7]]);
    for (let instruction; (instruction = codes[instructions++]) !== END;) {
      bytes[end++] = instruction;
      let stream = STREAMS[instruction];
      if (instruction === VECTOR) stream = STREAMS[256 + (bytes[end++] = codes[instructions++])];
      if (stream === 6) copy(6, constantSize(instruction));
      else if (stream > 0) {
        if (stream === 3) end++; // 0: no promise of alignment, which engines do not ask for
        let place = next[stream];
        while ((bytes[end++] = codes[place++]) > 127);
        next[stream] = place;
      }
    }
    bytes[end++] = 11; // end
    writeNumber(end - body, body - 2, 2);
  }
  writeNumber(functions, section, 2);
  writeNumber(end - section, section - 3, 3);
  copy(8, length - 1 - next[8]);
  return bytes.slice(0, end);
}
