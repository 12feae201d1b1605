/**
 * Boxes of the heads and queries of attention: which part of a call computes what, with views of its inputs
 * and places for its results.
 */

/**
 * @import { Inputs } from '../attention/heads.js'
 * @import { HeadMask } from '../attention/mask.js'
 */

/**
 * Items, heads of query and rows of query, each from the first to before the last. Several items have all
 * heads and rows.
 *
 * @typedef {{ items: [number, number], heads: [number, number], rows: [number, number] }} Box
 */

/** Returns a box of everything. @param {{ batch: number, heads: number, nQ: number }} inputs @returns {Box} */
export const wholeOf = ({ batch, heads, nQ }) => ({
  items: [0, batch],
  heads: [0, heads],
  rows: [0, nQ],
});

/**
 * Cuts a range into pieces of about equal length.
 *
 * @param {[first: number, end: number]} range
 * @param {number} count the number of pieces wanted
 * @param {number} [step] pieces begin at multiples of it
 * @returns {[first: number, end: number][]}
 */
export function piecesOf([first, end], count, step = 1) {
  const length = Math.max(step, Math.ceil((end - first) / Math.max(count, 1) / step) * step);
  /** @type {[number, number][]} */
  const pieces = [];
  for (let at = first; at < end; at += length) pieces.push([at, Math.min(at + length, end)]);
  return pieces;
}

/**
 * Returns the runs of numbers that a box takes of an array [batch, heads, n, d].
 *
 * @param {number} heads of the array
 * @param {number} n
 * @param {number} d
 * @param {Box} box its heads are those of the array
 * @returns {{ start: number, length: number }[]}
 */
function runsOf(heads, n, d, { items, heads: [firstHead, endHead], rows: [firstRow, endRow] }) {
  const length = (endRow - firstRow) * d;
  const isDense =
    endRow - firstRow === n && (items[1] - items[0] === 1 || endHead - firstHead === heads);
  const runs = [];
  for (let item = items[0]; item < items[1]; item++) {
    for (let head = firstHead; head < endHead; head++) {
      runs.push({ start: ((item * heads + head) * n + firstRow) * d, length });
    }
  }
  if (isDense && runs.length > 1) return [{ start: runs[0].start, length: length * runs.length }];
  return runs;
}

/**
 * Returns the numbers of a box: a view where they lie together, else a copy.
 *
 * @template {Float32Array | Uint8Array} T
 * @param {T} data [batch, heads, n, d]
 * @param {number} heads
 * @param {number} n
 * @param {number} d
 * @param {Box} box
 * @returns {T}
 */
export function takeBox(data, heads, n, d, box) {
  const runs = runsOf(heads, n, d, box);
  const views = runs.map(({ start, length }) => data.subarray(start, start + length));
  if (views.length === 1) return /** @type {T} */ (views[0]);
  const total = views.reduce((sum, { length }) => sum + length, 0);
  const copy = new /** @type {any} */ (data.constructor)(total);
  let at = 0;
  for (const view of views) {
    copy.set(view, at);
    at += view.length;
  }
  return copy;
}

/**
 * Writes the numbers of a box to their places.
 *
 * @template {Float32Array | Float64Array} T
 * @param {T} target [batch, heads, n, d]
 * @param {number} heads
 * @param {number} n
 * @param {number} d
 * @param {Box} box
 * @param {T} source
 */
export function putBox(target, heads, n, d, box, source) {
  let at = 0;
  for (const { start, length } of runsOf(heads, n, d, box)) {
    target.set(source.length === length ? source : source.subarray(at, at + length), start);
    at += length;
  }
}

/**
 * Returns the part of a mask that the heads and rows of a box need.
 *
 * @param {HeadMask | null} mask
 * @param {Inputs | { heads: number, nK: number }} inputs
 * @param {Box} box
 * @returns {HeadMask | null}
 */
export function maskOf(mask, { heads, nK }, { items, heads: [firstHead, endHead], rows }) {
  const places = [];
  for (let item = items[0]; item < items[1]; item++) {
    for (let head = firstHead; head < endHead; head++) places.push(item * heads + head);
  }
  if (!mask || places.length === 0) return null;
  const matrices = places.map((place) => mask.matrices[place]);
  const used = [...new Set(matrices)];
  /** @type {[number, number]} */
  const range = mask.rows === 1 ? [0, 1] : rows;
  const parts = used.map((matrix) =>
    takeBox(mask.data, 1, mask.rows, nK, {
      items: [matrix, matrix + 1],
      heads: [0, 1],
      rows: range,
    }),
  );
  const data = parts.length === 1 ? parts[0] : joined(parts);
  return { data, rows: range[1] - range[0], matrices: matrices.map((m) => used.indexOf(m)) };
}

/** Returns arrays of equal length one after the other. @template {Float32Array | Uint8Array} T @param {T[]} parts @returns {T} */
function joined(parts) {
  const [{ length }] = parts;
  const all = new /** @type {any} */ (parts[0].constructor)(length * parts.length);
  parts.forEach((part, i) => all.set(part, i * length));
  return all;
}
