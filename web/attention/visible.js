/**
 * Reads which keys a query may attend to, besides the mask: causality, windows, offsets, lengths.
 */
import { reject, ShapeError, show } from './errors.js';
import { readChoice } from './options.js';
import { isTypedArray } from './typed-array.js';

/** @import { Span } from './structs.js' */

/** @typedef {false | true | 'upper-left' | 'lower-right'} Causal */

/** One number for all items of a batch, or one an item.
 *  @typedef {number | readonly number[] | Int8Array | Int16Array | Int32Array | Uint8Array
 *   | Uint16Array | Uint32Array | BigInt64Array} Integers */

/** @type {readonly Causal[]} */
const CAUSAL = [false, 'upper-left', 'lower-right', true];

const MOST = 2 ** 31 - 1; // int32_t
/** @type {readonly [left: number, right: number]} */
const NO_WINDOW = [-1, -1];

/**
 * Reads causality, window, offsets and lengths.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given options
 * @param {{ batch: number, nQ: number, nK: number }} sizes
 * @returns {Span[]} one an item
 */
export function readSpans(caller, given, { batch, nQ, nK }) {
  const causal = readChoice(caller, 'causal', given.causal, CAUSAL);
  const [left, right] = readWindow(caller, given.window);
  if (batch === 0) return [{ offset: 0, left, right, keyCount: nK }]; // no query uses it
  const offsets = readIntegers(caller, 'offset', given.offset, batch, [-MOST, MOST]);
  const lengths = readIntegers(caller, 'keyLengths', given.keyLengths, batch, [0, nK]);
  // A causal query sees no key behind itself, wherever the window ends.
  const end = causal === false ? right : right < 0 ? 0 : Math.min(right, 0);
  /** @type {Span[]} */
  const spans = [];
  for (let item = 0; item < batch; item++) {
    const keyCount = lengths ? lengths[item] : nK;
    const usual = causal === 'lower-right' ? keyCount - nQ : 0;
    spans.push({ offset: offsets ? offsets[item] : usual, left, right: end, keyCount });
  }
  return spans;
}

/**
 * Returns the largest number of keys that a query sees in one of the spans.
 *
 * @param {readonly Span[]} spans
 * @param {number} nK
 * @returns {number}
 */
export function widestSpan(spans, nK) {
  const widths = spans.map(({ left, right }) => (left < 0 || right < 0 ? nK : left + right + 1));
  return Math.min(nK, Math.max(0, ...widths));
}

/**
 * Reads a window, [−1, −1] by default.
 *
 * @param {string} caller
 * @param {unknown} window
 * @returns {readonly [left: number, right: number]}
 */
function readWindow(caller, window) {
  if (window === undefined || window === null) return NO_WINDOW;
  const expected = '[left, right], two whole numbers from 0 on, or −1 for no limit';
  if (!Array.isArray(window)) reject(caller, 'window', window, expected);
  if (window.length !== 2) {
    throw new ShapeError(`${caller}: window has length ${window.length}, expected ${expected}`);
  }
  const [left, right] = window.map((entry, i) => {
    const isLimit = Number.isInteger(entry) && entry >= -1 && entry <= MOST;
    return isLimit ? entry : reject(caller, `window[${i}]`, entry, `whole, from −1 to ${MOST}`);
  });
  return [left, right];
}

/**
 * Reads a whole number for each item of a batch.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {number} batch
 * @param {readonly [least: number, most: number]} range
 * @returns {number[] | null} null if the option is not given
 */
function readIntegers(caller, name, value, batch, [least, most]) {
  if (value === undefined || value === null) return null;
  /** Reads a whole number in the range. @param {any} entry @param {string} path */
  const read = (entry, path) => {
    const number = typeof entry === 'bigint' ? Number(entry) : entry;
    if (typeof number !== 'number' || !Number.isInteger(number)) {
      reject(caller, path, entry, 'a whole number');
    }
    if (number >= least && number <= most) return number;
    throw new ShapeError(`${caller}: ${path} is ${number}, expected ${least} to ${most}`);
  };
  const list = Array.isArray(value) || isTypedArray(value) ? value : dataOf(value);
  if (list === undefined) return Array(batch).fill(read(value, name));
  if (list.length !== batch) {
    const expected = `${batch}, one ${show(name)} an item of the batch`;
    throw new ShapeError(`${caller}: ${name} has length ${list.length}, expected ${expected}`);
  }
  const numbers = [];
  for (let i = 0; i < batch; i++) numbers.push(read(list[i], `${name}[${i}]`));
  return numbers;
}

/**
 * Returns the data of a tensor, undefined for any other value.
 *
 * @param {any} value
 * @returns {ArrayLike<unknown> | undefined}
 */
function dataOf(value) {
  const data = value?.data;
  return Array.isArray(data) || isTypedArray(data) ? data : undefined;
}
