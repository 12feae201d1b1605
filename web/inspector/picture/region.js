// The part of a matrix that the large picture shows: all of it, or what the reader has zoomed into.

import { pooled } from '../heads/heads.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Field } from '../../figures/kit/state/state.js'
 * @import { Range, Region } from '../../experiments/long-attention.js'
 */

/** By how much a step zooms, and the fewest queries or keys that fill the picture. */
const STEP = 4;
const FEWEST = 16;

/** The first query, the first key and how much larger than all of it, as in `4097.8193.16`; or all. @type {Field<string>} */
export const regionField = {
  kind: 'picture',
  initial: '',
  /** @param {unknown} raw */
  parse: (raw) =>
    raw === '' || (typeof raw === 'string' && /^([1-9]\d{0,6}\.){2}[1-9]\d{0,6}$/.test(raw))
      ? raw
      : undefined,
};

/** Returns a range that lies within all. @param {number} from @param {number} size @param {number} all @returns {Range} */
function within(from, size, all) {
  const start = Math.max(0, Math.min(from, all - size));
  return { from: start, to: Math.min(all, start + size) };
}

/**
 * Returns the region that a text names.
 * @param {string} text  of the field
 * @param {{ nQ: number, nK: number }} sizes
 * @returns {Region & { zoom: number }}
 */
export function regionOf(text, { nQ, nK }) {
  const [row, column, zoom] = text ? text.split('.').map(Number) : [1, 1, 1];
  const range = (/** @type {number} */ first, /** @type {number} */ all) =>
    within(first - 1, Math.min(all, Math.max(FEWEST, Math.ceil(all / zoom))), all);
  return { rows: range(row, nQ), columns: range(column, nK), zoom };
}

/** @typedef {{ nQ: number, nK: number, query: number, key: number, region: Region & { zoom: number } }} Place */

/** Returns the region around the chosen cell that is a step smaller, or larger. @param {Place} data @param {boolean} isIn */
export function zoomed({ nQ, nK, query, key, region }, isIn) {
  const zoom = isIn ? region.zoom * STEP : Math.floor(region.zoom / STEP);
  if (zoom <= 1) return '';
  const first = (/** @type {number} */ at, /** @type {number} */ all) =>
    Math.max(1, Math.min(all, at + 1 - Math.floor(all / zoom / 2)));
  return [first(query, nQ), first(key, nK), zoom].join('.');
}

/** Returns whether there is something to zoom into. @param {Place} data */
export const canZoomIn = ({ nQ, nK, region }) => Math.max(nQ, nK) / region.zoom > STEP * FEWEST;

/**
 * Returns the part of a matrix.
 * @param {Tensor} matrix
 * @param {Region} region
 * @returns {Tensor}
 */
function partOf({ data, shape: [nQ, nK] }, { rows, columns }) {
  const shape = [rows.to - rows.from, columns.to - columns.from];
  if (shape[0] === nQ && shape[1] === nK) return { data, shape };
  const part = new Float32Array(shape[0] * shape[1]);
  for (let i = 0; i < shape[0]; i++) {
    const start = (rows.from + i) * nK;
    part.set(data.subarray(start + columns.from, start + columns.to), i * shape[1]);
  }
  return { data: part, shape };
}

/**
 * Returns the shown region with at most so many rows and columns, as far as it is known.
 * @param {{ matrix?: Tensor, map?: Tensor, region: Region }} data
 * @param {number} most
 * @returns {Tensor | undefined}
 */
export function pictureOf({ matrix, map, region }, most) {
  const part = matrix ? partOf(matrix, region) : map;
  return part && pooled(part.data, part.shape[0], part.shape[1], most);
}
