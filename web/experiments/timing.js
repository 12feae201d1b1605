/**
 * Timing in a page: batches long enough for a coarse clock, and pauses that let the page breathe.
 */

/** Browsers step their clock by up to 0.1 ms (1 ms in some): a batch this long is read to 0.5 %. */
export const BATCH_MILLISECONDS = 20;

/** @returns {number} milliseconds from some fixed moment */
export const now = () => performance.now();

/** @returns {Promise<void>} after the page has had a turn: a macrotask */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * @param {() => unknown} call
 * @param {number} repetitions
 * @returns {number} milliseconds a call, of `repetitions` in a row; never 0
 */
export function timeBatch(call, repetitions) {
  const start = now();
  for (let i = 0; i < repetitions; i++) call();
  return Math.max(now() - start, Number.EPSILON) / repetitions;
}

/**
 * Calls again and again until so much time has gone by.
 * @param {() => unknown} call
 * @param {number} milliseconds
 * @returns {{ milliseconds: number, repetitions: number }} milliseconds a call
 */
export function timeFor(call, milliseconds) {
  const start = now();
  let repetitions = 0;
  let elapsed;
  do {
    call();
    repetitions++;
    elapsed = now() - start;
  } while (elapsed < milliseconds);
  return { milliseconds: elapsed / repetitions, repetitions };
}
