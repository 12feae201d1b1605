// The same tests in each browser engine, and looks into a page that may take their time.
import { after, describe } from 'node:test';
import { ENGINES, until, useBrowser } from '../engines/driver.js';

/** @typedef {import('../engines/driver.js').Page} Page */

/**
 * Declares tests for every whole engine; faults cripple them themselves.
 * @param {(open: (address: string) => Promise<Page>) => void} declare  the page is the same for all
 *   tests of an engine, with another document each time
 */
export function inEveryBrowser(declare) {
  for (const engine of ENGINES.filter(({ backend }) => backend === 'simd')) {
    describe(`in ${engine.name}`, { skip: engine.missing }, () => {
      /** @type {Page | undefined} */
      let page;
      after(() => page?.close()); // before the browser is
      const browser = useBrowser(engine);
      declare(async (address) => {
        page ??= await browser.newPage();
        await page.goto(address);
        await until(page.evaluate, isLoaded, address.replace(/#.*/, ''));
        return page;
      });
    });
  }
}

/** Not every driver waits for it. @param {string} address */
const isLoaded = (address) =>
  location.href.replace(/#.*/, '') === address && document.readyState === 'complete';

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
