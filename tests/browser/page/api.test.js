// The reference in both languages, in a browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readReference } from '../../../web/site/generator/api.js';
import { axeViolations } from '../axe.js';
import { newPage, otherThan, resize, useSite } from './site.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();

const { entries } = await readReference();
const examples = entries.flatMap((entry) => entry.examples);
const inNode = new Map(examples.map(({ name, output }) => [name, output]));

/** Waits for the last of the examples. @param {import('playwright-core').Page} page */
const computed = (page) =>
  page.locator(`[data-output-of="${examples[examples.length - 1].name}"].computed`).waitFor();

for (const lang of LANGUAGE_KEYS) {
  describe(`/${lang}/api/`, () => {
    /** @type {Awaited<ReturnType<typeof newPage>>} */
    let opened;
    before(async () => {
      opened = await newPage(site, { viewport: { width: 1280, height: 800 } });
      await opened.page.goto(`${site.url}/${lang}/api/`);
      await computed(opened.page);
    });
    after(() => opened.close());

    test('loads without complaint, from this server alone', () => {
      const { complaints, requests } = opened;
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        requests.filter((url) => !url.replace('blob:', '').startsWith(`${site.url}/`)), // a worker
        [],
      );
    });

    test('prints below every example the output of Node, computed here', async () => {
      const { page } = await newPage(site);
      await page.route(`**/${lang}/api/`, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(/<samp>[^<]*/g, '<samp>not yet');
        await route.fulfill({ response, body });
      });
      await page.goto(`${site.url}/${lang}/api/`);
      await computed(page);
      const printed = await page
        .locator('.entry [data-output-of]')
        .evaluateAll((outputs) =>
          outputs.map((output) => [
            output.getAttribute('data-output-of'),
            output.previousElementSibling?.querySelector('pre')?.textContent,
            output.querySelector('samp')?.textContent,
          ]),
        );
      const expected = examples.map(({ name, source, output }) => [name, source, output]);
      assert.deepEqual(printed.sort(), expected.sort());
      assert.equal(await page.locator('samp', { hasText: 'not yet' }).count(), 0);
    });

    test('reads without JavaScript, with the outputs of the build', async () => {
      const { page } = await newPage(site, { javaScriptEnabled: false });
      await page.goto(`${site.url}/${lang}/api/`);
      const outputs = await page
        .locator('[data-output-of]')
        .evaluateAll((all) =>
          all.map((box) => [
            box.getAttribute('data-output-of'),
            box.querySelector('samp')?.textContent,
          ]),
        );
      assert.deepEqual(outputs.sort(), [...inNode].sort());
    });

    test('shows the output of one example when another fails', async () => {
      const { page } = await newPage(site);
      await page.route('**/kernel-fallback*', (route) => route.abort());
      await page.goto(`${site.url}/${lang}/api/`);
      await computed(page);
      const output = (/** @type {string} */ name) =>
        page.locator(`[data-output-of="${name}"] samp`).textContent();
      assert.match((await output('createKernel')) ?? '', /^BackendError: createKernel: /);
      assert.equal(await output('entropy'), inNode.get('entropy'));
    });

    test('passes axe, wide and narrow, light and dark; never scrolls sideways, and programs do in boxes that take the focus', async () => {
      const { page } = opened;
      assert.deepEqual(await axeViolations(page), []);
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const width of [360, 320]) {
        await resize(page, width);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        const stuck = await page.evaluate(() =>
          [...document.querySelectorAll('main *')]
            .filter((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0)
            .filter(
              (box) =>
                getComputedStyle(box).overflowX === 'auto' && Reflect.get(box, 'tabIndex') < 0,
            )
            .map((box) => `${box.tagName}.${box.className}`),
        );
        assert.deepEqual(stuck, []);
      }
      assert.deepEqual(await axeViolations(page), []);
    });

    test('is linked from the article, and links the article and the other language', async () => {
      const { page } = await newPage(site);
      await page.goto(`${site.url}/${lang}/figures/`);
      assert.ok((await page.locator('main a[href="../api/"]').count()) > 0);
      await page.locator('header a', { hasText: 'API' }).click();
      await page.waitForURL(`${site.url}/${lang}/api/`);
      await page.locator('header a[hreflang]').first().click();
      await page.waitForURL(`${site.url}/${otherThan(lang)}/api/`);
      await page.locator('header a').first().click();
      await page.waitForURL(`${site.url}/${otherThan(lang)}/`);
    });
  });
}

test('contents stay at hand, and a field filters them by what one types', async () => {
  const { page } = await newPage(site);
  await page.goto(`${site.url}/en/api/#softmax`);
  await computed(page);
  await page.locator('.at-hand summary').click();
  const links = page.locator('.at-hand .index a:visible');
  const all = await links.count();
  assert.ok(all > 60, `${all} links`);
  const field = page.locator('.at-hand input');
  await field.fill('Gradient');
  const found = await links.allTextContents();
  assert.ok(found.includes('attentionGradient') && found.length < all / 3, found.join());
  assert.ok(!found.includes('randomNormal'));
  assert.ok(!found.includes('Random numbers'), 'a section without any goes');
  await field.fill('random numbers');
  assert.ok((await links.allTextContents()).includes('randomNormal'), 'a section keeps its names');
  await field.fill('');
  assert.equal(await links.count(), all);
  await links.filter({ hasText: /^diagnose$/ }).click();
  assert.ok(page.url().endsWith('#diagnose'));
  assert.equal(await page.locator('.at-hand').getAttribute('open'), null);
});

test('a button copies an example as it stands', async () => {
  const { page } = await newPage(site, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${site.url}/en/api/`);
  await computed(page);
  const box = page.locator('.entry .copied', {
    has: page.locator('code', { hasText: 'effectiveKeys' }),
  });
  const source = await box.first().locator('pre').textContent();
  await box.first().locator('button').click();
  await box.first().locator('button', { hasText: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), source);
});

test('the Chinese page marks docstrings as English, and the English one has no Chinese', async () => {
  const { page } = await newPage(site);
  const texts = (/** @type {string} */ lang) =>
    page.evaluate((wanted) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node; (node = walker.nextNode());) {
        const within = node.parentElement?.closest('[lang]')?.getAttribute('lang');
        if (within === wanted) found.push(node.nodeValue);
      }
      return found.join(' ');
    }, lang);
  await page.goto(`${site.url}/zh/api/`);
  const english = await texts('en');
  assert.ok(english.includes('for each batch and head'));
  assert.doesNotMatch(english, /\p{Script=Han}/u);
  assert.match(await texts('zh-Hans'), /英文原文/);
  await page.goto(`${site.url}/en/api/`);
  assert.doesNotMatch(await texts('en'), /\p{Script=Han}/u);
});
