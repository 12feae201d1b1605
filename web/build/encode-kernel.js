// WebAssembly as the text that web/attention/kernel/decode.js describes and reads.
import { constantSize, END, EXPORTS, OFFSET, STREAMS, VECTOR } from '../attention/kernel/decode.js';

const isPlain = (/** @type {number} */ code) =>
  code >= 32 && code < 127 && ![34, 39, 92].includes(code);

/** @param {number[]} bytes  @param {number} offset */
const characters = (bytes, offset) =>
  bytes
    .map((byte) => (byte + offset) % 256)
    .map((code) => String.fromCharCode(isPlain(code) ? code : code + 256))
    .join('');

/** A number in so many bytes, however few it needs. @param {number} value  @param {number} count */
const wide = (value, count) =>
  Array.from({ length: count }, (_, i) => ((value >> (7 * i)) & 127) | (i < count - 1 ? 128 : 0));

/**
 * Without backslashes, line breaks and single quotes.
 * @param {Uint8Array} wasm  of instructions that a compiler makes of c/; others may not come back
 */
export function encode(wasm) {
  /** @type {number[][]} */
  const streams = Array.from({ length: EXPORTS + 1 }, () => []);
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
    const size = number();
    const last = at + size - 1;
    copy(6, 2 * copy(6));
    while (at < last) {
      const instruction = copy(0);
      const stream = STREAMS[instruction === VECTOR ? 256 + copy(0) : instruction];
      if (stream === 2) number(); // alignment
      if (stream === 5) copy(5, constantSize(instruction));
      else if (stream > 0) while (copy(stream) > 127);
    }
    at++;
    streams[0].push(END);
    return 2 + size;
  };

  copy(8, 8); // magic number and version
  for (let place = 8; at < wasm.length;) {
    const start = at;
    const section = number();
    const end = number() + at;
    if (section === 10) {
      const functions = number();
      let size = 2;
      for (let i = 0; i < functions; i++) size += copyFunction();
      streams[EXPORTS].push(10, ...wide(size, 3), ...wide(functions, 2));
      place = 7;
    } else {
      if (section === 7) place = EXPORTS;
      at = start;
      copy(place, end - start);
    }
  }
  return streams.map((bytes, i) => `${characters(bytes, i === EXPORTS ? 0 : OFFSET)}"`).join('');
}
