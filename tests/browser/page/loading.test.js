// How a page of the article arrives: its fonts, and everything in its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { axeViolations } from '../axe.js';
import { launch } from '../serve.js';
import { drawn, freshPage, newPage, useSite } from './site.js';
import { waitUntil } from '../../wait.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();

/** Returns, in the page, whether formulas are drawn in the font that is written into it. */
const isMathsFontThere = () =>
  [...document.fonts].some(({ family, status }) => /maths/.test(family) && status === 'loaded');

/** The most that the question may take: kB of its HTML, kB of its first screen after brotli, screens of a phone. */
const MOST = { html: 180, firstScreen: 205, screens: 24 };
const PHONE = { width: 390, height: 844 };

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/ is small, and no longer than a reader of a phone scrolls`, async () => {
    const { page, close } = await freshPage(site, { viewport: PHONE });
    const arriving = /** @type {Promise<Buffer>[]} */ ([]);
    const collect = (/** @type {import('playwright-core').Response} */ response) =>
      arriving.push(response.body());
    page.on('response', collect);
    const html = await (await page.goto(`${site.url}/${lang}/`))?.body();
    await drawn(page, 'attn-walk');
    await page.waitForLoadState('networkidle');
    // What comes later is read when its page may be closed.
    page.off('response', collect);
    const files = await Promise.all(arriving);
    const size = files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0) / 1000;
    assert.ok(html && html.length <= 1000 * MOST.html, `HTML: ${html?.length} bytes`);
    assert.ok(size <= MOST.firstScreen, `first screen: ${size.toFixed(1)} kB`);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(
      height <= MOST.screens * PHONE.height,
      `${(height / PHONE.height).toFixed(1)} screens`,
    );
    const text = String(html);
    assert.equal(text.split('data:font').length, 3, 'the fonts of formulas and signs, once');
    assert.ok(text.split(':host{').length <= 2, 'the style of frames at most once');
    await close();
  });

  test(`/${lang}/ moves nothing while it loads, at any width`, async () => {
    for (const [width, height] of [
      [1280, 800],
      [700, 900],
      [360, 740],
      [1280, 4000],
    ]) {
      const { page, requests, close } = await freshPage(site, { viewport: { width, height } });
      await page.addInitScript(() => {
        const shifts = /** @type {string[]} */ ([]);
        Object.assign(window, { shifts });
        // Where the font of formulas comes a frame late, as it may on a busy processor, a formula
        // gets another width, and the words beside it move along their line.
        const isVertical = (/** @type {any} */ { node, currentRect, previousRect }) =>
          !(node?.nodeName === 'math' && currentRect.width !== previousRect.width) &&
          Math.abs(currentRect.y - previousRect.y) >= 1;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const sources = Reflect.get(entry, 'sources');
            if (sources.length > 0 && !sources.some(isVertical)) continue;
            const moved = sources.map((/** @type {any} */ { node, previousRect, currentRect }) =>
              JSON.stringify([node?.nodeName, node?.textContent, previousRect, currentRect]),
            );
            shifts.push([Reflect.get(entry, 'value'), ...moved].join(' '));
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`${site.url}/${lang}/`);
      await drawn(page, 'attn-saturation');
      await page.waitForTimeout(300);
      const shifts = await page.evaluate(() => Reflect.get(window, 'shifts'));
      assert.deepEqual(shifts, [], `${width} × ${height}`);
      assert.ok(await page.evaluate(isMathsFontThere));
      assert.ok(!requests.some((url) => url.includes('.woff2')), 'no font to wait for');
      await close();
    }
  });

  test(`/${lang}/ shows the target of a link with some room above it`, async () => {
    const { page } = await newPage(site);
    await page.goto(`${site.url}/${lang}/`);
    await page.locator('.contents a[href="#gradient"]').click();
    const top = () =>
      page.evaluate(() => document.querySelector(':target')?.getBoundingClientRect().top);
    await waitUntil(async () => Math.abs(Number(await top()) - 27) < 6);
  });

  test(`/${lang}/ passes axe on a phone whose reader allows no fonts but their own`, async () => {
    const browser = await launch(['--disable-remote-fonts']);
    const viewport = { width: 320, height: 700 };
    const { page, close } = await newPage({ ...site, browser }, { viewport });
    await page.goto(`${site.url}/${lang}/`);
    assert.ok(!(await page.evaluate(isMathsFontThere)));
    assert.deepEqual(await axeViolations(page), []);
    await close();
    await browser.close();
  });
}
