// What a saved page holds, as text: JSON, in which arrays of numbers are their bytes in base64.

/** The most bytes that become characters by one call. */
const MOST = 2 ** 15;

/** @param {ArrayBufferView} view */
function toBase64({ buffer, byteOffset, byteLength }) {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let characters = '';
  for (let at = 0; at < byteLength; at += MOST) {
    characters += String.fromCharCode(...bytes.subarray(at, at + MOST));
  }
  return btoa(characters);
}

/**
 * Writes JSON that may stand in a script element.
 * @param {object} held
 * @returns {string}
 */
export const pack = (held) =>
  JSON.stringify(held, (_, value) => {
    if (ArrayBuffer.isView(value))
      return { array: value.constructor.name, base64: toBase64(value) };
    // JSON has no infinity, which a sink may be.
    return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
  }).replaceAll('<', '\\u003c');

/**
 * Reads what `pack` wrote.
 * @param {string} text
 */
export const unpack = (text) =>
  JSON.parse(text, (_, value) => {
    if (typeof value?.number === 'string') return Number(value.number);
    if (typeof value?.base64 !== 'string') return value;
    const bytes = Uint8Array.from(atob(value.base64), (character) => character.charCodeAt(0));
    const Kind = Reflect.get(globalThis, value.array); // masks may be of any integers
    return new Kind(bytes.buffer);
  });
