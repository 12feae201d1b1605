// Looks into a page that may take long.

import { waitUntil } from '../wait.js';
import { PATIENCE } from '../engines/evaluate.js';

/** @import { Page } from '../engines/driver.js' */

/**
 * Evaluates an expression in a page and waits for its promise. The expression stores its value, and this polls for
 * it, since a driver waits for one answer no longer than 30 seconds.
 * @param {Page} page
 * @param {string} expression
 * @returns {Promise<unknown>}
 */
export async function look(page, expression) {
  const start = `() => {
    const keep = (seen) => { globalThis.outcome = { seen }; };
    Promise.resolve(${expression}).then(keep, (error) => keep('failed: ' + error + error?.stack));
  }`;
  await page.evaluate(/** @type {any} */ (start));
  const isThere = () => page.evaluate(() => 'outcome' in globalThis);
  await waitUntil(isThere, `the outcome of ${expression}`, { patience: PATIENCE });
  const { seen } = await page.evaluate(() => Reflect.get(globalThis, 'outcome'));
  return seen;
}
