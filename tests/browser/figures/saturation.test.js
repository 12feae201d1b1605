// <attn-saturation> driven by keyboard and pointer in Chromium.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, readout, shadowText, useBench, until } from './bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';
const CHINESE = /\p{Script=Han}/u;

/** @param {import('playwright-core').Page} tab  @returns {Promise<number>} */
const dK = (tab) =>
  tab
    .locator('attn-saturation')
    .first()
    .evaluate((figure) => Reflect.get(figure, 'dK'));

describe('numbers', () => {
  it('stand near theory at the defaults: .79 unscaled, .11 scaled', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const lines = await readout(tab);
    assert.equal(Object.keys(lines).length, 8);
    for (const [name, { measured, theory }] of Object.entries(lines)) {
      // Of 256 queries without a scale, one in three has another key so close.
      const most = name.includes('others within') ? 0.25 : 0.05;
      assert.ok(Math.abs(measured / theory - 1) < most, `${name}: ${measured} against ${theory}`);
    }
    assert.equal(lines['unscaled: largest weight'].measured.toFixed(2), '0.79');
    assert.equal(lines['scaled: largest weight'].measured.toFixed(2), '0.11');
  });

  it('follow a mouse that drags in the panels against d_k, and a tap, not a finger that scrolls', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const box = await tab.locator('attn-saturation svg rect').first().boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 3, box.y + box.height / 2];
    await tab.mouse.move(x - 20, y);
    await tab.mouse.down();
    await tab.mouse.move(x, y);
    assert.equal(await dK(tab), 8);
    await tab.mouse.up();
    await until(tab, "root.querySelector('.title').textContent.includes('= 8,')");
    await until(tab, "figure.getAttribute('d-k') === '8'");
    const [scrolled, tapped] = await tab.locator('attn-saturation').evaluate((figure) => {
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
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const before = await readout(tab);
    await tab.locator('attn-saturation [part~=sample]').click();
    await until(tab, "root.querySelector('[part~=sample]').textContent.includes('6')");
    await until(tab, "figure.getAttribute('seed') === '6'"); // written once it has settled
    const other = await readout(tab);
    assert.notDeepEqual(other, before);
    await tab.locator('attn-saturation').evaluate((figure) => Reflect.set(figure, 'seed', 5));
    const same = JSON.stringify(before);
    while (JSON.stringify(await readout(tab)) !== same) await tab.waitForTimeout(20);
    // After the last seed comes the first.
    await tab.locator('attn-saturation').evaluate((figure) => Reflect.set(figure, 'seed', 999_999));
    await tab.locator('attn-saturation [part~=sample]').click();
    assert.equal(
      await tab.locator('attn-saturation').evaluate((figure) => Reflect.get(figure, 'seed')),
      1,
    );
  });
});

describe('the drawing', () => {
  it('keeps its axes while d_k is dragged', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const ticks = () =>
      tab
        .locator('attn-saturation')
        .evaluate((figure) =>
          [...(figure.shadowRoot?.querySelectorAll('svg[role=img] text') ?? [])]
            .map((text) => `${text.getAttribute('x')} ${text.textContent}`)
            .filter((text) => /^[\d.]+ [−\d.]+$/.test(text)),
        );
    const before = await ticks();
    assert.ok(before.length > 20);
    await tab.locator('attn-saturation input[type=range]').first().focus();
    for (let i = 0; i < 5; i++) await tab.keyboard.press('PageUp');
    await until(tab, "!root.querySelector('.title').textContent.includes('= 64')");
    assert.deepEqual(await ticks(), before);
  });

  it('marks the freezing point d* = 2 ln n in words', async () => {
    const tab = await bench.open('<attn-saturation keys="512"></attn-saturation>');
    await drawn(tab);
    assert.match(await shadowText(tab), /saturation begins: d\* = 2 ln n = 12/);
  });

  it('dims the other series while one is under the pointer or has the focus, in spite of a pinned one', async () => {
    const tab = await bench.open(`${FIGURE}<button id="after">after</button>`);
    await drawn(tab);
    const dimmed = () => tab.locator('attn-saturation svg [data-series=unscaled].dim').count();
    assert.equal(await dimmed(), 0);
    const scaled = tab.locator('attn-saturation button.series[data-series=scaled]');
    await scaled.focus();
    await until(tab, "root.querySelector('svg [data-series=unscaled].dim')");
    await tab.keyboard.press('Tab');
    await until(tab, "!root.querySelector('svg .dim')");
    await scaled.hover();
    await until(tab, "root.querySelector('svg [data-series=unscaled].dim')");
    await scaled.click();
    const unscaled = tab.locator('attn-saturation button.series[data-series=unscaled]');
    await unscaled.hover();
    await until(tab, "root.querySelector('svg [data-series=scaled].dim')");
    assert.equal(await dimmed(), 0);
    await scaled.click(); // no longer pinned
    await tab.locator('#after').hover();
    await unscaled.focus();
    await until(tab, "root.querySelector('svg [data-series=scaled].dim')");
    await tab.locator('#after').focus();
    await until(tab, "!root.querySelector('svg .dim')");
  });
});

describe('language', () => {
  it('is its own, else that of the nearest element, else of the page', async () => {
    const tab = await bench.open(
      `<attn-saturation id="own" lang="zh"></attn-saturation>
       <div lang="zh-Hans"><attn-saturation id="near"></attn-saturation></div>
       <attn-saturation id="page"></attn-saturation>`,
    );
    for (const id of ['own', 'near', 'page']) {
      await tab.locator(`#${id}`).scrollIntoViewIfNeeded();
      await drawn(tab, `#${id}`);
    }
    assert.match(await shadowText(tab, '#own'), CHINESE);
    assert.match(await shadowText(tab, '#near'), CHINESE);
    assert.doesNotMatch(await shadowText(tab, '#page'), CHINESE);
    await tab.evaluate(() => document.documentElement.setAttribute('lang', 'zh-CN'));
    await until(tab, "/[一-龥]/.test(root.querySelector('.title').textContent)", '#page');
  });
});

it('shows competitors and their law in place of the entropy, and a trained head beside them', async () => {
  const tab = await bench.open('<attn-saturation></attn-saturation>');
  await drawn(tab);
  const titles = () => tab.locator('attn-saturation .plot > svg > title').allTextContents();
  assert.equal((await titles())[3], 'Mean entropy / ln n');
  await tab.locator('attn-saturation summary').click();
  await tab.locator('attn-saturation #field-lower').selectOption('competitors');
  await until(tab, "root.querySelector('.plot').textContent.includes('Other keys within a gap')");
  await tab.locator('attn-saturation #field-head').selectOption('2-1');
  await until(tab, "root.querySelector('.readout').textContent.includes('trained: layer 2')");
  const { measured, theory } = (await readout(tab))['trained: others within 1 of the top score'];
  assert.ok(measured > 3 && measured < 3.3 && theory > 1.6 && theory < 1.8);
  await tab.locator('attn-saturation #field-lower').selectOption('growth');
  await until(tab, "root.querySelector('.plot').textContent.includes('ln² n')");
  assert.equal(await tab.locator('attn-saturation .plot > svg').count(), 4);
});
