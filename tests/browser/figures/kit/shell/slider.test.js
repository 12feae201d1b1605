// Sliders of numbers that span decades: under the pointer, beside the axis, and on a phone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, useBench, until } from '../../bench.js';

/** @import { Page } from 'playwright-core' */

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

/** Returns the box of the first track. @param {Page} tab */
const trackBox = (tab) =>
  tab.locator('attn-saturation').evaluate(({ shadowRoot }) => {
    const { left, right, top, bottom } =
      shadowRoot?.querySelector('.track')?.getBoundingClientRect() ?? new DOMRect();
    return { left, right, y: (top + bottom) / 2 };
  });

/** @param {Page} tab  @returns {Promise<number>} */
const dK = (tab) => tab.locator('attn-saturation').evaluate((figure) => Reflect.get(figure, 'dK'));

describe('a slider of d_k', () => {
  it('is even in ratios under a mouse and a finger: √512 in the middle, d* = 8.3 a third along', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const { left, right, y } = await trackBox(tab);
    await tab.mouse.click((left + right) / 2, y);
    assert.equal(await dK(tab), 23);
    await tab.mouse.move(left + (right - left) / 2, y);
    await tab.mouse.down();
    await tab.mouse.move(left + (right - left) * (Math.log(8.3) / Math.log(512)), y, { steps: 5 });
    assert.equal(await dK(tab), 8);
    await tab.mouse.move(right + 300, y);
    await tab.mouse.up();
    assert.equal(await dK(tab), 512);
    await tab.mouse.move(left, y);
    assert.equal(await dK(tab), 512, 'let go');
    await until(tab, "figure.getAttribute('d-k') === '512'");
  });

  it('keeps numbers as the value of its input', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const slider = tab.locator('attn-saturation input[type=range]').first();
    await slider.fill('200');
    assert.equal(await dK(tab), 200);
    await slider.press('ArrowLeft');
    assert.equal(await dK(tab), 197); // 2^(61/8)
    await slider.press('PageUp');
    assert.equal(await dK(tab), 256);
  });

  it('is as long as the axis of d_k below it, at every width', async () => {
    for (const width of [390, 1000]) {
      const tab = await bench.open(FIGURE, { width });
      await drawn(tab);
      const ticks = await tab.locator('attn-saturation').evaluate(({ shadowRoot }) =>
        ['1', '256'].map((name) => {
          const labels = [...(shadowRoot?.querySelectorAll('.plot svg text') ?? [])];
          const last = labels
            .filter(({ textContent }) => textContent === name)
            .at(name === '1' ? -3 : 0);
          const { left, right } = last?.getBoundingClientRect() ?? new DOMRect();
          return (left + right) / 2;
        }),
      );
      const { left, right } = await trackBox(tab);
      assert.ok(Math.abs(left + ((right - left) * 8) / 9 - ticks[1]) < 2, `${width}: ${ticks}`);
      await tab.close();
    }
  });
});

describe('on a phone', () => {
  const BODY = `<div class="far"></div>${FIGURE}<div class="far"></div>`;

  /** Returns the place of the main control. @param {Page} tab */
  const place = (tab) =>
    tab.locator('attn-saturation').evaluate(({ shadowRoot }) => {
      const { top, height } =
        shadowRoot?.querySelector('.main')?.getBoundingClientRect() ?? new DOMRect();
      return { top, height };
    });

  it('the main control stays in view with the panels, on a sixth of the screen at most', async () => {
    const tab = await bench.open(BODY, { width: 390 });
    await tab.locator('attn-saturation').scrollIntoViewIfNeeded();
    await drawn(tab);
    const plot = tab.locator('attn-saturation .plot > svg').last();
    await plot.evaluate((svg) => scrollTo(0, scrollY + svg.getBoundingClientRect().bottom - 400));
    const { top, height } = await place(tab);
    assert.ok(top >= 0 && top < 10, `${top}`);
    assert.ok(height > 24 && height < 900 / 6, `${height}`);
    await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    assert.ok((await place(tab)).top < 0, 'not beyond its figure');
  });

  it('it scrolls away in a box that it would fill', async () => {
    const tab = await bench.open(`<div class="box">${FIGURE}</div>`, { width: 390 });
    await tab.evaluate(() => {
      const box = /** @type {HTMLElement} */ (document.querySelector('.box'));
      box.style.cssText = 'height: 200px; overflow: auto';
      box.append(/** @type {Element} */ (box.firstElementChild)); // measured in this box
    });
    await drawn(tab);
    await until(tab, '!figure.mayStay && !figure.isUpdatePending'); // it may have drawn before it was moved
    await tab.locator('.box').evaluate((box) => box.scrollTo(0, 600));
    assert.ok((await place(tab)).top < 0);
  });
});
