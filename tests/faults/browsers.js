// The same tests in each browser engine, and looks into a page that may take their time.
import { afterEach, describe } from 'node:test';
import { ENGINES, until, useBrowser } from '../engines/driver.js';

/** @typedef {import('../engines/driver.js').Page} Page */

/**
 * Declares tests for every whole engine; faults cripple them themselves.
 * @param {(open: (address: string) => Promise<Page>) => void} declare  a page is closed after its test
 */
export function inEveryBrowser(declare) {
  for (const engine of ENGINES.filter(({ backend }) => backend === 'simd')) {
    describe(`in ${engine.name}`, { skip: engine.missing }, () => {
      const browser = useBrowser(engine);
      /** @type {Page[]} */
      const pages = [];
      afterEach(async () => {
        for (const page of pages.splice(0)) await page.close();
      });
      declare(async (address) => {
        const page = await browser.newPage();
        pages.push(page);
        await page.goto(address);
        await until(page.evaluate, isLoaded, new URL(address).origin);
        return page;
      });
    });
  }
}

/** Not every driver waits for it. @param {string} origin */
const isLoaded = (origin) => location.origin === origin && document.readyState === 'complete';

/**
 * The value of an expression in a page, a promise perhaps. It is asked for again and again, since a
 * driver waits for one answer no longer than 30 seconds.
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
  await until(page.evaluate, () => 'outcome' in globalThis);
  const { seen } = await page.evaluate(() => Reflect.get(globalThis, 'outcome'));
  return seen;
}
