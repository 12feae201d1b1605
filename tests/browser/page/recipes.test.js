// The page of recipes in both languages, and the recipes of plain HTML as the page shows them.
// Those that need a generator or a framework are tried in tests/examples.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { elementsManifest } from '../../../web/build/elements-manifest.js';
import { recipeIn } from '../../../web/site/generator/recipes.js';
import { ELEMENTS, FIGURES, SITE, SOURCES } from '../../../web/build/paths.js';
import { axeViolations } from '../axe.js';
import { serve } from '../serve.js';
import { allDrawn, cornerOf, drawn, frameOf, newPage, otherThan, useSite } from './site.js';
import { waitUntil } from '../../wait.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();
const FOLDER = join(SOURCES, 'recipes');
/** The recipes that stand beside the tool for attention of one's own. */
const ON_VIEW =
  /^view\/(attentions|attention_lab|write|training)\.py$|^view\/(log|trainer)\.js$|^anywidget\/training\.py$/;
/** Returns the page that shows a recipe. @param {string} file */
const pageOf = (file) =>
  ON_VIEW.test(file) ? 'view' : file === 'one-query.py' ? 'figures' : 'recipes';
const FILES = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'pyproject.toml') // which makes a wheel of one
  .map(({ parentPath, name }) => join(parentPath, name).slice(FOLDER.length + 1));

/**
 * A recipe with the address of the site under test.
 * @param {string} file
 * @param {typeof LANGUAGE_KEYS[number]} [lang]
 */
const recipe = (file, lang = 'en') =>
  recipeIn(readFileSync(join(FOLDER, file), 'utf8'), lang).replaceAll(
    'https://example.org/',
    `${site.url}/`,
  );

/**
 * Returns a page of another server than the figures'.
 * @param {string} body
 * @param {{ style?: string, policy?: string }} [options]
 */
async function elsewhere(body, { style = '', policy = "base-uri 'none'" } = {}) {
  const head = '<meta charset="utf-8"><title>blog</title><link rel="icon" href="data:,">';
  const page = `<!doctype html><html lang="en">${head}<link rel="stylesheet" href="/blog.css">${body}`;
  const files = { '/': page, '/blog.css': style };
  const server = await serve(files, { '/': policy });
  servers.push(server);
  const opened = await newPage(site);
  await opened.page.goto(`${server.origin}/`);
  return opened;
}

/** The servers that the running test has started. @type {{ close: () => Promise<void> }[]} */
const servers = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

for (const lang of LANGUAGE_KEYS) {
  describe(`/${lang}/recipes/`, () => {
    test('shows every recipe as it is tried, with the address of this site', async () => {
      // A page each: to leave one would count what is still on its way to it as failed.
      for (const path of new Set(FILES.map(pageOf))) {
        const { page, complaints, requests, close } = await newPage(site);
        await page.goto(`${site.url}/${lang}/${path}/`);
        if (path === 'recipes') await drawn(page, 'attn-saturation');
        else await allDrawn(page);
        for (const file of FILES.filter((each) => pageOf(each) === path)) {
          const shown = await page.locator(`[data-recipe="${file}"]`).textContent();
          assert.equal(shown, recipe(file, lang).trimEnd(), file);
          assert.equal(/lang="?en|-en[-.]|\/en\//.test(shown ?? '') && lang === 'zh', false, file);
        }
        assert.deepEqual(complaints, [], path);
        assert.deepEqual(
          requests.filter((url) => !url.replace('blob:', '').startsWith(`${site.url}/`)), // a worker
          [],
        );
        await close();
      }
    });

    test('names every attribute, event, slot, part and custom property of every element', async () => {
      const { page } = await newPage(site, { javaScriptEnabled: false });
      await page.goto(`${site.url}/${lang}/recipes/`);
      const { modules } = await elementsManifest();
      const shared = await page.locator('#shared ~ dl code').allTextContents();
      for (const declaration of modules.flatMap(({ declarations = [] }) => declarations)) {
        const { tagName, attributes, events, slots, cssParts, cssProperties } =
          /** @type {import('custom-elements-manifest').CustomElementDeclaration} */ (declaration);
        const own = await page.locator(`#${tagName} ~ *`).evaluateAll((parts) => {
          const end = parts.findIndex(({ localName }) => /h[23]/.test(localName));
          return parts
            .slice(0, end)
            .map(({ textContent }) => textContent)
            .join(' ');
        });
        for (const { name } of attributes ?? [])
          assert.ok(own.includes(name) || shared.includes(name), `${tagName} ${name}`);
        for (const { name } of [...(cssParts ?? []), ...(events ?? [])])
          assert.ok(own.includes(name), `${tagName} ${name}`);
        for (const { name } of [...(slots ?? []), ...(cssProperties ?? [])])
          assert.ok(shared.includes(name || 'slot'), name);
      }
      assert.equal(await page.locator('h3 > code', { hasText: '<attn-' }).count(), ELEMENTS.length);
    });

    test('scrolls sideways nowhere but in boxes, and passes axe', async () => {
      for (const [colorScheme, width] of /** @type {const} */ ([
        ['light', 1280],
        ['dark', 320],
      ])) {
        const viewport = { width, height: 800 };
        const { page, close } = await newPage(site, { colorScheme, viewport });
        await page.goto(`${site.url}/${lang}/recipes/`);
        await drawn(page, 'attn-saturation');
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        assert.deepEqual(await axeViolations(page), [], `${colorScheme}, ${width} px`);
        await close();
      }
    });

    test('is linked from the article, and speaks its language', async () => {
      const { page } = await newPage(site);
      await page.goto(`${site.url}/${lang}/figures/`);
      await page.locator('main a[href="../recipes/"]').first().click();
      await page.waitForURL(`${site.url}/${lang}/recipes/`);
      const text = await page.locator('main').innerText();
      assert.equal(/\p{Script=Han}/u.test(text), lang === 'zh');
      await page.locator('header a[hreflang]').first().click();
      await page.waitForURL(`${site.url}/${otherThan(lang)}/recipes/`);
    });
  });
}

describe('recipes of plain HTML, on a page of another server', () => {
  test('script and element', async () => {
    const { page, complaints } = await elsewhere(recipe('script.html'));
    await drawn(page, 'attn-saturation');
    assert.deepEqual(complaints, []);
  });

  test('without scripts there is a picture, on a ground of its own, in both languages', async () => {
    for (const lang of LANGUAGE_KEYS) {
      const { page, close } = await elsewhere(recipe('script.html', lang), {
        policy: "script-src 'none'; img-src *",
        style: 'body { background: #000; margin: 0 } div { line-height: 0 }',
      });
      const picture = page.locator('attn-saturation > img');
      await picture.evaluate((/** @type {HTMLImageElement} */ image) => image.decode());
      assert.match((await picture.getAttribute('src')) ?? '', new RegExp(`-${lang}-light\\.svg$`));
      assert.deepEqual(await cornerOf(page, 'attn-saturation > img'), [255, 255, 255]);
      await close();
    }
  });

  test('a title and a caption in a third language', async () => {
    const { page, complaints } = await elsewhere(recipe('third-language.html'));
    await drawn(page, 'attn-saturation');
    await page.getByRole('figure', { name: 'Sans facteur' }).waitFor();
    assert.ok(await page.getByText('comme à l’initialisation').isVisible());
    assert.deepEqual(complaints, []);
  });

  test('properties, events, slots and controls', async () => {
    const { page, complaints } = await elsewhere(recipe('events.html'));
    const figure = await drawn(page, 'attn-scale');
    await page.locator('#seen', { hasText: '128' }).waitFor();
    const slider = figure.locator('#field-d-k');
    await slider.press('ArrowRight');
    await page.locator('#seen', { hasText: '140' }).waitFor(); // an eighth of a doubling
    assert.equal(await figure.locator('.controls > .field').count(), 2);
    assert.ok(await page.getByText('A caption of your own.').isVisible());
    assert.deepEqual(complaints, []);
  });

  test('in layouts that say where the parts of a text lie', async () => {
    // Of Distill, of Ghost's grids, and of WordPress.
    for (const style of [
      `body { display: grid; grid-template-columns: [start] 8px [text-start] 600px [text-end] 1fr }
       body > * { grid-column: text }`,
      `body { display: grid; grid-template-columns: 1fr min(600px, 100%) 1fr }
       body > * { grid-column: 2 }`,
      `body > :where(:not(.alignfull)) { max-width: 600px; margin-left: auto !important;
       margin-right: auto !important }`,
    ]) {
      const { page, close } = await elsewhere(recipe('script.html'), {
        style: `${style} body { margin: 0 }`,
      });
      const figure = await drawn(page, 'attn-saturation');
      const [width, left] = await figure.evaluate((element) => {
        const box = element.getBoundingClientRect();
        return [box.width, box.left];
      });
      assert.equal(width, 600, style);
      assert.ok(left >= 8, style);
      await close();
    }
  });

  test('colours, typeface and parts', async () => {
    const { page } = await elsewhere(recipe('script.html'), { style: recipe('theme.css') });
    const figure = await drawn(page, 'attn-saturation');
    const seen = await figure.evaluate((element) => {
      const of = (/** @type {string} */ selector) =>
        getComputedStyle(/** @type {Element} */ (element.shadowRoot?.querySelector(selector)));
      return [
        of('.readout').maxWidth,
        of('figcaption').fontFamily,
        of('[fill="var(--scaled)"]').fill,
      ];
    });
    assert.deepEqual(seen, ['480px', 'Georgia, serif', 'rgb(0, 105, 92)']);
  });

  test('a dark frame, through which a dark page shows', async () => {
    const style = 'body { background: #1b1e23 }';
    const { page } = await elsewhere(recipe('frame-dark.html'), { style });
    await drawn(await frameOf(page, /\/embed\/cost\.html/), 'attn-cost');
    assert.deepEqual(await cornerOf(page), [0x1b, 0x1e, 0x23]);
  });

  test('a frame, and the lines that give it its height', async () => {
    // As many pages have it, and as some have frames.
    for (const style of ['', '* { box-sizing: border-box }', 'iframe { height: auto }']) {
      const body = recipe('frame-height.html') + recipe('frame.html');
      const { page, close } = await elsewhere(body, { style });
      const frame = await frameOf(page, /\/embed\/cost\.html/);
      const figure = await drawn(frame, 'attn-cost');
      assert.equal(await figure.evaluate((element) => Reflect.get(element, 'dK')), 128);
      await page.locator('iframe[style*=height]').waitFor();
      await waitUntil(() =>
        frame.evaluate(() => document.documentElement.scrollHeight <= innerHeight),
      );
      await close();
    }
  });

  test('a picture, with nothing that runs', async () => {
    const { page, requests } = await elsewhere(recipe('picture.html'), {
      policy: "default-src 'none'; img-src *",
    });
    const size = await page.locator('img').evaluate(async (image) => {
      await /** @type {HTMLImageElement} */ (image).decode();
      return Reflect.get(image, 'naturalWidth');
    });
    assert.equal(size, 720);
    assert.ok(requests.some((url) => url.endsWith('/pictures/saturation-en-light.svg')));
  });

  test('a picture for mail, which may show no SVG', async () => {
    const { page, requests } = await elsewhere(recipe('mail.html'), {
      policy: "default-src 'none'; img-src *",
    });
    const box = await page.locator('img').boundingBox();
    assert.equal(box?.width, 600);
    assert.ok(requests.some((url) => url.endsWith('/pictures/saturation-en.png')));
  });

  test('the policy, with a file for each figure', async () => {
    const policy = recipe('policy.txt')
      .replace(/^.*:\n/, '')
      .replace(/\s+/g, ' ')
      .trim();
    const files = ['saturation', 'heads', 'flow'].map(
      (name) => `<script type="module" src="${site.url}/figures/${name}.min.js"></script>`,
    );
    const body =
      '<attn-saturation></attn-saturation><attn-heads></attn-heads><attn-flow></attn-flow>';
    const { page, complaints } = await elsewhere(files.join('') + body, { policy });
    for (const name of ['saturation', 'heads', 'flow']) await drawn(page, `attn-${name}`);
    const download = page.waitForEvent('download');
    await page.locator('attn-saturation [part=download-png]').click();
    assert.equal((await download).suggestedFilename(), 'attn-saturation.png');
    // Its policy refuses the blog's style sheet and icon.
    assert.deepEqual(
      complaints.filter((each) => !/blog\.css|data:,/.test(each)),
      [],
    );
  });
});

test('every figure lies ready as a picture in both languages', () => {
  for (const name of FIGURES) {
    for (const lang of LANGUAGE_KEYS) {
      const read = (/** @type {string} */ end) =>
        readFileSync(`${SITE}/pictures/${name}-${lang}${end}`);
      assert.deepEqual([...read('.png').subarray(1, 4)], [...Buffer.from('PNG')]);
      for (const theme of ['light', 'dark']) {
        const svg = read(`-${theme}.svg`).toString();
        assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        assert.doesNotMatch(svg, /var\(|light-dark|<script|href/);
        assert.match(svg, / color="#/);
        assert.match(svg, /<\/desc><rect width="100%" height="100%" fill="#/);
        assert.equal(/\p{Script=Han}/u.test(svg), lang === 'zh');
      }
    }
  }
});
