// The article in both languages, in a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../../../web/build/policy.js';
import { FIGURES as NAMES } from '../../../web/build/vite.config.js';
import { drawn, LANGUAGES, newPage, useSite } from './site.js';

const site = useSite();
const FIGURES = NAMES.map((name) => `attn-${name}`);
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const EXAMPLE = new URL('../../../web/page/examples/effective-keys.js', import.meta.url);

/** In the page: whether a picture is part of it, or a file that has come. @param {Element} picture */
async function isShown(picture) {
  if (!(picture instanceof HTMLImageElement)) return picture.childElementCount > 0;
  await picture.decode();
  return picture.naturalWidth > 0;
}

for (const lang of LANGUAGES) {
  describe(`/${lang}/`, () => {
    test('loads without complaint and asks no other server', async () => {
      const { page, complaints, requests, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/`);
      for (const name of FIGURES) await drawn(page, name);
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        requests.filter((url) => !url.startsWith(`${site.url}/`)),
        [],
      );
      await close();
    });

    test('shows live figures with numbers, moved by the keyboard', async () => {
      const { page, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/`);
      for (const name of FIGURES) {
        const figure = await drawn(page, name);
        assert.match(await figure.locator('[part=readout]').innerText(), /\d\.\d/);
      }
      const saturation = page.locator('attn-saturation');
      await saturation.locator('input[type=range]').first().focus();
      await page.keyboard.press('ArrowRight');
      assert.equal(await saturation.evaluate((element) => Reflect.get(element, 'dK')), 65);
      await close();
    });

    test('makes sense without JavaScript', async () => {
      const { page, close } = await newPage(site, { javaScriptEnabled: false });
      await page.goto(`${site.url}/${lang}/`);
      for (const name of FIGURES) {
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
      assert.match(await page.locator('[data-live=score-deviation]').innerText(), /^2\d\.\d$/);
      assert.ok(await page.locator('math').first().isVisible());
      await close();
    });

    test('moves nothing while it loads, at any width', async () => {
      for (const [width, height] of [
        [1280, 800],
        [700, 900],
        [360, 740],
        [1280, 4000],
      ]) {
        const { page, close } = await newPage(site, { viewport: { width, height } });
        await page.addInitScript(() => {
          const shifts = /** @type {number[]} */ ([]);
          Object.assign(window, { shifts });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'));
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await page.goto(`${site.url}/${lang}/`);
        await drawn(page, 'attn-saturation');
        await page.waitForTimeout(300);
        const shifts = await page.evaluate(() => Reflect.get(window, 'shifts'));
        assert.deepEqual(shifts, [], `${width} × ${height}`);
        await close();
      }
    });

    test('never scrolls sideways on a phone', async () => {
      for (const width of [320, 360]) {
        const { page, close } = await newPage(site, { viewport: { width, height: 700 } });
        await page.goto(`${site.url}/${lang}/`);
        for (const name of FIGURES) await drawn(page, name);
        const extent = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(extent, width);
        await close();
      }
    });

    test('darkens when the reader prefers dark', async () => {
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        const { page, close } = await newPage(site, { colorScheme });
        await page.goto(`${site.url}/${lang}/`);
        const paper = await page.evaluate(
          () => getComputedStyle(document.documentElement).backgroundColor,
        );
        const [red] = /** @type {string[]} */ (paper.match(/\d+/)).map(Number);
        assert.ok(colorScheme === 'dark' ? red < 40 : red > 240, `${colorScheme}: ${paper}`);
        await close();
      }
    });

    test('passes axe, light and dark, wide and narrow', async () => {
      for (const [colorScheme, width] of /** @type {const} */ ([
        ['light', 1280],
        ['dark', 320],
      ])) {
        const { page, close } = await newPage(site, {
          colorScheme,
          viewport: { width, height: 800 },
        });
        await page.goto(`${site.url}/${lang}/`);
        for (const name of FIGURES) await drawn(page, name);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => Reflect.get(window, 'axe').run());
        const found = violations.map(
          (/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`,
        );
        assert.deepEqual(found, [], `${colorScheme}, ${width} px`);
        await close();
      }
    });

    test('has a strict policy, and nothing inline that would need a lax one', async () => {
      const { page, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/`);
      const policy = await page
        .locator('meta[http-equiv=Content-Security-Policy]')
        .getAttribute('content');
      assert.match(policy ?? '', /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
      assert.doesNotMatch(policy ?? '', /unsafe-inline|'unsafe-eval'|https?:|\*/);
      const inline = await page.evaluate(
        () => document.querySelectorAll('[style], script:not([src]), [onclick]').length,
      );
      assert.equal(inline, 0);
      const [style] = await page.locator('head > style').allTextContents();
      assert.ok(policy?.includes(sha256(style)), 'the one style sheet is named by its hash');
      await close();
    });

    test('says which language it is in and where the other is', async () => {
      const { page, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/`);
      const tag = { en: 'en', zh: 'zh-Hans' }[lang];
      assert.equal(await page.locator('html').getAttribute('lang'), tag);
      const alternates = await page
        .locator('link[rel=alternate]')
        .evaluateAll((links) =>
          links.map((link) => [link.getAttribute('hreflang'), Reflect.get(link, 'href')]),
        );
      assert.deepEqual(alternates, [
        ['en', `${site.url}/en/`],
        ['zh-Hans', `${site.url}/zh/`],
        ['x-default', `${site.url}/`],
      ]);
      await page.locator('header a[hreflang]').click();
      assert.equal(page.url(), `${site.url}/${lang === 'en' ? 'zh' : 'en'}/`);
      await close();
    });

    test('computes the same numbers in the browser as when it was built', async () => {
      const numbers = async (/** @type {boolean} */ javaScriptEnabled) => {
        const { page, close } = await newPage(site, { javaScriptEnabled });
        await page.goto(`${site.url}/${lang}/`);
        if (javaScriptEnabled) await page.locator('[data-live].computed').first().waitFor();
        const texts = await page.locator('[data-live]').allTextContents();
        await close();
        return texts;
      };
      const built = await numbers(false);
      assert.ok(built.length > 5 && built.every((text) => /^\d+(\.\d+)?$/.test(text)), `${built}`);
      assert.deepEqual(await numbers(true), built);
    });

    test('prints of the example what Node prints, below the program that runs', async () => {
      const { page, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/`);
      const output = page.locator('[data-output-of=effective-keys] samp');
      await output.evaluate((box) => (box.textContent = 'not yet'));
      await page.reload();
      await page.locator('[data-live].computed').first().waitFor();
      const inNode = execFileSync(process.execPath, [fileURLToPath(EXAMPLE)], { encoding: 'utf8' });
      await output.scrollIntoViewIfNeeded(); // what is far off may not be laid out yet
      assert.equal(await output.innerText(), inNode.trimEnd());
      const program = page.locator('pre:has(+ [data-output-of=effective-keys])');
      assert.equal(await program.innerText(), readFileSync(EXAMPLE, 'utf8').trimEnd());
      await close();
    });

    test('shows code that loads the figures from where the page is', async () => {
      const { page, close } = await newPage(site);
      await page.goto(`${site.url}/${lang}/`);
      await page.locator('[data-live].computed').first().waitFor();
      const code = (await page.locator('pre').first().textContent()) ?? '';
      assert.ok(code.includes(`src="${site.url}/figures.min.js"`), code);
      await close();
    });
  });
}

test('the English page has no Chinese characters but in the link to the Chinese one', async () => {
  const { page, close } = await newPage(site);
  await page.goto(`${site.url}/en/`);
  for (const name of FIGURES) await drawn(page, name);
  const text = await page.evaluate(() => {
    const read = (/** @type {Node} */ node) => {
      if (node instanceof Element && node.matches('[lang^=zh]')) return '';
      let all = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '';
      if (node instanceof Element) {
        for (const { value } of node.attributes) all += value;
        if (node.shadowRoot) all += read(node.shadowRoot);
      }
      for (const child of node.childNodes) all += read(child);
      return all;
    };
    return read(document.body) + document.title;
  });
  assert.ok(text.includes('saturation'));
  assert.doesNotMatch(text, /\p{Script=Han}/u);
  await close();
});

describe('the front door', () => {
  for (const [locale, folder] of [
    ['zh-CN', 'zh'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
  ]) {
    test(`sends a reader who prefers ${locale} to /${folder}/`, async () => {
      const { page, close } = await newPage(site, { locale });
      await page.goto(`${site.url}/`);
      await page.waitForURL(`${site.url}/${folder}/`);
      await close();
    });
  }

  test('offers both languages without JavaScript', async () => {
    const { page, close } = await newPage(site, { javaScriptEnabled: false });
    await page.goto(`${site.url}/`);
    for (const lang of LANGUAGES) {
      assert.ok(await page.locator(`a[href="./${lang}/"]`).isVisible());
    }
    await close();
  });
});
