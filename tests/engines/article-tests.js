// The pages of the article in both languages: each of its figures comes to rest, and gives other numbers when it is moved,
// which it is in one language, by turns; nothing is thrown, and no error or warning logged. Engines without SIMD or
// WebAssembly, whose words are the same, show it in that language alone.
//
// In an interpreter without compiler figures begin with small samples, in slices: there the test is brief, it waits for
// the first figure alone and moves it, and frames-tests.js sees the others at rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve as serveSite } from '../../web/build/serve.js';
import { CHAPTERS, FIGURES_OF } from '../browser/page/chapters.js';
import { use } from '../fixture.js';
import { ENGINES, until } from './driver.js';
import { claimsOf, exercise, isAtRest } from './figures.js';
import { LANGUAGE_KEYS } from '../../web/shared/languages.js';

/** @import { Browser, Engine } from './driver.js' */

/** What Firefox says of a fraction or an index that it draws before it has read the whole of it. */
const HALF_READ = /Incorrect number of children for <m(frac|sub|sup|subsup)\/> tag/;

/** Runs in the page: returns the number of fractions and indices that lack a part or have one too many. */
const brokenFormulas = () =>
  [...document.querySelectorAll('mfrac, msub, msup, msubsup')].filter(
    ({ localName, children }) => children.length !== (localName === 'msubsup' ? 3 : 2),
  ).length;

/**
 * Tests the article in an engine.
 * @param {Engine} engine
 * @param {Browser} browser
 * @param {boolean} [brief]  with its first figure, in one language
 */
export function testArticle(engine, browser, brief = engine.interpreted) {
  const site = use(() => serveSite());

  const claims = claimsOf(engine);
  const turn = LANGUAGE_KEYS[ENGINES.indexOf(engine) % LANGUAGE_KEYS.length];
  const languages = engine.backend === 'simd' && !brief ? LANGUAGE_KEYS : [turn];
  const paths = brief ? CHAPTERS.slice(0, 1) : CHAPTERS;
  for (const path of languages.flatMap((language) => paths.map((each) => `${language}/${each}`))) {
    test(`the page /${path} loads, and its figures work`, async () => {
      const page = await browser.newPage();
      await page.goto(`${site.url}/${path}`);
      const figures = FIGURES_OF[path.replace(/^\w+\//, '')];
      for (const name of brief ? figures.slice(0, 1) : figures) {
        await page.evaluate((of) => document.querySelector(`attn-${of}`)?.scrollIntoView(), name);
        await until(page.evaluate, isAtRest, name, claims);
        if (path.startsWith(turn)) await exercise(page.evaluate, name, claims);
      }
      assert.equal(await page.evaluate(brokenFormulas), 0);
      const complaints = await page.complaints();
      assert.deepEqual(
        complaints.filter((each) => !HALF_READ.test(each)),
        [],
      );
      await page.close();
    });
  }
}
