// attention-lab.html, both articles in one file: opened from the disk, without a network.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FIGURES, FILE } from '../../../web/build/paths.js';
import { aboutLanguage, LANGUAGES } from '../../../web/shared/languages.js';
import { launch } from '../serve.js';
import { CHAPTERS } from './chapters.js';
import { drawn, newPage, otherThan, useSite } from './site.js';

const address = pathToFileURL(FILE).href;
const site = useSite([], async () => ({ url: address, close() {} }));

/**
 * @param {string} query
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
async function open(query, options) {
  const opened = await newPage(site, { ...options, offline: true });
  await opened.page.goto(address + query);
  return opened;
}

for (const { key: lang, tag } of LANGUAGES) {
  const other = otherThan(lang);
  describe(`attention-lab.html?lang=${lang}`, () => {
    test('is the article alone, with every figure live, from one request', async () => {
      const { page, complaints, requests } = await open(`?lang=${lang}`);
      for (const name of FIGURES) {
        const figure = await drawn(page, `attn-${name}`);
        assert.match(await figure.locator('[part=readout]').innerText(), /\d\.\d/, name);
      }
      await page.locator('attn-claims').scrollIntoViewIfNeeded();
      await page.locator('attn-claims output').first().filter({ hasText: '±' }).waitFor();
      await page.locator('[data-live].computed').first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), tag);
      assert.deepEqual(await page.locator('h1').count(), CHAPTERS.length);
      assert.equal(/\p{Script=Han}/u.test(await page.title()), lang === 'zh');
      const outside = requests.filter((url) => !/^(data|blob):/.test(url));
      assert.deepEqual(outside, [`${address}?lang=${lang}`]);
      assert.deepEqual(complaints, []);
    });

    test('leads to the other language', async () => {
      const { page } = await open(`?lang=${lang}`);
      await page.locator('header a[hreflang]').first().click();
      await page.waitForURL(`${address}?lang=${other}#${other}-article`);
      const languages = await page
        .locator('main')
        .evaluateAll((all) => all.map((main) => main.getAttribute('lang')));
      assert.deepEqual(languages, [aboutLanguage(other).tag]);
    });

    test('leads to the same place in the other language', async () => {
      const { page } = await open(`?lang=${lang}#${lang}-faster`);
      await page.locator('header a[hreflang]').first().click();
      await page.waitForURL(`${address}?lang=${other}#${other}-faster`);
    });

    test('has no id twice, and leads to its sections and sources', async () => {
      const { page } = await open(`?lang=${lang}`, { javaScriptEnabled: false });
      const ids = await page.locator('[id]').evaluateAll((all) => {
        const outside = all.filter((element) => element.getRootNode() === document);
        return outside.map(({ id }) => id);
      });
      assert.equal(new Set(ids).size, ids.length);
      const targets = await page
        .locator('main a[href^="#"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1) ?? ''));
      assert.ok(targets.length > 10);
      assert.deepEqual(
        targets.filter((target) => !ids.includes(target)),
        [],
      );
    });
  });
}

test('attention-lab.html speaks the language of the browser', async () => {
  for (const [locale, tag] of [
    ['zh-CN', 'zh-Hans'],
    ['fr-FR', 'en'],
  ]) {
    const { page, close } = await open('', { locale });
    assert.equal(await page.locator('html').getAttribute('lang'), tag);
    await close();
  }
  const { page } = await open('?lang=zh_CN', { locale: 'en-GB' });
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans');
});

test('attention-lab.html shows all articles without JavaScript', async () => {
  const { page } = await open('', { javaScriptEnabled: false });
  assert.equal(await page.locator('h1:visible').count(), LANGUAGES.length * CHAPTERS.length);
  assert.equal(
    await page.locator('attn-saturation [data-still=wide]:visible').count(),
    LANGUAGES.length,
  );
  const cost = page.locator('attn-cost [data-still=wide]').first();
  assert.ok(
    await cost.evaluate((/** @type {HTMLImageElement} */ image) =>
      image.decode().then(() => image.naturalWidth > 0),
    ),
  );
});

test('a figure of attention-lab.html is shared by a link to the file', async () => {
  const { page, complaints } = await open('?lang=en');
  const figure = await drawn(page, 'attn-saturation');
  await figure.evaluate((element) => Object.assign(element, { dK: 100 }));
  await figure.locator('[part=share]').click();
  await page.waitForURL(/#attn=.*d-k=100/);
  const link = page.url();
  assert.ok(link.startsWith(`${address}?lang=en#attn=`), link);
  await page.goto('about:blank');
  await page.goto(link);
  const again = await drawn(page, 'attn-saturation');
  assert.equal(await again.evaluate((element) => Reflect.get(element, 'dK')), 100);
  assert.deepEqual(complaints, []);
});

test('attention-lab.html has a strict policy', async () => {
  const { page } = await open('?lang=en');
  const policy = await page
    .locator('meta[http-equiv=Content-Security-Policy]')
    .getAttribute('content');
  assert.match(policy ?? '', /^default-src 'none'; script-src 'sha256-/);
  assert.doesNotMatch(policy ?? '', /unsafe-inline|'unsafe-eval'|https?:|\*|'self'/);
});

test('attention-lab.html computes without WebAssembly, by the kernel in plain JavaScript', async () => {
  const browser = await launch(['--js-flags=--jitless']);
  const { page, complaints, requests, close } = await newPage({ url: address, browser });
  page.setDefaultTimeout(600_000); // no compiler at all: a hundred times slower
  await page.goto(`${address}?lang=en`);
  assert.equal(await page.evaluate(() => typeof WebAssembly), 'undefined');
  const figure = await drawn(page, 'attn-saturation');
  await figure.evaluate((element) => Object.assign(element, { dK: 256, keys: 8 }));
  await figure.locator('[part=title]').filter({ hasText: '= 256' }).waitFor();
  assert.match(await figure.locator('[part=readout]').innerText(), /0\.\d{3}/);
  const outside = requests.filter((url) => !/^(data|blob):/.test(url));
  assert.deepEqual(outside, [`${address}?lang=en`]);
  assert.deepEqual(complaints, []);
  await close();
  await browser.close();
});
