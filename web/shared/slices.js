/**
 * Long work in slices, between which a page stays responsive. Work is a generator that yields after every
 * few milliseconds; its caller decides when to pause.
 */
import { now, pause } from './pause.js';

/** The longest time without a pause, less than a frame. */
const SLICE_MILLISECONDS = 12;
/** The time between two reports of progress, each of which is drawn. */
const REPORT_MILLISECONDS = 48;

/**
 * @template Result
 * @typedef {Generator<void, Result, void>} Steps the parts of a work, with a yield after each
 */

/**
 * @template Row
 * @typedef {object} Work
 * @property {number} total the number of parts
 * @property {number} done the number of parts that are done
 * @property {() => void} advance does the next part, a few milliseconds of work
 * @property {() => Row[]} rows returns the rows so far
 */

/**
 * @template Row
 * @typedef {object} Control
 * @property {AbortSignal} [signal] ends the work; the rows so far stay
 * @property {(progress: { fraction: number, rows: Row[] }) => void} [onProgress] about every 50 ms
 */

/**
 * Returns a work of equal parts.
 * @template Row
 * @param {number} total
 * @param {(part: number) => void} doPart does the next one, counted from 0
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
 * Does the remaining parts of a work and yields after each.
 * @template Row
 * @param {Work<Row>} work
 * @returns {Steps<Row[]>}
 */
export function* partsOf(work) {
  while (work.done < work.total) {
    work.advance();
    yield;
  }
  return work.rows();
}

/**
 * Runs steps until they end or the time is over.
 * @template Result
 * @param {Steps<Result>} steps
 * @param {number} milliseconds
 * @returns {IteratorResult<void, Result>} `done` where they have ended, with the result as `value`
 */
export function runFor(steps, milliseconds) {
  const end = now() + milliseconds;
  let step = steps.next();
  while (!step.done && now() < end) step = steps.next();
  return step;
}

/**
 * Runs steps to their end, without a pause.
 * @template Result
 * @param {Steps<Result>} steps
 * @returns {Result}
 */
export function atOnce(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Does all parts of a work, with a pause before a frame is over.
 * @template Row
 * @param {Work<Row>} work
 * @param {Control<Row>} control
 * @returns {Promise<Row[]>} the rows; those so far if the signal aborted
 */
export async function inSlices(work, { signal, onProgress = () => {} }) {
  const steps = partsOf(work);
  let reported = now();
  while (!signal?.aborted && !runFor(steps, SLICE_MILLISECONDS).done) {
    if (now() - reported >= REPORT_MILLISECONDS) {
      onProgress({ fraction: work.done / work.total, rows: work.rows() });
      reported = now();
    }
    await pause();
  }
  return work.rows();
}
