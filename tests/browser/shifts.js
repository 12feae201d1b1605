// What moves on a page without its reader: the entries of Chromium's observer of layout shifts.

/** @typedef {{ value: number, sources: string[] }} Shift */

/**
 * Watches a page from its next document on.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<() => Promise<Shift[]>>} a function that returns the shifts so far
 */
export async function watchShifts(page) {
  await page.addInitScript(() => {
    const shifts = /** @type {Shift[]} */ ([]);
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = /** @type {any} */ (entry);
        const told = sources.map(
          (
            /** @type {{ node: Node | null, previousRect: DOMRect, currentRect: DOMRect }} */ each,
          ) => `${each.node?.nodeName}: ${each.previousRect.y} to ${each.currentRect.y}`,
        );
        shifts.push({ value, sources: told });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))),
    );
    return page.evaluate(() => Reflect.get(globalThis, 'shifts'));
  };
}
