// WebAssembly as the text that web/attention/kernel/decode.js describes and reads.
import { constantSize, END, OFFSET, STREAMS, VECTOR } from '../attention/kernel/decode.js';

const isPlain = (/** @type {number} */ code) =>
  code >= 32 && code < 127 && ![34, 39, 92].includes(code);

/** @param {number[]} bytes */
const characters = (bytes) =>
  bytes
    .map((byte) => (byte + OFFSET) % 256)
    .map((code) => String.fromCharCode(isPlain(code) ? code : code + 256))
    .join('');

/**
 * Without backslashes, line breaks and single quotes.
 * @param {Uint8Array} wasm  of instructions that a compiler makes of c/; others may not come back
 */
export function encode(wasm) {
  /** @type {number[][]} */
  const streams = Array.from({ length: 9 }, () => []);
  let at = 0;
  const copy = (/** @type {number} */ stream, count = 1) => {
    streams[stream].push(...wasm.subarray(at, (at += count)));
    return wasm[at - 1];
  };
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      value |= (wasm[at] & 127) << shift;
      if (wasm[at++] < 128) return value;
    }
  };
  const copyFunction = () => {
    const last = number() + at - 1;
    copy(7, 2 * copy(7));
    while (at < last) {
      const instruction = copy(1);
      const stream = STREAMS[instruction === VECTOR ? 256 + copy(1) : instruction];
      if (stream === 3) number(); // alignment
      if (stream === 6) copy(6, constantSize(instruction));
      else if (stream > 0) while (copy(stream) > 127);
    }
    at++;
    streams[1].push(END);
  };

  copy(0, 8); // magic number and version
  for (let place = 0; at < wasm.length;) {
    const start = at;
    const section = number();
    const end = number() + at;
    if (section === 10) {
      for (let functions = number(); functions > 0; functions--) copyFunction();
      place = 8;
    } else {
      at = start;
      copy(place, end - start);
    }
  }
  return streams.map((bytes) => `${characters(bytes)}"`).join('');
}
