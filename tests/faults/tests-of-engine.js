// All faults in an engine, in one browser: to launch Firefox takes more time than most of them. Only Chromium takes
// two, since without windows it crashes when a module traps, and with them it takes twice the time for a page.

import { after, describe } from 'node:test';
import { WHOLE } from '../browser/serve.js';
import { ENGINES, openChromium, until, useBrowser } from '../engines/driver.js';
import { testAccess } from './access-tests.js';
import { testBack } from './back-tests.js';
import { testConnection } from './connection-tests.js';
import { testFigures } from './figures-tests.js';
import { testMedia } from './media-tests.js';
import { testPackage } from './package-tests.js';

/** @import { Engine, Page } from '../engines/driver.js' */
/** @typedef {(address: string) => Promise<Page>} Open returns the engine's one page, with another document each time */

/** Returns whether the page has loaded, which some drivers do not wait for. @param {string} address */
const isLoaded = (address) =>
  location.href.replace(/#.*/, '') === address && document.readyState === 'complete';

/** Declares the tests of an engine. @param {string} name */
export function testFaults(name) {
  const engine = ENGINES.find((each) => each.name === name);
  if (!engine) throw new Error(`there is no engine '${name}'`);
  describe(`in ${name}`, { skip: engine.missing }, () => {
    const { browser, open } = usePage(engine);
    const whole = () => openChromium([], { executablePath: WHOLE });
    const { open: openWhole } =
      name === 'Chromium' ? usePage({ ...engine, open: whole }) : { open };
    describe('package', () => testPackage(openWhole));
    describe('figures', () => testFigures(open));
    describe('connection', () => testConnection(open));
    describe('back and forward', () => testBack(engine, browser));
    describe('media', () => testMedia(engine, browser));
    describe('access', () => testAccess(engine, open));
  });
}

/**
 * Opens a browser for the tests of a `describe`, and documents in the one page of it.
 * @param {Engine} engine
 */
function usePage(engine) {
  /** @type {Page | undefined} */
  let page;
  after(() => page?.close()); // before the browser is
  const browser = useBrowser(engine);
  /** @type {Open} */
  const open = async (address) => {
    page ??= await browser.newPage();
    await page.goto(address);
    await until(page.evaluate, isLoaded, address.replace(/#.*/, ''));
    return page;
  };
  return { browser, open };
}
