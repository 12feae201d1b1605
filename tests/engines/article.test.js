// The article in every engine, in both languages: each of its figures has to come to rest, and to give
// other numbers when it is moved; nothing may be thrown, nor an error or warning logged. Engines
// without SIMD or WebAssembly, whose words are the same, show it in one language, by turns.
//
// An interpreter without compiler begins with small samples, in slices: there only the first figure is
// waited for and moved, and the others are seen at rest in frames (frames.test.js).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve as serveSite } from '../../web/build/serve.js';
import { ELEMENTS } from '../../web/build/vite.config.js';
import { ENGINES, until, useBrowser } from './driver.js';
import { claimsOf, exercise, isAtRest, LANGUAGES } from './figures.js';

/** @type {Awaited<ReturnType<typeof serveSite>>} */
let site;
before(async () => {
  site = await serveSite();
});
after(() => site.close());

for (const [turn, engine] of ENGINES.entries()) {
  describe(engine.name, { skip: engine.missing }, () => {
    const browser = useBrowser(engine);
    const names = engine.interpreted ? ELEMENTS.slice(0, 1) : ELEMENTS;
    const claims = claimsOf(engine);

    const languages = engine.backend === 'simd' ? LANGUAGES : [LANGUAGES[turn % 2]];
    for (const language of languages) {
      test(`the page /${language}/ loads, and its figures work`, async () => {
        const page = await browser.newPage();
        await page.goto(`${site.url}/${language}/`);
        for (const name of names) {
          await page.evaluate((of) => document.querySelector(`attn-${of}`)?.scrollIntoView(), name);
          await until(page.evaluate, isAtRest, name, claims);
          await exercise(page.evaluate, name, claims);
        }
        assert.deepEqual(await page.complaints(), []);
        await page.close();
      });
    }
  });
}
