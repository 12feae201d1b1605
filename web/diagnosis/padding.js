/**
 * Which queries and keys of a head count: those that are not padding, and that the mask leaves.
 */
import { DTypeError } from '../attention/errors.js';
import { readMask } from '../attention/mask.js';
import { rejectShape } from '../attention/shape.js';

/**
 * @import { HeadMask } from '../attention/mask.js'
 * @import { Span } from '../attention/structs.js'
 */

/**
 * Reads the attention mask of a tokenizer, in which 0 is padding: [n_k], or [b, n_k], or one text for all items.
 *
 * @param {string} caller
 * @param {any} input undefined or null for none
 * @param {{ batch: number, nK: number }} sizes
 * @returns {Uint8Array[] | null} an array an item
 */
export function readPadding(caller, input, { batch, nK }) {
  if (input === undefined || input === null) return null;
  const isFlat = Array.isArray(input) && !Array.isArray(input[0]) && !ArrayBuffer.isView(input[0]);
  const { data, shape } = readMask(caller, isFlat ? [input] : input);
  const [items, keys] = [1, ...shape].slice(-2);
  if (shape.length > 2 || keys !== nK || (items !== 1 && items !== batch)) {
    rejectShape(caller, 'attentionMask', shape, `[${nK}] or [${batch}, ${nK}], one number a key`);
  }
  const bytes = Uint8Array.from(data, (entry, at) => {
    if (entry === 0 || entry === 1) return entry;
    throw new DTypeError(`${caller}: attentionMask has ${entry} at ${at}, expected 0 or 1`);
  });
  return [...Array(batch).keys()].map((item) => {
    const start = items === 1 ? 0 : item * nK;
    return bytes.subarray(start, start + nK);
  });
}

/**
 * Returns the queries that are no padding. Queries that are fewer than the keys are the last of them; more queries
 * are those of another text.
 *
 * @param {Uint8Array | undefined} keep the keys that are no padding
 * @param {number} nQ
 * @param {number} nK
 */
export function queriesOf(keep, nQ, nK) {
  const all = [...Array(nQ).keys()];
  return keep && nQ <= nK ? all.filter((i) => keep[i + nK - nQ]) : all;
}

/**
 * Returns which keys some query of a head sees.
 *
 * @param {Span} span
 * @param {HeadMask | null} mask
 * @param {number} head
 * @param {{ queries: readonly number[], nK: number, keep?: Uint8Array }} counted
 * @returns {Uint8Array}
 */
export function keysSeen(span, mask, head, { queries, nK, keep }) {
  const seen = new Uint8Array(nK);
  let last = 0; // to which a range went that began no later
  for (const i of queries) {
    const [from, to] = rangeOf(span, i);
    if (mask) {
      for (let j = from; j < to; j++) seen[j] ||= Number(isAllowed(mask, head, i, j));
    } else {
      seen.fill(1, Math.max(from, last), to);
      last = Math.max(last, to);
    }
  }
  return keep ? seen.map((flag, j) => flag & keep[j]) : seen;
}

/**
 * Returns the mask of a head from its first query that counts to the last, and for some keys; it hides padding, too.
 *
 * @param {HeadMask | null} mask
 * @param {number} head
 * @param {{ queries: readonly number[], nQ: number, nK: number, keep?: Uint8Array, first: number, end: number }} counted
 * @returns {HeadMask | null} null if it would hide nothing
 */
export function maskOfHead(mask, head, { queries, nQ, nK, keep, first, end }) {
  const [from, last] = [queries[0] ?? 0, queries[queries.length - 1] ?? -1];
  const isWhole = queries.length === last + 1 - from && !keep?.subarray(first, end).includes(0);
  if (isWhole && !mask) return null;
  if (isWhole && last + 1 - from === nQ && end - first === nK)
    return mask && { ...mask, matrices: [mask.matrices[head]] };
  const [rows, columns] = [last + 1 - from, end - first];
  const data =
    mask?.data instanceof Float32Array
      ? new Float32Array(rows * columns).fill(-Infinity)
      : new Uint8Array(rows * columns);
  for (const i of queries) {
    for (let j = first; j < end; j++) {
      if (keep && !keep[j]) continue;
      data[(i - from) * columns + j - first] = mask ? entryOf(mask, head, i, j) : 1;
    }
  }
  return { data, rows, columns, matrices: [0] };
}

/** Returns the keys of query i, the last not among them. @param {Span} span @param {number} i */
function rangeOf({ offset, left, right, keyCount }, i) {
  const from = left < 0 ? 0 : Math.max(0, i + offset - left);
  const to = right < 0 ? keyCount : Math.min(keyCount, i + offset + right + 1);
  return [Math.min(from, keyCount), Math.max(0, to)];
}

/** Returns the entry of a mask for a pair. @param {HeadMask} mask @param {number} head @param {number} i @param {number} j */
const entryOf = ({ data, rows, columns, matrices }, head, i, j) =>
  data[(matrices[head] * rows + (rows === 1 ? 0 : i)) * columns + j];

/** Returns whether a mask leaves a pair. @param {HeadMask} mask @param {number} head @param {number} i @param {number} j */
const isAllowed = (mask, head, i, j) =>
  entryOf(mask, head, i, j) !== (mask.data instanceof Uint8Array ? 0 : -Infinity);

/**
 * Returns whether a query sees a key.
 *
 * @param {Span} span
 * @param {HeadMask | null} mask
 * @param {number} head
 * @param {number} i
 * @param {number} j
 */
export function sees(span, mask, head, i, j) {
  const [from, to] = rangeOf(span, i);
  return j >= from && j < to && (!mask || isAllowed(mask, head, i, j));
}

/** Returns whether a mask can hide keys, and hides none. @param {HeadMask | null} mask */
export const isOpen = (mask) =>
  mask !== null && mask.data.every((entry) => entry === (mask.data instanceof Uint8Array ? 1 : 0));
