// The colours of the elements on pages of any colour: a reader can read every text, however the page
// says that it is dark, and the page's own colours win.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ELEMENTS } from '../../../../../web/build/paths.js';
import { drawn, useBench, until } from '../../bench.js';

/** @import { Page } from 'playwright-core' */

/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5;

const bench = useBench();

/** Gives a page a style sheet in place of its own. @param {Page} tab  @param {string} css */
const dress = (tab, css) =>
  tab.evaluate(async (text) => {
    for (const link of document.querySelectorAll('link')) link.disabled = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
    document.documentElement.dataset.dressed = text; // a theme marks its choice, too
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  }, css);

/**
 * Returns the texts of an element with a contrast below the least, each with its contrast.
 * @param {Page} tab
 * @param {string} tag
 * @param {string} page  the colour of the page, as `#rrggbb`
 */
const faintTexts = (tab, tag, page) =>
  tab.locator(tag).evaluate(
    (element, { page, least }) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      const canvas = new OffscreenCanvas(1, 1);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (
        canvas.getContext('2d', { willReadFrequently: true })
      );
      /** Paints layers over one another. @param {{ colour: string, opacity: number }[]} layers */
      const painted = (layers) => {
        for (const { colour, opacity } of layers) {
          context.globalAlpha = opacity;
          context.fillStyle = colour;
          context.fillRect(0, 0, 1, 1);
        }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const luminance = (/** @type {number[]} */ colour) => {
        const [r, g, b] = colour.map((part) =>
          part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const shades = [...root.querySelectorAll('svg rect, svg path')].map((shade) => {
        const { fill, fillOpacity } = getComputedStyle(shade);
        const isShade = shade.localName === 'rect' && !/^(none|url)/.test(fill);
        const layer = { colour: fill, opacity: Number(fillOpacity) };
        return { shade, isShade, box: shade.getBoundingClientRect(), layer };
      });
      const behind = (/** @type {Element} */ text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return shades
          .filter(({ shade, isShade, box }) => {
            const isBefore = shade.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
            const contains = x > box.left && x < box.right && y > box.top && y < box.bottom;
            return isShade && isBefore && contains;
          })
          .map(({ layer }) => layer);
      };
      const grounds = (/** @type {Element | null} */ each) => {
        const layers = [];
        for (; each; each = each.parentElement) {
          layers.unshift({ colour: getComputedStyle(each).backgroundColor, opacity: 1 });
        }
        return layers;
      };
      const hasText = (/** @type {Element} */ each) =>
        [...each.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()) ||
        /^(input|textarea)$/.test(each.localName);
      return [...root.querySelectorAll('figure *')]
        .filter((each) => hasText(each) && !each.closest('style, title, desc, option'))
        .filter((each) => each.getClientRects().length > 0)
        .flatMap((each) => {
          const { color, fill } = getComputedStyle(each);
          const isDrawn = each.closest('svg');
          const ground = [
            { colour: page, opacity: 1 },
            ...(isDrawn ? behind(each) : grounds(each)),
          ];
          const [a, b] = [
            luminance(painted([...ground, { colour: isDrawn ? fill : color, opacity: 1 }])) + 0.05,
            luminance(painted(ground)) + 0.05,
          ];
          const ratio = Math.max(a / b, b / a);
          const name = (each.textContent ?? '').trim().slice(0, 30) || each.localName;
          return ratio < least ? [`${name} ${ratio.toFixed(2)}`] : [];
        });
    },
    { page, least: LEAST },
  );

/** Waits until an element shows numbers. @param {Page} tab  @param {string} tag */
const shown = (tab, tag) => until(tab, "root?.querySelector('.plot > svg text, output')", tag);

/** Holds where the title is light. */
const LIGHT_INK =
  "/2\\d\\d, 2\\d\\d, 2/.test(getComputedStyle(root.querySelector('.title')).color)";

const BACKGROUNDS = {
  white: '#ffffff',
  'a sepia page': '#f4ecd8',
  'a dark sepia page': '#d9c49a',
  'a pale blue': '#cfe3f5',
  'a light grey': '#b4b4b4',
  'the middle of the greys': '#808080',
  'the grey of least contrast': '#767676',
  'a grey near which marks change sides': '#979797',
  'two dark greys': '#565656',
  'a darker one': '#4a4a4a',
  'a red': '#b02a37',
  'a green': '#2f9e44',
  'a slate': '#1b1e23',
  'a navy blue': '#0b1f4b',
  black: '#000000',
};

describe('every text of every element', () => {
  for (const name of ELEMENTS) {
    it(`can be read on pages of any colour: attn-${name}`, async () => {
      const tag = `attn-${name}`;
      const tab = await bench.open(`<${tag}></${tag}>`, { width: 700 });
      await shown(tab, tag);
      for (const [kind, colour] of Object.entries(BACKGROUNDS)) {
        await dress(tab, `body { background: ${colour} }`);
        assert.deepEqual(await faintTexts(tab, tag, colour), [], `on ${kind}`);
      }
    });
  }
});

describe('a page that is dark in its own way', () => {
  /** Opens a page with a figure. @param {string} [body] @param {'light' | 'dark'} [scheme] */
  async function open(body = '<attn-saturation></attn-saturation>', scheme = 'light') {
    const tab = await bench.open(body, { scheme });
    await drawn(tab);
    return tab;
  }

  it('says so by a class, without color-scheme', async () => {
    const tab = await open();
    await dress(tab, 'html.dark body { background: #1b1e23; color: #ddd }');
    assert.deepEqual(await faintTexts(tab, 'attn-saturation', '#ffffff'), []);
    await tab.evaluate(() => document.documentElement.classList.add('dark'));
    await until(tab, LIGHT_INK);
    assert.deepEqual(await faintTexts(tab, 'attn-saturation', '#1b1e23'), []);
  });

  it('says so later, by a data attribute, and takes its time', async () => {
    const tab = await open();
    await dress(
      tab,
      'body { background: #fff; transition: background-color 200ms } [data-theme=dark] body { background: #111; color: #eee }',
    );
    await tab.evaluate(() => {
      document.documentElement.dataset.theme = 'dark';
    });
    await until(tab, LIGHT_INK);
    assert.deepEqual(await faintTexts(tab, 'attn-saturation', '#111111'), []);
  });

  for (const [what, css, colour] of [
    ['a deck with a black background', 'body { background: #000; color: #fff }', '#000000'],
    ['a picture with light text', 'body { background: linear-gradient(#222, #000); color: #eee }', '#222222'],
    ['a colour of CSS Color 4', 'body { background: oklch(0.2 0.02 260) }', '#10151d'],
    ['panels of glass', 'body { background: #fff } .glass { background: rgb(0 0 0 / 85%) }', '#262626'],
    ['light where the reader prefers dark pages', 'body { color: #333 }', '#ffffff'],
  ]) {
    it(`is ${what}`, async () => {
      const scheme = what.startsWith('light') ? 'dark' : 'light';
      const tab = await open('<div class="glass"><attn-saturation></attn-saturation></div>', scheme);
      await dress(tab, css);
      assert.deepEqual(await faintTexts(tab, 'attn-saturation', colour), []);
    });
  } // prettier-ignore

  it('is so by a style sheet that comes, is switched off and on, and goes', async () => {
    const tab = await open();
    await tab.route('**/dark.css', (route) =>
      route.fulfill({ contentType: 'text/css', body: 'body { background: #111; color: #eee }' }),
    );
    await tab.evaluate(() => {
      const link = Object.assign(document.createElement('link'), { id: 'dark' });
      document.head.append(Object.assign(link, { rel: 'stylesheet', href: '/dark.css' }));
    });
    await until(tab, LIGHT_INK);
    const change = (/** @type {(link: HTMLLinkElement) => void} */ by) =>
      tab.locator('#dark').evaluate(by);
    await change((link) => (link.media = 'print'));
    await until(tab, `!(${LIGHT_INK})`);
    await change((link) => (link.media = 'all'));
    await until(tab, LIGHT_INK);
    await change((link) => link.remove());
    await until(tab, `!(${LIGHT_INK})`);
  });

  it('follows the preference of the reader, also when that changes', async () => {
    const tab = await open();
    await dress(
      tab,
      '@media (prefers-color-scheme: dark) { body { background: #15202b; color: #fff } }',
    );
    await tab.emulateMedia({ colorScheme: 'dark' });
    await until(tab, LIGHT_INK);
    assert.deepEqual(await faintTexts(tab, 'attn-saturation', '#15202b'), []);
  });
});

describe('colours of a page', () => {
  it('win, and colour a series and its labels alike', async () => {
    const tab = await bench.open('<attn-saturation></attn-saturation>');
    await drawn(tab);
    await dress(
      tab,
      'body { background: #282a36 } attn-saturation { --attn-scaled: #7fdbca; --attn-unscaled: #ff79c6 }',
    );
    const colours = await tab.locator('attn-saturation').evaluate((figure) => {
      const of = (/** @type {string} */ series) => [
        ...new Set(
          [...(figure.shadowRoot?.querySelectorAll(`svg text[data-series=${series}]`) ?? [])].map(
            (text) => getComputedStyle(text).fill,
          ),
        ),
      ];
      return [of('scaled'), of('unscaled')];
    });
    assert.deepEqual(colours, [['rgb(127, 219, 202)'], ['rgb(255, 121, 198)']]);
  });

  it('give way to a theme of the element', async () => {
    const tab = await bench.open('<attn-saturation theme="light"></attn-saturation>');
    await drawn(tab);
    await dress(tab, 'body { background: #000 }');
    await until(tab, `!(${LIGHT_INK})`);
    await tab.evaluate(() => document.querySelector('attn-saturation')?.removeAttribute('theme'));
    await until(tab, LIGHT_INK);
  });
});
