/** The clock, and pauses in long work. */

/** Returns the milliseconds since some fixed moment. @returns {number} */
export const now = () => performance.now();

/**
 * Lets the page answer events and paint. `scheduler.postTask` returns after the tasks that wait
 * already; `setTimeout`, for engines without it, costs 4 ms a call.
 * @returns {Promise<void>}
 */
export const pause = () =>
  Reflect.get(globalThis, 'scheduler')?.postTask?.(() => {}) ??
  new Promise((resolve) => setTimeout(resolve, 0));
