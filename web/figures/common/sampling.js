// Samples of queries, as large as the time allows.

import { MOST_SETS } from '../../experiments/noise.js';

/**
 * @import { Memo } from '../../shared/memo.js'
 * @import { Steps } from '../../shared/slices.js'
 */

/** Scores measured at each d_k while the reader drags: as many as where a figure begins. */
const COARSE_SCORES = 16_384;

/**
 * Returns the number of queries to measure: all, or while the reader drags about as many as make
 * `scores` scores. They meet the same keys as among all.
 * @param {{ queries: number, keys: number }} state
 * @param {{ coarse: boolean }} context
 * @param {number} [scores]
 */
export const queriesNow = ({ queries, keys }, { coarse }, scores = COARSE_SCORES) =>
  coarse ? Math.min(queries, MOST_SETS * Math.ceil(scores / keys / MOST_SETS)) : queries;

/**
 * Returns the full rows, also while the reader drags a control that it does not depend on; else a
 * few.
 * @template Rows
 * @param {{ coarse: boolean, memo: Memo }} context
 * @param {{ name: string, inputs: unknown[] }} options  inputs: of the full rows
 * @param {() => Steps<Rows>} compute  the full rows, or few while the reader drags
 * @returns {Steps<Rows>}
 */
export function* lastWhole({ coarse, memo }, { name, inputs }, compute) {
  /** @type {{ rows?: Rows }} */
  const known = yield* memo(`whole ${name}`, inputs, () => ({}));
  if (!coarse) known.rows ??= yield* compute();
  return known.rows ?? (yield* compute());
}

/**
 * Computes rows at several places; each place is remembered as long as its inputs stay the same.
 * @template {string | number} Place, Row
 * @param {Memo} memo
 * @param {string} name
 * @param {{ inputs: unknown[], places: readonly Place[] }} options
 * @param {(place: Place) => readonly Row[]} compute
 * @returns {Steps<Row[]>}
 */
export function* byPlace(memo, name, { inputs, places }, compute) {
  /** @type {Row[]} */
  const rows = [];
  for (const place of places) {
    rows.push(...(yield* memo(`${name} ${place}`, inputs, () => compute(place))));
  }
  return rows;
}
