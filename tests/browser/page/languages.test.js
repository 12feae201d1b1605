// The way to the reader’s language: from the front door, and from any place to the same in the other language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, newPage, otherThan, useSite } from './site.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/ leads to the same place in the other language`, async () => {
    const other = otherThan(lang);
    const shared = 'attn=1&figure=heads&model=4096';
    for (const path of ['cost/#faster', `roles/#${shared}`, 'api/#softmax', 'recipes/#hugo']) {
      const { page, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/${path}`);
      await page.locator('header a[hreflang]').first().click();
      await page.waitForURL(`${site.url}/${other}/${path}`);
      if (path.includes(shared)) {
        const heads = await drawn(page, 'attn-heads');
        assert.equal(await heads.evaluate((element) => Reflect.get(element, 'model')), '4096');
      } else {
        assert.equal(await page.locator(':target').count(), 1, path);
      }
      await close();
    }
  });
}

for (const [locale, folder] of [
  ['zh-CN', 'zh'],
  ['en-GB', 'en'],
  ['fr-FR', 'en'],
]) {
  test(`the front door sends a reader who prefers ${locale} to /${folder}/`, async () => {
    const { page } = await newPage(site, { locale });
    await page.goto(`${site.url}/`);
    await page.waitForURL(`${site.url}/${folder}/`);
  });
}

test('the front door knows tags with an underscore', async () => {
  const { page } = await newPage(site);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['fr_FR', 'zh_CN', 'en_US'] });
  });
  await page.goto(`${site.url}/`);
  await page.waitForURL(`${site.url}/zh/`);
});

test('the front door offers both languages without JavaScript', async () => {
  const { page } = await newPage(site, { javaScriptEnabled: false });
  await page.goto(`${site.url}/`);
  for (const lang of LANGUAGE_KEYS) {
    assert.ok(await page.locator(`a[href="./${lang}/"]`).isVisible());
  }
});
