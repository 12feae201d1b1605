// One interface over the engines that figures, page and package are tested in:
//
//   for (const engine of ENGINES)
//     test(`… in ${engine.name}`, { skip: engine.missing }, () =>
//       withPage(engine, address, async (page) => assert.equal(await page.evaluate(() => 1 + 1), 2)));
//
// Several pages of one browser: `useBrowser(engine)`. ./build.sh installs the engines and, where it
// cannot, says at its end what has not run. The variable ENGINES names those to run, with commas
// between, if not all.

import { existsSync } from 'node:fs';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { launch } from '../browser/serve.js';
import { evaluator, PATIENCE } from './evaluate.js';
import { openWebKit } from './webkit.js';

export { until } from './evaluate.js';

/**
 * @typedef {object} Page
 * @property {string} version  of the engine, with its name
 * @property {(address: string) => Promise<void>} goto  until the page has loaded
 * @property {Evaluate} evaluate  in the page
 * @property {Evaluate} evaluateInFrame  in the page's only iframe, whatever its origin
 * @property {(key: string) => Promise<void>} press  a key, for what has the focus: 'ArrowRight', 'a',
 *   'Shift+Tab'
 * @property {() => Promise<Uint8Array>} [print]  as PDF, where the driver can
 * @property {() => Promise<string[]>} complaints  errors thrown in the page and its frames, and errors
 *   and warnings on their consoles; in WebKit of the documents shown at the moment
 * @property {() => Promise<void>} close
 */
/** @typedef {import('./evaluate.js').Evaluate} Evaluate */
/** @typedef {{ newPage: () => Promise<Page>, close: () => Promise<void> }} Browser */
/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {'simd' | 'js'} backend  that the package takes there by itself
 * @property {string | false} missing  why it cannot run here
 * @property {boolean} [interpreted]  without a compiler, so slow
 * @property {() => Promise<Browser>} open
 */

/** ./build.sh sets the variable, empty where it could not install the engine.
 *  @param {string} variable @param {string} usual */
const programOf = (variable, usual) => process.env[variable] ?? (existsSync(usual) ? usual : '');

const FIREFOX = programOf('FIREFOX', '/usr/bin/firefox-esr');
const WEBKIT_DRIVER = programOf('WEBKIT_DRIVER', '/usr/bin/WebKitWebDriver');

/** The newest Node, which an npm package brings. */
export const NEWEST_NODE = programOf(
  'NEWEST_NODE',
  fileURLToPath(
    new URL(`node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  ),
);

/** @param {string} program @param {string} name */
const missing = (program, name) => program === '' && `NOT RUN: ${name} is not installed`;

/** @type {Engine[]} */
const ALL = [
  { name: 'Chromium', backend: 'simd', missing: false, open: () => openChromium() },
  {
    name: 'Firefox',
    backend: 'simd',
    missing: missing(FIREFOX, 'Firefox'),
    open: () => openFirefox(),
  },
  {
    name: 'WebKitGTK',
    backend: 'simd',
    missing: missing(WEBKIT_DRIVER, 'WebKitGTK'),
    open: () => openWebKit(WEBKIT_DRIVER),
  },
  {
    name: 'Chromium without SIMD',
    backend: 'js',
    missing: false,
    open: () => openChromium('--js-flags=--no-enable-sse4-1'),
  },
  {
    name: 'Chromium without WebAssembly',
    backend: 'js',
    missing: false,
    interpreted: true,
    open: () => openChromium('--js-flags=--jitless'),
  },
  {
    name: 'Firefox without WebAssembly',
    backend: 'js',
    missing: missing(FIREFOX, 'Firefox'),
    open: () => openFirefox({ 'javascript.options.wasm': false }),
  },
];

const chosen = process.env.ENGINES?.split(',');

export const ENGINES = ALL.map((engine) =>
  !chosen || chosen.includes(engine.name)
    ? engine
    : { ...engine, missing: 'NOT RUN: ENGINES does not name it' },
);

/**
 * Opens one browser for the tests of one file or `describe`; what is returned is filled in before
 * they start.
 * @param {Engine} engine
 * @returns {Browser}
 */
export function useBrowser(engine) {
  const browser = /** @type {Browser} */ ({});
  before(async () => void Object.assign(browser, await engine.open()));
  after(() => browser.close());
  return browser;
}

/**
 * Does `work` with a page in a browser of its own.
 * @template T
 * @param {Engine} engine
 * @param {string} address
 * @param {(page: Page) => Promise<T>} work
 */
export async function withPage(engine, address, work) {
  const browser = await engine.open();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    return await work(page);
  } finally {
    await browser.close();
  }
}

/** @param {string[]} switches @returns {Promise<Browser>} */
async function openChromium(...switches) {
  const browser = await launch(switches);
  return {
    newPage: async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      /** @type {string[]} */
      const seen = [];
      page.on('pageerror', (error) => seen.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) seen.push(message.text());
      });
      return {
        version: `Chromium ${browser.version()}`,
        goto: async (address) => void (await page.goto(address)),
        evaluate: evaluator((text) => page.evaluate(text)),
        evaluateInFrame: evaluator((text) => page.frames()[1].evaluate(text)),
        press: (key) => page.keyboard.press(key),
        complaints: async () => seen,
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/**
 * Presses the last key while the others are held.
 * @param {import('puppeteer-core').Keyboard} keyboard
 * @param {any[]} keys
 */
async function pressTogether(keyboard, [key, ...others]) {
  if (others.length === 0) return keyboard.press(key);
  await keyboard.down(key);
  await pressTogether(keyboard, others);
  return keyboard.up(key);
}

/** @param {Record<string, unknown>} [extraPrefsFirefox] its settings @returns {Promise<Browser>} */
export async function openFirefox(extraPrefsFirefox) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    extraPrefsFirefox,
  });
  return {
    newPage: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      /** @type {string[]} */
      const seen = [];
      page.on('pageerror', (error) => seen.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warn'].includes(message.type())) seen.push(message.text());
      });
      return {
        version: `Firefox ${(await browser.version()).replace('firefox/', '')}`,
        goto: async (address) => void (await page.goto(address)),
        evaluate: evaluator((text) => page.evaluate(text)),
        evaluateInFrame: evaluator((text) => page.frames()[1].evaluate(text)),
        press: (keys) => pressTogether(page.keyboard, keys.split('+')),
        print: () => page.pdf(),
        complaints: async () => seen,
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
