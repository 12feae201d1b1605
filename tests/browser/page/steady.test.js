// Nothing moves when figures become live: a page of the article is as high before as after, and stays so while
// one scrolls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAPTERS } from './chapters.js';
import { allDrawn, freshPage, useSite } from './site.js';
import { waitUntil } from '../../wait.js';
import { watchShifts } from '../shifts.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The change of a page's height that nobody sees: lines of text whose last word finds room or not. */
const ROUNDING = 8;
/** Of a page whose figures are read from the first to the last. Google calls .1 good. */
const MOST_SHIFT = 0.02;

/** Returns the heights of a page and of its figures. @param {import('playwright-core').Page} page */
const heights = (page) =>
  page.evaluate(() =>
    ['html', '.wide'].flatMap((selector) =>
      [...document.querySelectorAll(selector)].map((part) => ({
        of: part.id || part.localName,
        height: Math.round(part.getBoundingClientRect().height),
      })),
    ),
  );

/**
 * Returns the controls of figures that one could move before anything answers, or that show no number.
 * @param {import('playwright-core').Page} page
 */
const unready = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.wide > *')]
      .flatMap((figure) => [...(figure.shadowRoot?.querySelectorAll('input, select') ?? [])])
      .filter((input) => !input.matches(':disabled') || input.matches('[type=number]:not([value])'))
      .map((input) => input.id || input.ariaLabel),
  );

for (const lang of LANGUAGE_KEYS) {
  for (const [name, options] of Object.entries({ desk: DESK, phone: PHONE })) {
    for (const path of CHAPTERS) {
      test(`/${lang}/${path} stays as it is while its figures become live, on a ${name}`, async () => {
        const { page } = await freshPage(site, options);
        const shifted = await watchShifts(page);
        let release = () => {};
        const released = new Promise((resolve) => (release = () => resolve(undefined)));
        await page.route('**/*.js', async (route) => {
          await released;
          await route.continue();
        });
        await page.goto(`${site.url}/${lang}/${path}`, { waitUntil: 'commit' });
        await page.locator('body > footer').waitFor();
        await waitUntil(() => page.evaluate(() => document.fonts.status === 'loaded'));
        const before = await heights(page);
        assert.deepEqual(await unready(page), []);
        release();
        await allDrawn(page);
        const after = await heights(page);
        const changed = after
          .map(({ of, height }, i) => ({ of, before: before[i].height, after: height }))
          .filter((each) => Math.abs(each.after - each.before) > ROUNDING);
        assert.deepEqual(changed, []);
        const shifts = await shifted();
        const sum = shifts.reduce((all, { value }) => all + value, 0);
        assert.ok(sum <= MOST_SHIFT, `${sum} ${JSON.stringify(shifts)}`);
      });
    }
  }
}
