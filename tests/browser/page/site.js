// What the page's tests share: the built site on a free port, and pages that note what goes wrong.
import { after, before } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { serve } from '../../../web/build/serve.js';
import { FIGURES } from '../../../web/build/vite.config.js';
import { countLines } from '../coverage.js';
import { launch, PATIENCE } from '../serve.js';

export const LANGUAGES = /** @type {const} */ (['en', 'zh']);

/** @typedef {{ url: string, browser: import('playwright-core').Browser }} Site */

/**
 * Serves dist/site and opens Chromium for the tests of one file; what is returned is filled in before
 * they start.
 * @param {string[]} [args] switches of Chromium
 * @returns {Site}
 */
export function useSite(args) {
  const site = /** @type {Site & { close: () => void }} */ ({});
  before(async () => {
    Object.assign(site, await serve(), { browser: await launch(args) });
  });
  after(async () => {
    await site.browser.close();
    site.close();
  });
  return site;
}

/**
 * A page in a context of its own that collects the addresses it asked for and the complaints it made.
 * @param {Site} site
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function newPage(site, options) {
  const context = await site.browser.newContext(options);
  const page = await context.newPage();
  if (options?.javaScriptEnabled !== false) await countLines(page);
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => requests.push(request.url()));
  return { page, complaints, requests, close: () => context.close() };
}

/**
 * Waits until a figure is live and has drawn.
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 * @param {string} name of the element
 */
export async function drawn(page, name) {
  const element = page.locator(name);
  await element.scrollIntoViewIfNeeded();
  await element.locator('[part=plot] > svg text').first().waitFor();
  return element;
}

/**
 * Waits until something holds that is told from outside of the page.
 * @param {() => Promise<boolean>} condition
 */
export async function until(condition) {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${condition}`);
    await setTimeout(20);
  }
}

/**
 * Gives a window another width, and waits until the page has it.
 * @param {import('playwright-core').Page} page
 * @param {number} width
 */
export async function resize(page, width) {
  await page.setViewportSize({ width, height: 700 });
  await until(() => page.evaluate((expected) => innerWidth === expected, width));
}

/**
 * Waits until every figure of an article is live and has drawn for the width that there is.
 * @param {import('playwright-core').Page} page
 */
export async function allDrawn(page) {
  for (const name of FIGURES) {
    const figure = await drawn(page, `attn-${name}`);
    const isOfWidth = (/** @type {Element} */ element) => {
      const picture = element.shadowRoot?.querySelector('[part=plot] > svg');
      const whole = Math.floor(element.getBoundingClientRect().width);
      return Number(picture?.getAttribute('width')) === whole;
    };
    await until(() => figure.evaluate(isOfWidth));
  }
}

/**
 * The one frame of a page, once it has loaded its document.
 * @param {import('playwright-core').Page} page
 * @param {string | RegExp} address
 * @returns {Promise<import('playwright-core').Frame>}
 */
export async function frameOf(page, address) {
  const element = await page.waitForSelector('iframe', { state: 'attached' });
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the iframe has no document');
  await frame.waitForURL(address);
  return frame;
}
