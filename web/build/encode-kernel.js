// WebAssembly as the text that web/attention/kernel/decode.js describes and reads. The functions are put
// into an order in which they compress a fortieth better.
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

/** A number below 2^14 in as few bytes as it needs. @param {number} value */
const narrow = (value) => wide(value, value < 128 ? 1 : 2);

/** Gives bytes and numbers, one after the other. @param {ArrayLike<number>} bytes */
function reader(bytes) {
  let at = 0;
  const take = (/** @type {number} */ count) => Array.from({ length: count }, () => bytes[at++]);
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const [byte] = take(1);
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  return { take, number, left: () => bytes.length - at };
}

/**
 * What one function gives to each of the streams, but in place of called functions their numbers; and how
 * many alignments it has, which no stream takes.
 * @param {number[]} code
 */
function readFunction(code) {
  const streams = Array.from({ length: 7 }, () => /** @type {number[]} */ ([]));
  const from = reader(code);
  const copy = (/** @type {number} */ stream, count = 1) => {
    const bytes = from.take(count);
    streams[stream].push(...bytes);
    return bytes[count - 1];
  };
  let alignments = 0;
  copy(6, 2 * copy(6));
  while (from.left() > 1) {
    const instruction = copy(0);
    const stream = STREAMS[instruction === VECTOR ? 256 + copy(0) : instruction];
    if (stream === 2) alignments += from.take(1).length;
    if (stream === 4) streams[4].push(from.number());
    else if (stream === 5) copy(5, constantSize(instruction));
    else if (stream > 0) while (copy(stream) > 127);
  }
  streams[0].push(END);
  return { streams, alignments };
}

/** @typedef {{ id: number, content: number[] }} Section */

/**
 * An order in which each function follows the one that is most like it of those that are left: has
 * most runs of four in common. The longest comes first.
 * @param {number[][]} functions the instructions of each
 * @returns {number[]} their indices
 */
function alike(functions) {
  const runs = functions.map((code) => new Set(code.map((_, i) => code.slice(i, i + 4).join())));
  const left = new Set(functions.keys());
  const order = [];
  const lengths = functions.map((code) => code.length);
  let next = lengths.indexOf(Math.max(...lengths));
  while (left.delete(next)) {
    order.push(next);
    const last = runs[next];
    let most = -1;
    for (const i of left) {
      const common = [...runs[i]].filter((run) => last.has(run)).length;
      const share = common / (runs[i].size + last.size);
      if (share > most) [most, next] = [share, i];
    }
  }
  return order;
}

/** Whether a section tells functions by their number and is none of those below. @param {Section} section */
const numbersFunctions = ({ id, content }) =>
  [2, 8, 9].includes(id) || (id === 0 && String.fromCharCode(...content.slice(1, 5)) === 'name');

/**
 * A section that speaks of functions, as it is when they stand in this order.
 * @type {Record<number, (from: ReturnType<typeof reader>, order: number[]) => number[]>}
 */
const REORDERED = {
  // their types
  3(from, order) {
    const types = Array.from({ length: from.number() }, from.number);
    return [...narrow(order.length), ...order.flatMap((i) => narrow(types[i]))];
  },
  // exports
  7(from, order) {
    const bytes = narrow(from.number());
    while (from.left() > 0) {
      const length = from.number();
      const [kind, index] = [from.take(length + 1), from.number()];
      const isFunction = kind[length] === 0;
      bytes.push(length, ...kind, ...narrow(isFunction ? order.indexOf(index) : index));
    }
    return bytes;
  },
};

/**
 * Without backslashes, line breaks and single quotes.
 * @param {Uint8Array} wasm  of instructions that a compiler makes of c/; others may not come back
 */
export function encode(wasm) {
  const from = reader(wasm);
  const header = from.take(8); // magic number and version
  /** @type {Section[]} */
  const sections = [];
  while (from.left() > 0) sections.push({ id: from.number(), content: from.take(from.number()) });
  const code = reader(sections.find(({ id }) => id === 10)?.content ?? [0]);
  const functions = Array.from({ length: code.number() }, () =>
    readFunction(code.take(code.number())),
  );
  const order = sections.some(numbersFunctions)
    ? [...functions.keys()]
    : alike(functions.map(({ streams: [instructions] }) => instructions));

  /** @type {number[][]} */
  const streams = Array.from({ length: EXPORTS + 1 }, () => []);
  let size = 2;
  for (const { streams: own, alignments } of order.map((i) => functions[i])) {
    own[4] = own[4].flatMap((called) => narrow(order.indexOf(called)));
    own.forEach((bytes, stream) => streams[stream].push(...bytes));
    size += 2 + alignments + own.flat().length;
  }
  streams[8].push(...header);
  let place = 8;
  for (const { id, content } of sections) {
    if (id === 10) {
      streams[EXPORTS].push(10, ...wide(size, 3), ...wide(order.length, 2));
      place = 7;
    } else {
      if (id === 7) place = EXPORTS;
      const bytes = REORDERED[id]?.(reader(content), order) ?? content;
      streams[place].push(id, ...narrow(bytes.length), ...bytes);
    }
  }
  return streams.map((bytes, i) => `${characters(bytes, i === EXPORTS ? 0 : OFFSET)}"`).join('');
}
