// One interface over the engines that figures, page and package are tested in:
//
//   const browser = useBrowser(engine);
//   test(`… in ${engine.name}`, { skip: engine.missing }, async () => {
//     const page = await browser.newPage();
//     await page.goto(address);
//     assert.equal(await page.evaluate(() => 1 + 1), 2);
//   });
//
// No one library drives all three: Playwright needs commands that Debian's Firefox lacks, Puppeteer knows no WebKit,
// and Selenium needs a geckodriver, which Debian lacks. ./build.sh installs the engines and, where it cannot, names
// at its end those that have not run. The variable ENGINES, with commas between, names the engines to run.

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { use } from '../fixture.js';
import { launch } from '../browser/serve.js';
import { evaluator, PATIENCE } from './evaluate.js';
import { openWebKit } from './webkit.js';

export { until } from './evaluate.js';

/** @import { LaunchOptions } from 'playwright-core' */
/** @import { Keyboard } from 'puppeteer-core' */

/**
 * @typedef {object} Page
 * @property {string} version  of the engine, with its name
 * @property {(address: string) => Promise<void>} goto  waits until the page has loaded
 * @property {Evaluate} evaluate  runs a function in the page
 * @property {Evaluate} evaluateInFrame  runs a function in the page's only iframe, of any origin
 * @property {(key: string) => Promise<void>} press  presses a key: 'ArrowRight', 'a', 'Shift+Tab'
 * @property {() => Promise<Uint8Array>} [print]  prints as PDF, where the driver can
 * @property {() => Promise<string[]>} complaints  returns the errors thrown in the page and its frames, and the
 *   errors and warnings on their consoles; in WebKit those of the present documents
 * @property {() => Promise<void>} close
 */
/** @typedef {import('./evaluate.js').Evaluate} Evaluate for the tests outside this folder */
/** @typedef {{ newPage: () => Promise<Page>, close: () => Promise<void> }} Browser */
/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {'simd' | 'js'} backend  the backend that the package takes there by itself
 * @property {string | false} missing  the reason why it cannot run here
 * @property {boolean} [interpreted]  without a compiler, so slow
 * @property {() => Promise<Browser>} open
 */

/**
 * Returns the path of a program, or '' if it is missing: ./build.sh sets the variable, empty where it could not
 * install the engine.
 * @param {string} variable
 * @param {string} usual  the path where the variable is not set
 */
const programOf = (variable, usual) => process.env[variable] ?? (existsSync(usual) ? usual : '');

const FIREFOX = programOf('FIREFOX', '/usr/bin/firefox-esr');
const WEBKIT_DRIVER = programOf('WEBKIT_DRIVER', '/usr/bin/WebKitWebDriver');

/** The path of the newest Node, which an npm package brings. */
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
    open: () => openChromium(['--js-flags=--no-enable-sse4-1']),
  },
  {
    name: 'Chromium without WebAssembly',
    backend: 'js',
    missing: false,
    interpreted: true,
    open: () => openChromium(['--js-flags=--jitless']),
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
 * Returns one browser for the tests of a file or a `describe`. It opens before the first of them, and closes after
 * the last.
 * @param {Engine} engine
 * @returns {Browser}
 */
export const useBrowser = (engine) => use(engine.open);

/** Opens Chromium. @param {string[]} [switches] @param {LaunchOptions} [options] @returns {Promise<Browser>} */
export async function openChromium(switches, options) {
  const browser = await launch(switches, options);
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

/** Presses the last key while the others are held. @param {Keyboard} keyboard @param {any[]} keys */
async function pressTogether(keyboard, [key, ...others]) {
  if (others.length === 0) return keyboard.press(key);
  await keyboard.down(key);
  await pressTogether(keyboard, others);
  return keyboard.up(key);
}

/** Starts Firefox. @param {string} userDataDir its profile @param {Record<string, unknown>} [extraPrefsFirefox] its settings */
const launchFirefox = (userDataDir, extraPrefsFirefox) =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    userDataDir,
    extraPrefsFirefox,
  });

/**
 * Makes a profile with which Firefox has started once, in build/, and returns its path: with a copy of it, a start
 * takes less than half of the processor's time.
 */
export async function share() {
  const profile = 'build/firefox-profile';
  rmSync(profile, { recursive: true, force: true });
  if (FIREFOX) await (await launchFirefox(profile)).close();
  return profile;
}

/** Opens Firefox. @param {Record<string, unknown>} [settings] @returns {Promise<Browser>} */
export async function openFirefox(settings) {
  const profile = mkdtempSync(join(tmpdir(), 'attention-lab-'));
  const { FIREFOX_PROFILE } = process.env;
  if (FIREFOX_PROFILE) cpSync(FIREFOX_PROFILE, profile, { recursive: true });
  const browser = await launchFirefox(profile, settings);
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
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, maxRetries: 5 }); // its processes may write a moment longer
    },
  };
}
