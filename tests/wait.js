// Waiting with an end: a test that waits in vain says what for.

/** The time in ms after which a test gives up waiting: enough for a slow and busy machine. */
export const PATIENCE = 180_000;

/**
 * Waits until a condition gives something true, and returns that. The function needs nothing from outside, so that
 * pages have it, too: it is sent to them as text.
 * @template T
 * @param {() => T | Promise<T>} condition
 * @param {string} [what]  is waited for, as the error has it
 * @param {{ patience?: number, frames?: boolean }} [options]  milliseconds; whether a page looks in every frame
 * @returns {Promise<NonNullable<T>>}
 */
export async function waitUntil(condition, what = String(condition), options = {}) {
  const { patience = 180_000, frames = false } = options;
  const end = performance.now() + patience;
  // To ask a page takes several processes some milliseconds, which the page needs as well.
  for (let pause = 20; ; pause = Math.min(2 * pause, 80)) {
    const found = await condition();
    if (found) return /** @type {any} */ (found);
    if (performance.now() > end)
      throw new Error(`waited ${patience / 1000} s in vain for: ${what}`);
    await new Promise((resolve) =>
      frames ? requestAnimationFrame(() => resolve(0)) : setTimeout(resolve, pause),
    );
  }
}
