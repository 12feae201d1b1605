/**
 * Long work in slices, so that a page can answer in between.
 */
import { now, pause } from './timing.js';

export const SLICE_MILLISECONDS = 40;

/**
 * @template Row
 * @typedef {object} Work
 * @property {number} total how many parts there are
 * @property {number} done how many of them are
 * @property {() => void} advance does the next part, a few milliseconds of work
 * @property {() => Row[]} rows what there is so far
 */

/**
 * @template Row
 * @typedef {object} Control
 * @property {AbortSignal} [signal] ends the work; what is there so far stays
 * @property {(progress: { fraction: number, rows: Row[] }) => void} [onProgress] after every slice
 */

/**
 * A work of equal parts.
 * @template Row
 * @param {number} total
 * @param {(part: number) => void} doPart the next one, from 0
 * @param {() => Row[]} rows
 * @returns {Work<Row>}
 */
export function workOf(total, doPart, rows) {
  let done = 0;
  return {
    total,
    get done() {
      return done;
    },
    advance() {
      doPart(done);
      done += 1;
    },
    rows,
  };
}

/**
 * Does what is left of a work.
 * @template Row
 * @param {Work<Row>} work
 * @param {() => void} [turn] called after each part; where it throws, the rest is left for another call
 * @returns {Row[]}
 */
export function inTurns(work, turn = () => {}) {
  while (work.done < work.total) {
    work.advance();
    turn();
  }
  return work.rows();
}

/**
 * Does all parts of a work, with a pause after every 40 ms.
 * @template Row
 * @param {Work<Row>} work
 * @param {Control<Row>} control
 * @returns {Promise<Row[]>} the rows; those so far if the signal aborted
 */
export async function inSlices(work, { signal, onProgress = () => {} }) {
  let start = now();
  while (work.done < work.total && !signal?.aborted) {
    work.advance();
    if (now() - start < SLICE_MILLISECONDS) continue;
    onProgress({ fraction: work.done / work.total, rows: work.rows() });
    await pause();
    start = now();
  }
  return work.rows();
}
