// Every figure in every engine in other people's frames, in either language by turns: it has to come to
// rest, and to give other numbers when it is moved; nothing may be thrown, nor an error or warning logged.
//
// An interpreter without compiler begins with small samples, in slices: there figures are seen at rest
// alone, and the page has to have had its turns meanwhile.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve as serveSite } from '../../web/build/serve.js';
import { ELEMENTS } from '../../web/build/vite.config.js';
import { serve } from '../browser/serve.js';
import { ENGINES, until, useBrowser } from './driver.js';
import { claimsOf, exercise, isAtRest, LANGUAGES } from './figures.js';

/** Figures whose first numbers take an interpreter seconds. */
const LONG = ['saturation', 'gradient', 'precision', 'scale', 'training', 'values'];
/** They come in nine parts at least, a slice or more each. */
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

/** @type {Awaited<ReturnType<typeof serveSite>>} */
let site;
/** Other people's pages, each with a figure in a sandboxed frame, in either language by turns: far
 *  down, so that it begins when it is scrolled to.
 *  @type {Awaited<ReturnType<typeof serve>>} */
let host;
before(async () => {
  site = await serveSite();
  const files = Object.fromEntries(
    ELEMENTS.map((name, i) => [`/${name}.html`, framed(name, i % 2)]),
  );
  const noPolicy = Object.fromEntries(ELEMENTS.map((name) => [`/${name}.html`, '']));
  host = await serve(files, noPolicy);
});
after(async () => {
  site.close();
  await host.close();
});

/** @param {string} name @param {number} language */
function framed(name, language) {
  const address = `${site.url}/embed/${name}.html?lang=${LANGUAGES[language]}`;
  return `<!doctype html><html lang="en"><head><title>host</title><link rel="icon" href="data:,"></head>
    <body><div style="height: 3000px"></div>
    <iframe src="${address}" title="${name}" width="700" height="900" sandbox="allow-scripts"></iframe>
    </body></html>`;
}

for (const engine of ENGINES) {
  describe(engine.name, { skip: engine.missing }, () => {
    const browser = useBrowser(engine);
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
  });
}
