// The pages of the article together: links and addresses, numbers of figures, jumps and the way back.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { FIGURES, SITE } from '../../../web/build/paths.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { CHAPTERS, FIGURES_OF, pathOf } from './chapters.js';
import { mainControl } from './main-control.js';
import { drawn, newPage, useSite } from './site.js';
import { waitUntil } from '../../wait.js';

const site = useSite();

/** The pages of the site, without what figures hide in their shadow roots. @type {Map<string, string>} */
const pages = new Map();

/** Returns a page of the site. @param {string} file */
function read(file) {
  const known = pages.get(file);
  if (known !== undefined) return known;
  const html = readFileSync(`${SITE}/${file}`, 'utf8').replace(/<template.*?<\/template>/gs, '');
  pages.set(file, html);
  return html;
}

const PAGES = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  LANGUAGE_KEYS.some((lang) => file.startsWith(`${lang}/`) && file.endsWith('index.html')),
);

/** Returns whether a page has the place that a hash names. @param {string} html @param {string} hash */
function hasPlace(html, hash) {
  const figure = /^#attn=.*figure=(\w+)/.exec(hash)?.[1];
  return figure ? html.includes(`<attn-${figure}`) : html.includes(`id="${hash.slice(1)}"`);
}

test('each language has the same ten pages', () => {
  const namesOf = (/** @type {string} */ language) =>
    PAGES.filter((file) => file.startsWith(`${language}/`))
      .map((file) => file.slice(language.length))
      .sort();
  for (const lang of LANGUAGE_KEYS) {
    assert.equal(namesOf(lang).length, 10);
    assert.deepEqual(namesOf(lang), namesOf('en'));
  }
});

for (const file of PAGES) {
  test(`${file} has no dead link`, () => {
    const html = read(file);
    const here = new URL(file, 'https://host.example/');
    const dead = [...html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)]
      .map(([, address]) => new URL(address.replaceAll('&amp;', '&'), here))
      .filter(({ host }) => host === here.host)
      .filter(({ pathname, hash }) => {
        const target = pathname.slice(1).replace(/(^|\/)$/, '$1index.html');
        if (!existsSync(`${SITE}/${target}`)) return true;
        return hash !== '' && !hasPlace(read(target), hash);
      });
    assert.deepEqual(dead.map(String), []);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, 'no id twice');
  });
}

for (const lang of LANGUAGE_KEYS) {
  describe(`/${lang}/`, () => {
    test('places the figures in the order of the list, under numbers in reading order', () => {
      const placed = CHAPTERS.flatMap((path) => [
        ...read(`${lang}/${path}index.html`).matchAll(
          /<div class="wide" id="figure-(\w+)">(.*?)<attn-/g,
        ),
      ]);
      const figures = placed.filter(([, name]) => name !== 'claims');
      assert.deepEqual(
        figures.map(([, name]) => name),
        FIGURES,
      );
      const numbers = figures.map(([, , label]) => Number(/\d+/.exec(label)?.[0]));
      assert.deepEqual(
        numbers,
        FIGURES.map((_, i) => i + 1),
      );
    });

    test('names each figure by its number', () => {
      let count = 0;
      for (const path of CHAPTERS) {
        const html = read(`${lang}/${path}index.html`);
        for (const [, name, text] of html.matchAll(
          /href="[^"]*#figure-(\w+)"[^>]*>([^<]*?\d+)</g,
        )) {
          assert.equal(
            Number(/\d+/.exec(text)?.[0]),
            FIGURES.indexOf(name) + 1,
            `${path}: ${text}`,
          );
          count += 1;
        }
      }
      assert.ok(count > 20, `${count}`);
    });
  });
}

describe('a link that shares a figure', () => {
  for (const name of FIGURES) {
    test(`shows attn-${name} in its state, on its page`, async () => {
      const { key, attribute, value } = await mainControl(name);
      const hash = `#attn=1&figure=${name}&${attribute}=${value}`;
      const { page, complaints } = await newPage(site);
      await page.goto(`${site.url}/en/${pathOf(name)}${hash}`);
      const figure = await drawn(page, `attn-${name}`);
      assert.equal(await figure.evaluate((element, key) => Reflect.get(element, key), key), value);
      assert.deepEqual(complaints, []);
    });
  }
});

test('Back undoes a jump to a figure by its number, also on another page', async () => {
  const { page } = await newPage(site, { viewport: { width: 390, height: 844 } });
  await page.goto(`${site.url}/en/`);
  await page.locator('main a[href="#figure-saturation"]:visible').first().click();
  assert.equal(new URL(page.url()).hash, '#figure-saturation');
  await page.goBack();
  assert.equal(page.url(), `${site.url}/en/`);
  await page.goto(`${site.url}/en/view/`);
  await page.locator('main a[href$="#figure-words"]').first().click();
  await page.waitForURL(`${site.url}/en/${pathOf('words')}#figure-words`);
  await page.goBack();
  await page.waitForURL(`${site.url}/en/view/`);
});

test('each page loads the scripts of its own figures alone', async () => {
  for (const path of CHAPTERS) {
    const { page, requests, close } = await newPage(site);
    await page.goto(`${site.url}/en/${path}`);
    for (const name of FIGURES_OF[path].filter((each) => each !== 'claims'))
      await drawn(page, `attn-${name}`);
    // The ledger has no picture; its script comes in a pause of the page, perhaps after all pictures.
    if (FIGURES_OF[path].includes('claims'))
      await page.locator('attn-claims:defined').waitFor({ state: 'attached' });
    const loaded = requests.flatMap(
      (url) => /\/assets\/figure-(\w+)-[\w-]{8}\.js$/.exec(url)?.[1] ?? [],
    );
    const figures = loaded.filter((name) => [...FIGURES, 'claims'].includes(name));
    assert.deepEqual([...new Set(figures)].sort(), [...FIGURES_OF[path]].sort(), path);
    await close();
  }
});

test('the gallery has the picture, claim and tag of every figure, and copies the tag', async () => {
  for (const lang of LANGUAGE_KEYS) {
    const { page, close } = await newPage(site, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${site.url}/${lang}/figures/`);
    assert.equal(await page.locator('.claim').count(), FIGURES.length);
    for (const image of await page.locator('picture > img').all()) {
      await image.scrollIntoViewIfNeeded();
      await image.evaluate((/** @type {HTMLImageElement} */ each) => each.decode());
    }
    const tags = await page.locator('.copied pre:not([data-recipe]) code').allTextContents();
    assert.deepEqual(
      tags,
      [...FIGURES, 'claims'].map((name) => `<attn-${name} lang="${lang}"></attn-${name}>`),
    );
    await page.locator('.copy').nth(2).click();
    await waitUntil(
      async () => (await page.evaluate(() => navigator.clipboard.readText())) === tags[2],
    );
    await page.setViewportSize({ width: 390, height: 844 });
    for (const image of await page.locator('picture > img').all()) {
      await image.scrollIntoViewIfNeeded();
      const scale = await image.evaluate(async (/** @type {HTMLImageElement} */ each) => {
        await each.decode();
        return each.currentSrc.endsWith('narrow.svg') && each.width / each.naturalWidth;
      });
      assert.ok(scale && scale > 0.95, 'on a phone the picture is that of a phone, at its size');
    }
    await close();
  }
});
