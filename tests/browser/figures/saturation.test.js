// <attn-saturation> driven by keyboard and pointer in Chromium.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, figureOn, useFigure } from './bench.js';
import { waitUntil } from '../../wait.js';

const { bench, open } = useFigure('attn-saturation');

const FIGURE = '<attn-saturation></attn-saturation>';
const CHINESE = /\p{Script=Han}/u;

describe('numbers', () => {
  it('follow a mouse that drags in the panels against d_k, and a tap, not a finger that scrolls', async () => {
    const { tab, element, until, shows, get, boxOf } = await open();
    const box = await boxOf('svg rect');
    const [x, y] = [box.x + box.width / 3, box.y + box.height / 2];
    await tab.mouse.move(x - 20, y);
    await tab.mouse.down();
    await tab.mouse.move(x, y);
    assert.equal(await get('dK'), 8);
    await tab.mouse.up();
    await shows('.title', '= 8,');
    await until("figure.getAttribute('d-k') === '8'");
    const [scrolled, tapped] = await element.evaluate((figure) => {
      const rect = figure.shadowRoot?.querySelector('svg rect');
      const { left, top } = rect?.getBoundingClientRect() ?? new DOMRect();
      const [clientX, clientY] = [left + 20, top + 20];
      const touch = { clientX, clientY, bubbles: true, pointerType: 'touch' };
      return ['pointermove', 'click'].map((type) => {
        rect?.dispatchEvent(
          new PointerEvent(type, { ...touch, buttons: type === 'click' ? 0 : 1 }),
        );
        return Reflect.get(figure, 'dK');
      });
    });
    assert.equal(scrolled, 8);
    assert.notEqual(tapped, 8);
  });

  it('change with a new sample, whose seed is shown, and come back with the old one', async () => {
    const { find, until, shows, readout, get, set } = await open();
    const before = await readout();
    await find('[part~=sample]').click();
    await shows('[part~=sample]', '6');
    await until("figure.getAttribute('seed') === '6'"); // written once it has settled
    const other = await readout();
    assert.notDeepEqual(other, before);
    await set({ seed: 5 });
    const same = JSON.stringify(before);
    await waitUntil(async () => JSON.stringify(await readout()) === same, 'the old numbers');
    // After the last seed comes the first.
    await set({ seed: 999_999 });
    await find('[part~=sample]').click();
    assert.equal(await get('seed'), 1);
  });
});

describe('the drawing', () => {
  it('keeps its axes while d_k is dragged', async () => {
    const { tab, element, find, until } = await open();
    const ticks = () =>
      element.evaluate((figure) =>
        [...(figure.shadowRoot?.querySelectorAll('svg[role=img] text') ?? [])]
          .map((text) => `${text.getAttribute('x')} ${text.textContent}`)
          .filter((text) => /^[\d.]+ [−\d.]+$/.test(text)),
      );
    const before = await ticks();
    assert.ok(before.length > 20);
    await find('input[type=range]').first().focus();
    for (let i = 0; i < 5; i++) await tab.keyboard.press('PageUp');
    await until("!root.querySelector('.title').textContent.includes('= 64')");
    assert.deepEqual(await ticks(), before);
  });

  it('dims the other series while one is under the pointer or has the focus, in spite of a pinned one', async () => {
    const tab = await bench.open(`${FIGURE}<button id="after">after</button>`);
    await drawn(tab);
    const { find, until } = figureOn(tab, 'attn-saturation');
    const dimmed = () => find('svg [data-series=unscaled].dim').count();
    assert.equal(await dimmed(), 0);
    const scaled = find('button.series[data-series=scaled]');
    await scaled.focus();
    await until("root.querySelector('svg [data-series=unscaled].dim')");
    await tab.keyboard.press('Tab');
    await until("!root.querySelector('svg .dim')");
    await scaled.hover();
    await until("root.querySelector('svg [data-series=unscaled].dim')");
    await scaled.click();
    const unscaled = find('button.series[data-series=unscaled]');
    await unscaled.hover();
    await until("root.querySelector('svg [data-series=scaled].dim')");
    assert.equal(await dimmed(), 0);
    await scaled.click(); // no longer pinned
    await tab.locator('#after').hover();
    await unscaled.focus();
    await until("root.querySelector('svg [data-series=scaled].dim')");
    await tab.locator('#after').focus();
    await until("!root.querySelector('svg .dim')");
  });
});

describe('language', () => {
  it('is its own, else that of the nearest element, else of the page', async () => {
    const tab = await bench.open(
      `<attn-saturation id="own" lang="zh"></attn-saturation>
       <div lang="zh-Hans"><attn-saturation id="near"></attn-saturation></div>
       <attn-saturation id="page"></attn-saturation>`,
    );
    const [own, near, page] = ['#own', '#near', '#page'].map((id) => figureOn(tab, id));
    for (const figure of [own, near, page]) {
      await figure.element.scrollIntoViewIfNeeded();
      await figure.find('[part~=plot] > svg').first().waitFor();
    }
    assert.match(await own.allText(), CHINESE);
    assert.match(await near.allText(), CHINESE);
    assert.doesNotMatch(await page.allText(), CHINESE);
    await tab.evaluate(() => document.documentElement.setAttribute('lang', 'zh-CN'));
    await page.until("/[一-龥]/.test(root.querySelector('.title').textContent)");
  });
});
