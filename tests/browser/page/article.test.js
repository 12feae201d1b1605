// The pages of the article in both languages, in a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { axeViolations } from '../axe.js';
import { CHAPTERS, FIGURES_OF } from './chapters.js';
import { allDrawn, figuresOn, newPage, resize, useSite } from './site.js';
import { waitUntil } from '../../wait.js';
import { messages } from '../../../web/figures/saturation/generated/words.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();
const EXAMPLE = new URL('../../../web/site/examples/one-query.js', import.meta.url);

/** Returns, in the page, whether a picture is part of it, or a loaded file. @param {Element} picture */
async function isShown(picture) {
  if (!(picture instanceof HTMLImageElement)) return picture.childElementCount > 0;
  await picture.decode();
  return picture.naturalWidth > 0;
}

/** Returns, in the page, its text and attributes, also those of figures, but no intended Chinese. */
function readAll() {
  const read = (/** @type {Node} */ node) => {
    if (node instanceof Element && node.matches('body [lang^=zh]')) return '';
    let all = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '';
    if (node instanceof Element) {
      for (const { value } of node.attributes) all += value;
      if (node.shadowRoot) all += read(node.shadowRoot);
    }
    for (const child of node.childNodes) all += read(child);
    return all;
  };
  return read(document.body) + document.title;
}

for (const lang of LANGUAGE_KEYS) {
  for (const path of CHAPTERS) {
    describe(`/${lang}/${path} with every figure live`, () => {
      /** @type {Awaited<ReturnType<typeof newPage>>} */
      let opened;
      before(async () => {
        opened = await newPage(site, { viewport: { width: 1280, height: 800 } });
        await opened.page.goto(`${site.url}/${lang}/${path}`);
        await allDrawn(opened.page);
      });
      after(() => opened.close());

      test('has no complaints and no requests to other servers', () => {
        assert.deepEqual(opened.complaints, []);
        assert.deepEqual(
          opened.requests.filter((url) => !url.replace('blob:', '').startsWith(`${site.url}/`)), // a worker
          [],
        );
      });

      test('lists its headings', async () => {
        const { page } = opened;
        const links = await page
          .locator('.contents a')
          .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent]));
        const headings = await page
          .locator('main h2')
          .evaluateAll((all) => all.map(({ id, textContent }) => [`#${id}`, textContent]));
        assert.ok(headings.length >= 3);
        assert.deepEqual(links, headings);
      });

      test('shows numbers, moved by the keyboard', async () => {
        const { page } = opened;
        for (const name of await figuresOn(page)) {
          assert.match(await page.locator(name).locator('[part=readout]').innerText(), /\d\.\d/);
        }
        if (!FIGURES_OF[path].includes('saturation')) return;
        const saturation = page.locator('attn-saturation');
        await saturation.locator('input[type=range]').first().focus();
        await page.keyboard.press('ArrowRight');
        assert.equal(await saturation.evaluate((element) => Reflect.get(element, 'dK')), 70);
      });

      test('computes the same numbers in the browser as when it was built', async () => {
        const built = await newPage(site, { javaScriptEnabled: false });
        await built.page.goto(`${site.url}/${lang}/${path}`);
        const texts = await built.page.locator('[data-live]').allTextContents();
        await built.close();
        assert.ok(
          texts.length > (path ? -1 : 5) && texts.every((text) => /^\d+(\.\d+)?$/.test(text)),
          `${texts}`,
        );
        const { page } = opened;
        const left = page.locator('[data-live]:not(.computed)');
        await waitUntil(async () => (await left.count()) === 0);
        assert.deepEqual(await page.locator('[data-live]').allTextContents(), texts);
      });

      test('has Chinese characters in English only in the link to the Chinese page', async () => {
        const text = await opened.page.evaluate(readAll);
        if (!path) assert.ok(text.includes(messages[lang].scaled));
        assert.equal(/\p{Script=Han}/u.test(text), lang === 'zh');
      });

      test('passes axe', async () => {
        assert.deepEqual(await axeViolations(opened.page), []);
      });

      test('never scrolls sideways on a phone, and passes axe there in the dark', async () => {
        const { page } = opened;
        await page.emulateMedia({ colorScheme: 'dark' });
        for (const width of [360, 320]) {
          await resize(page, width);
          await allDrawn(page);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
          const cut = await page
            .locator('.formula')
            .evaluateAll((formulas) =>
              formulas
                .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
                .map(({ textContent }) => textContent),
            );
          if (width === 360) assert.deepEqual(cut, []);
        }
        assert.deepEqual(await axeViolations(page), []);
      });
    });
  }

  test(`/${lang}/ makes sense without JavaScript`, async () => {
    const { page } = await newPage(site, { javaScriptEnabled: false });
    for (const path of CHAPTERS) {
      await page.goto(`${site.url}/${lang}/${path}`);
      for (const name of await figuresOn(page)) {
        const figure = page.locator(name);
        const picture = figure.locator('[data-still=wide]');
        assert.ok(await picture.isVisible(), `${name}: picture`);
        assert.ok(await picture.evaluate(isShown), `${name}: picture that came`);
        assert.ok(await figure.locator('figcaption').isVisible(), `${name}: caption`);
        assert.match(await figure.locator('[part=readout]').innerText(), /\d\.\d/);
        assert.ok(
          !(await figure.locator('[part=controls]').isVisible()),
          `${name}: no dead controls`,
        );
      }
    }
    await page.goto(`${site.url}/${lang}/`);
    assert.match(await page.locator('[data-live=score-deviation]').innerText(), /^2\d\.\d$/);
    assert.ok(await page.locator('math').first().isVisible());
  });

  test(`/${lang}/ prints the output of Node for the example, below the program that runs`, async () => {
    const { page } = await newPage(site);
    await page.goto(`${site.url}/${lang}/figures/`);
    const code = (await page.locator('#embed ~ pre').first().textContent()) ?? '';
    assert.ok(code.includes(`src="${site.url}/figures.min.js"`), code);
    const output = page.locator('[data-output-of=one-query] samp');
    await output.evaluate((box) => (box.textContent = 'not yet'));
    await page.reload();
    await output.filter({ hasText: /\d/ }).waitFor();
    const inNode = execFileSync('node', [fileURLToPath(EXAMPLE)], { encoding: 'utf8' });
    assert.equal(await output.innerText(), inNode.trimEnd());
    const program = page.locator('pre:has(+ [data-output-of=one-query])');
    assert.equal(await program.innerText(), readFileSync(EXAMPLE, 'utf8').trimEnd());
  });
}
