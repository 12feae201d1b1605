// An image whose patches are keys, row by row; keys in front of them, as a class token, are of no patch.

import { reject } from '../../attention/errors.js';
import { rejectShape } from '../../attention/shape.js';
import { isObject } from '../../shared/keys.js';
import { times } from '../../shared/times.js';

/** @typedef {readonly [rows: number, columns: number]} Grid */

/** Rows and columns, as in `7x7`. */
export const GRID = /^([1-9]\d{0,3})[x×]([1-9]\d{0,3})$/;

/**
 * Reads the rows and columns of an image.
 * @param {string} caller
 * @param {unknown} grid  a text as `7x7`, or two whole numbers
 * @param {number} nK  keys that there are
 * @returns {Grid}
 * @throws {DTypeError} unless it is these
 * @throws {ShapeError} for more patches than keys
 */
export function readGrid(caller, grid, nK) {
  const text = typeof grid === 'string' ? GRID.exec(grid.trim())?.slice(1) : undefined;
  const list = text ?? (isObject(grid) && 'data' in grid ? grid.data : grid);
  const [rows, columns, ...others] =
    Array.isArray(list) || ArrayBuffer.isView(list)
      ? [.../** @type {any} */ (list)].map(Number)
      : [];
  const isCount = (/** @type {number} */ size) => Number.isInteger(size) && size > 0;
  if (!isCount(rows) || !isCount(columns) || others.length > 0) {
    reject(caller, 'grid', grid, 'rows and columns, as in "7x7" or [7, 7]');
  }
  if (rows * columns > nK) rejectShape(caller, 'grid', [rows, columns], `at most ${nK} keys`);
  return [rows, columns];
}

/** Names keys by their places, row and column, and those in front of them by their numbers. @param {Grid} grid @param {number} nK */
export function namesOfPlaces([rows, columns], nK) {
  const first = nK - rows * columns;
  return times(nK, (i) => {
    const at = i - first;
    return at < 0 ? String(i + 1) : `${Math.floor(at / columns) + 1}, ${(at % columns) + 1}`;
  });
}
