// Every figure in other people's frames, in either language by turns: it comes to rest, and gives other numbers when
// it is moved; nothing is thrown, and no error or warning logged.
//
// In an interpreter without compiler figures begin with small samples, in slices: there the test sees them at rest
// alone, and the page has to have had its turns meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve as serveSite } from '../../web/build/serve.js';
import { ELEMENTS } from '../../web/build/paths.js';
import { serve } from '../browser/serve.js';
import { use } from '../fixture.js';
import { until } from './driver.js';
import { claimsOf, exercise, isAtRest } from './figures.js';
import { LANGUAGE_KEYS } from '../../web/shared/languages.js';

/** @import { Browser, Engine } from './driver.js' */

/** The figures whose first numbers take an interpreter seconds. */
const LONG = ['saturation', 'gradient', 'precision', 'scale', 'training', 'values'];
/** The first numbers come in nine parts at least, in a slice or more each. */
const FEWEST_TURNS = 5;

/** Runs in the page, before a figure begins: counts how often it lets the page have a turn. */
function countTurns() {
  const { scheduler } = /** @type {any} */ (globalThis);
  const postTask = scheduler.postTask.bind(scheduler);
  Object.assign(globalThis, { turns: 0 });
  scheduler.postTask = (/** @type {() => void} */ task) => {
    Reflect.set(globalThis, 'turns', Reflect.get(globalThis, 'turns') + 1);
    return postTask(task);
  };
}

/** Returns a page with a figure in a sandboxed frame, far down. @param {string} site @param {string} name @param {number} language */
function framed(site, name, language) {
  const address = `${site}/embed/${name}.html?lang=${LANGUAGE_KEYS[language]}`;
  return `<!doctype html><html lang="en"><head><title>host</title><link rel="icon" href="data:,"></head>
    <body><div style="height: 3000px"></div>
    <iframe src="${address}" title="${name}" width="700" height="900" sandbox="allow-scripts"></iframe>
    </body></html>`;
}

/** Tests the figures of an engine in frames. @param {Engine} engine @param {Browser} browser */
export function testFrames(engine, browser) {
  const site = use(() => serveSite());
  /** Other people's pages, each with one figure. */
  const host = use(() => {
    const addresses = ELEMENTS.map((name) => `/${name}.html`);
    const pages = ELEMENTS.map((name, i) => framed(site.url, name, i % 2));
    const files = Object.fromEntries(addresses.map((address, i) => [address, pages[i]]));
    const noPolicy = Object.fromEntries(addresses.map((address) => [address, '']));
    return serve(files, noPolicy);
  });

  const claims = claimsOf(engine);
  test('every figure works in a sandboxed frame', async () => {
    const page = await browser.newPage();
    for (const name of ELEMENTS) {
      await page.goto(`${host.origin}/${name}.html`);
      if (engine.interpreted) await page.evaluateInFrame(countTurns);
      await page.evaluate(() => document.querySelector('iframe')?.scrollIntoView());
      await until(page.evaluateInFrame, isAtRest, name, claims);
      if (!engine.interpreted) await exercise(page.evaluateInFrame, name, claims);
      else if (LONG.includes(name)) {
        const turns = await page.evaluateInFrame(() => Reflect.get(globalThis, 'turns'));
        assert.ok(turns >= FEWEST_TURNS, `${name}: ${turns} turns`);
      }
      assert.deepEqual(await page.complaints(), [], name);
    }
    await page.close();
  });
}
