// Figures whose reader has set larger text: the root's font size is 24 or 32 pixels in place of 16.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ELEMENTS } from '../../../../../web/build/paths.js';
import { meetingTexts, useBench, until } from '../../bench.js';

/** @import { Page } from 'playwright-core' */

const bench = useBench();

/** The narrowest drawing, in its own pixels (web/figures/kit/shell/text-size.js). */
const NARROWEST = 300;

/** Sets the text size of a page, and waits until the figure has drawn for it. @param {Page} tab  @param {string} tag  @param {number} size */
async function read(tab, tag, size) {
  await tab.evaluate((pixels) => (document.documentElement.style.fontSize = `${pixels}px`), size);
  if (tag !== 'attn-claims') await until(tab, `figure.textScale === ${size / 16}`, tag);
  await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(0))));
}

/** Returns the sizes of texts in pixels, and what does not fit. @param {Page} tab  @param {string} tag */
const measured = (tab, tag) =>
  tab.locator(tag).evaluate((figure) => {
    const root = /** @type {ShadowRoot} */ (figure.shadowRoot);
    const { right } = figure.getBoundingClientRect();
    const sizeOf = (/** @type {string} */ selector) => {
      const element = root.querySelector(selector);
      return element ? parseFloat(getComputedStyle(element).fontSize) : NaN;
    };
    const labels = [...root.querySelectorAll('.plot > svg text')].map((label) => {
      const svg = /** @type {SVGSVGElement} */ (label.closest('svg'));
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      return scale * parseFloat(getComputedStyle(label).fontSize);
    });
    const scrolling = [...root.querySelectorAll('figure *')].filter((each) =>
      /auto|scroll/.test(getComputedStyle(each).overflowX),
    );
    // The box around a slanted label is larger than the label.
    const parts =
      'figure :not(svg *), .plot > svg text:not([transform*=rotate], [transform*=rotate] *)';
    const wide = [...root.querySelectorAll(parts)].filter(
      (each) =>
        each.getClientRects().length &&
        each.getBoundingClientRect().right > right + 1 &&
        !scrolling.some((box) => box !== each && box.contains(each)),
    );
    return {
      width: figure.clientWidth,
      title: sizeOf('.title'),
      caption: sizeOf('figcaption'),
      number: sizeOf('.readout td'),
      label: Math.min(...labels),
      wide: wide.map((each) => `${each.localName}.${each.getAttribute('class')}`),
    };
  });

describe('with large text', () => {
  for (const name of ELEMENTS) {
    it(`attn-${name} shows all of it in 390 and 1280 pixels, each text larger, none over another`, async () => {
      const tag = `attn-${name}`;
      const tab = await bench.open(`<${tag}></${tag}>`);
      await until(tab, "root?.querySelector('.plot > svg text, output')", tag);
      for (const width of [390, 1280]) {
        await tab.setViewportSize({ width, height: 900 });
        if (name !== 'claims') await until(tab, 'figure.figureWidth === figure.clientWidth', tag);
        await read(tab, tag, 16);
        const usual = await measured(tab, tag);
        for (const size of [24, 32]) {
          await read(tab, tag, size);
          const large = await measured(tab, tag);
          const scale = size / 16;
          for (const text of /** @type {const} */ (['title', 'caption', 'number'])) {
            if (usual[text]) assert.ok(Math.abs(large[text] - scale * usual[text]) < 0.1, text);
          }
          const drawn = Math.min(scale, Math.max(1, large.width / NARROWEST));
          assert.ok(!(large.label < 0.99 * drawn * Math.min(12, usual.label)), `${large.label}`);
          assert.deepEqual(large.wide, []);
          assert.deepEqual(await meetingTexts(tab, tag), []);
        }
      }
    });
  }
});

it('keeps handles and cells on their drawing, and the slider above its axis', async () => {
  const tab = await bench.open(
    '<attn-asymmetry></attn-asymmetry><attn-flow></attn-flow><attn-saturation></attn-saturation>',
    { width: 1280 },
  );
  for (const size of [16, 32]) {
    for (const tag of ['attn-asymmetry', 'attn-flow', 'attn-saturation']) {
      await tab.locator(tag).scrollIntoViewIfNeeded();
      await until(tab, "root?.querySelector('.plot > svg text')", tag);
      await read(tab, tag, size);
    }
    const found = await tab.evaluate(() => {
      const rootOf = (/** @type {string} */ tag) =>
        /** @type {ShadowRoot} */ (document.querySelector(tag)?.shadowRoot);
      const boxes = (/** @type {string} */ tag, /** @type {string} */ selector) =>
        [...rootOf(tag).querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
      const middle = (/** @type {DOMRect} */ { left, right, top, bottom }) => [
        (left + right) / 2,
        (top + bottom) / 2,
      ];
      const distance = (/** @type {DOMRect} */ a, /** @type {DOMRect} */ b) =>
        Math.hypot(middle(a)[0] - middle(b)[0], middle(a)[1] - middle(b)[1]);
      const [chosen] = boxes('attn-flow', '.plot > svg rect[stroke-width="2"]');
      const cells = boxes('attn-flow', '.overlay [data-cell], .overlay button, .overlay input');
      const marks = boxes('attn-asymmetry', '.plot > svg:first-of-type path[data-series]');
      const handles = boxes('attn-asymmetry', '.handles button');
      return {
        handles: Math.max(
          ...handles.map((handle) => Math.min(...marks.map((mark) => distance(handle, mark)))),
        ),
        cell: Math.min(...cells.map((cell) => distance(cell, chosen))),
      };
    });
    assert.ok(found.handles < 2, `${size}: ${found.handles}`);
    assert.ok(found.cell < 2, `${size}: ${found.cell}`);
  }
});
