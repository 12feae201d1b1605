/**
 * Which queries and keys of a head count: those that are not padding, and that the mask leaves.
 */
import { DTypeError } from '../attention/errors.js';
import { readMask } from '../attention/mask.js';
import { rejectShape } from '../attention/shape.js';

/**
 * @import { HeadMask } from '../attention/mask.js'
 * @import { Settings } from '../attention/settings.js'
 * @import { Span } from '../attention/structs.js'
 */

/** A range of queries, the last not among them. @typedef {{ from: number, to: number }} Run */

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
 * Returns the ranges of queries that are no padding. Queries that are fewer than the keys are the last of them;
 * more queries are those of another text.
 *
 * @param {Uint8Array | undefined} keep the keys that are no padding
 * @param {number} nQ
 * @param {number} nK
 * @returns {Run[]}
 */
export function runsOf(keep, nQ, nK) {
  if (!keep || nQ > nK) return [{ from: 0, to: nQ }];
  /** @type {Run[]} */
  const runs = [];
  for (let i = 0; i < nQ; i++) {
    if (!keep[i + nK - nQ]) continue;
    const last = runs[runs.length - 1];
    if (last?.to === i) last.to += 1;
    else runs.push({ from: i, to: i + 1 });
  }
  return runs;
}

/**
 * Returns the settings of one item of a batch, and of a run of its queries. Padding at the end shortens the keys,
 * which takes no mask.
 *
 * @param {Settings<any>} settings
 * @param {{ item: number, heads: number, nK: number, keep?: Uint8Array }} of
 * @param {Run} run
 * @returns {Settings<any>}
 */
export function settingsOfItem(settings, { item, heads, nK, keep }, { from, to }) {
  const span = settings.scoring.spans[item];
  const count = keep ? keep.lastIndexOf(1) + 1 : nK;
  const isWhole = !keep || !keep.subarray(0, count).includes(0);
  const ofItem = settings.mask && rowsOfMask(settings.mask, { item, heads, from, to });
  const mask = isWhole ? ofItem : withPadding(ofItem, /** @type {Uint8Array} */ (keep), heads);
  const keyCount = Math.min(span.keyCount, count);
  const spans = [{ ...span, offset: span.offset + from, keyCount }];
  return { ...settings, scoring: { ...settings.scoring, spans }, mask };
}

/**
 * Returns the rows of a mask for some queries of an item.
 *
 * @param {HeadMask} mask
 * @param {{ item: number, heads: number } & Run} of
 * @returns {HeadMask}
 */
function rowsOfMask(mask, { item, heads, from, to }) {
  const matrices = mask.matrices.slice(item * heads, (item + 1) * heads);
  if (mask.rows === 1 || (from === 0 && to === mask.rows)) return { ...mask, matrices };
  const { rows, columns } = mask;
  const own = matrices.map((matrix) =>
    mask.data.subarray((matrix * rows + from) * columns, (matrix * rows + to) * columns),
  );
  return { data: joined(own), rows: to - from, columns, matrices: [...own.keys()] };
}

/** Joins arrays of one kind. @template {Uint8Array | Float32Array} T @param {readonly T[]} parts */
function joined(parts) {
  const whole = parts[0] instanceof Uint8Array ? Uint8Array : Float32Array;
  const data = new whole(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return data;
}

/**
 * Returns a mask that hides padding, too.
 *
 * @param {HeadMask | null} mask
 * @param {Uint8Array} keep
 * @param {number} heads
 * @returns {HeadMask}
 */
function withPadding(mask, keep, heads) {
  const columns = keep.length;
  if (!mask) return { data: keep, rows: 1, columns, matrices: Array(heads).fill(0) };
  const hidden = mask.data instanceof Uint8Array ? 0 : -Infinity;
  const data = mask.data.map((entry, at) => (keep[at % columns] ? entry : hidden));
  return { ...mask, data };
}

/**
 * Returns which keys some query of a head sees.
 *
 * @param {Span} span
 * @param {HeadMask | null} mask
 * @param {number} head
 * @param {number} nQ
 * @param {number} nK
 * @returns {Uint8Array}
 */
export function keysSeen(span, mask, head, nQ, nK) {
  const seen = new Uint8Array(nK);
  for (let i = 0; i < nQ; i++) {
    const [from, to] = rangeOf(span, i);
    if (!mask) {
      // The range moves by a key a query: beside the first, only its end is new.
      seen.fill(1, i === 0 ? from : Math.max(from, to - 1), to);
      continue;
    }
    for (let j = from; j < to; j++) if (seen[j] === 0 && isAllowed(mask, head, i, j)) seen[j] = 1;
  }
  return seen;
}

/** Returns the keys of query i, the last not among them. @param {Span} span @param {number} i */
function rangeOf({ offset, left, right, keyCount }, i) {
  const from = left < 0 ? 0 : Math.max(0, i + offset - left);
  const to = right < 0 ? keyCount : Math.min(keyCount, i + offset + right + 1);
  return [Math.min(from, keyCount), Math.max(0, to)];
}

/** Returns whether a mask leaves a pair. @param {HeadMask} mask @param {number} head @param {number} i @param {number} j */
function isAllowed({ data, rows, columns, matrices }, head, i, j) {
  const entry = data[(matrices[head] * rows + (rows === 1 ? 0 : i)) * columns + j];
  return data instanceof Uint8Array ? entry !== 0 : entry !== -Infinity;
}

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
