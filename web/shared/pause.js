/**
 * The clock, and pauses in long work.
 */

/** @returns {number} milliseconds from some fixed moment */
export const now = () => performance.now();

/**
 * Lets the page answer events and paint. `scheduler.postTask` returns after the tasks that wait
 * already; `setTimeout`, where it has to do, costs 4 ms a call.
 * @returns {Promise<void>}
 */
export const pause = () =>
  Reflect.get(globalThis, 'scheduler')?.postTask?.(() => {}) ??
  new Promise((resolve) => setTimeout(resolve, 0));
