// The parts that the page's tests share: the built site on a free port, and pages that note errors.
import { afterEach, beforeEach } from 'node:test';
import { serve } from '../../../web/build/serve.js';
import { use } from '../../fixture.js';
import { openPage, openKeptPage } from '../kept-pages.js';
import { launch } from '../serve.js';
import { waitUntil } from '../../wait.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

/** @import { Language } from '../../../web/shared/languages.js' */

/** Returns the first other language. @param {Language} lang */
export const otherThan = (lang) =>
  /** @type {Language} */ (LANGUAGE_KEYS.find((key) => key !== lang));

/** @import { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core' */
/** @typedef {{ url: string, browser: Browser, opened?: Set<Page> }} Site  opened: pages that close with their test */

/**
 * Serves dist/site and opens Chromium for the tests of a file or a `describe`. The pages that a test opens close with
 * it; those that a `before` opens stay for its tests.
 * @param {string[]} [args] switches of Chromium
 * @param {() => Promise<{ url: string, close: () => void }>} [open]  the server
 */
export function useSite(args, open = serve) {
  const site = use(async () => {
    const { url, close: closeServer } = await open();
    const browser = await launch(args);
    const close = () => browser.close().then(closeServer);
    return { url, browser, opened: /** @type {Set<Page>} */ (new Set()), close };
  });
  beforeEach(() => site.opened.clear());
  afterEach(async () => {
    for (const page of site.opened) await page.close();
  });
  return site;
}

/**
 * The requests and complaints of each page since it was last taken.
 * @type {WeakMap<Page, { complaints: string[], requests: string[] }>}
 */
const notes = new WeakMap();

/** @param {Page} page */
function listen(page) {
  const complain = (/** @type {string} */ text) => notes.get(page)?.complaints.push(text);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.text());
  });
  page.on('pageerror', (error) => complain(String(error)));
  page.on('requestfailed', (request) => complain(`failed: ${request.url()}`));
  page.on('request', (request) => notes.get(page)?.requests.push(request.url()));
}

/**
 * Returns a page that notes the addresses that it requests and the complaints that it makes.
 * @param {Page} page
 * @param {Site} site
 */
function noting(page, { opened }) {
  /** @type {{ complaints: string[], requests: string[] }} */
  const noted = { complaints: [], requests: [] };
  notes.set(page, noted);
  opened?.add(page);
  return { page, ...noted, close: () => (opened?.delete(page), page.close()) };
}

/**
 * Returns a blank page, perhaps one that another test has closed.
 * @param {Site} site
 * @param {BrowserContextOptions} [options]
 */
export const newPage = async (site, options = {}) =>
  noting(await openKeptPage(site.browser, options, listen), site);

/**
 * Returns a page that has shown nothing yet: only there does Chromium load files of this machine that
 * a frame written into it names, and only there may a test add scripts that run before the page's.
 * @param {Site} site
 * @param {BrowserContextOptions} [options]
 */
export const freshPage = async (site, options = {}) =>
  noting(await openPage(site.browser, options, listen), site);

/**
 * Waits until a figure is live and has drawn.
 * @param {Page | Frame} page
 * @param {string} name of the element
 */
export async function drawn(page, name) {
  const element = page.locator(`css:light=${name}`); // to look into every shadow root would take longer
  await element.scrollIntoViewIfNeeded();
  await element.locator('[part=plot] > svg text').first().waitFor();
  return element;
}

/** Gives a window another width, and waits until the page has it. @param {Page} page @param {number} width */
export async function resize(page, width) {
  await page.setViewportSize({ width, height: 700 });
  await waitUntil(() => page.evaluate((expected) => innerWidth === expected, width));
}

/** Lists the figures of a page of the article, without the ledger. @param {Page} page */
export const figuresOn = (page) =>
  page
    .locator('.wide > :not(attn-claims, .number, div)')
    .evaluateAll((figures) => figures.map(({ localName }) => localName));

/**
 * Waits until every figure of a page is live and has drawn for the width that there is.
 * @param {Page} page
 */
export async function allDrawn(page) {
  const isOfWidth = (/** @type {string} */ name) => {
    const figure = /** @type {any} */ (document.querySelector(name));
    const whole = Math.floor(figure.getBoundingClientRect().width);
    const picture = figure.shadowRoot.querySelector('[part=plot] > svg');
    return Boolean(picture) && figure.figureWidth === whole && !figure.isUpdatePending;
  };
  for (const name of await figuresOn(page)) {
    await drawn(page, name);
    await waitUntil(() => page.evaluate(isOfWidth, name), `${name} is as wide as it is drawn`);
  }
}

/**
 * Returns the colour that the page's one frame, or another part, has in its upper left corner, on the screen.
 * @param {Page} page
 * @param {string} [selector]
 * @returns {Promise<number[]>} red, green and blue, 0 to 255
 */
export async function cornerOf(page, selector = 'iframe') {
  const png = (await page.locator(selector).screenshot()).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context?.drawImage(picture, 0, 0);
    return [...(context?.getImageData(3, 3, 1, 1).data ?? [])].slice(0, 3);
  }, png);
}

/**
 * Returns the one frame of a page, once it has loaded its document.
 * @param {Page} page
 * @param {string | RegExp} address
 * @returns {Promise<Frame>}
 */
export async function frameOf(page, address) {
  const element = await page.waitForSelector('iframe', { state: 'attached' });
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the iframe has no document');
  await frame.waitForURL(address);
  return frame;
}

/** Returns how many pixels of a figure's height are in view. @param {Page} page @param {string} name @returns {Promise<number>} */
export const inView = (page, name) =>
  page.locator(`attn-${name}`).evaluate((figure) => {
    const { top, bottom } = figure.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0);
  });
