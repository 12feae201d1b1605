// Browsers as the tests of faults see them: open an address, evaluate an expression there.
import { after, before, describe } from 'node:test';
import { launch } from '../browser/serve.js';

/**
 * @typedef {{ evaluate: (expression: string) => Promise<any>, close: () => Promise<void> }} Page
 * @typedef {{ open: (address: string) => Promise<Page> }} Browser
 */

/**
 * Declares the same tests for each browser.
 * @param {(browser: () => Browser) => void} declare  `browser` gives it once the tests run
 */
export function inEveryBrowser(declare) {
  describe('in chromium', () => {
    /** @type {import('playwright-core').Browser} */
    let chromium;
    before(async () => {
      chromium = await launch();
    });
    after(() => chromium.close());
    declare(() => ({
      async open(address) {
        const page = await chromium.newPage();
        await page.goto(address);
        return {
          evaluate: (expression) => page.evaluate(expression),
          close: () => page.close(),
        };
      },
    }));
  });
}
