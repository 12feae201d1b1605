// Pages that are used again: opening a fresh one costs Chromium a process, and about as much time as
// drawing a figure.

import { countLines } from './coverage.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */
/** @typedef {(page: Page) => void} Begin receives each page once, to listen to it */

/** The pages at rest of each browser, by the options of their contexts. @type {WeakMap<Browser, Map<string, Page[]>>} */
const atRest = new WeakMap();

/**
 * Returns a fresh page, whose context closes with it.
 * @param {Browser} browser
 * @param {BrowserContextOptions} options
 * @param {Begin} begin
 */
export async function openPage(browser, options, begin) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) await countLines(page);
  begin(page);
  page.close = () => context.close();
  return page;
}

/**
 * Returns a blank page: one that a test has closed, if there is one with the same options. Closing it puts it
 * to rest again, without its routes and with the window and the media of its options.
 * @param {Browser} browser
 * @param {BrowserContextOptions} options
 * @param {Begin} begin
 */
export async function openKeptPage(browser, options, begin) {
  const pages = atRest.get(browser) ?? /** @type {Map<string, Page[]>} */ (new Map());
  atRest.set(browser, pages);
  const key = JSON.stringify(options);
  const kept = pages.get(key) ?? [];
  pages.set(key, kept);
  const page = kept.pop() ?? (await openPage(browser, options, begin));
  page.close = async () => {
    await rest(page, options);
    kept.push(page);
  };
  return page;
}

/** @param {Page} page @param {BrowserContextOptions} options */
async function rest(page, options) {
  const { viewport, forcedColors = 'none' } = options;
  const { colorScheme = 'light', reducedMotion = 'no-preference' } = options;
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors });
}
