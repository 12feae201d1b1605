// <attn-values> in Chromium: a short run at once, the long one on Run, by keyboard.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { init } from '../../../web/attention/index.js';
import { quickRecall } from '../../../web/experiments/index.js';
import { drawn, readout, useBench, until } from './bench.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const NAME = 'attn-values';
const bench = useBench();

it('shows a short run at once, labelled so, and another d by arrow key', async () => {
  const tab = await bench.open('<attn-values></attn-values>');
  await drawn(tab, NAME);
  const lines = await readout(tab, NAME);
  assert.ok(lines['tied: loss at the end'].measured > 1);
  assert.ok(lines['untied: loss at the end'].measured < 0.5);
  assert.match((await tab.locator(`${NAME} .note`).textContent()) ?? '', /A short run/);
  await tab.locator(`${NAME} input[type=range]`).first().press('ArrowRight');
  await until(tab, "root.querySelector('[role=status]').textContent.includes('of length 4')", NAME);
});

it('trains every d on Run, and stops when cancelled; it announces the result then, not all along', async () => {
  const tab = await bench.open('<attn-values lang="zh"></attn-values>');
  await drawn(tab, NAME);
  const texts = () =>
    tab.evaluate((name) => {
      const root = document.querySelector(name)?.shadowRoot;
      return ['[role=status]', '[part~=title]'].map((place) =>
        root?.querySelector(place)?.textContent?.trim(),
      );
    }, NAME);
  const [before] = await texts();
  const run = tab.locator(`${NAME} [part~=run]`);
  await run.press('Enter');
  await tab.locator(`${NAME} progress`).waitFor();
  assert.equal(await run.getAttribute('aria-disabled'), 'true');
  assert.ok(await run.evaluate((button) => button.matches(':focus')), 'keeps the focus');
  await until(tab, "root.querySelector('.readout').textContent.includes('3 次的中位数')", NAME);
  const [status, title] = await texts();
  assert.equal(status, before);
  assert.notEqual(title, before);
  const cancel = tab.locator(`${NAME} [part~=cancel]`);
  await tab.keyboard.press('Tab');
  await tab.keyboard.press('Enter');
  await cancel.waitFor({ state: 'hidden' });
  assert.ok(await run.evaluate((button) => button.matches(':focus')), 'gets the focus back');
  const said = "root.querySelector('[role=status]').textContent";
  const shown = "root.querySelector('[part~=title]').textContent.trim()";
  const cancelled = '已取消，已测得的结果保留。';
  await until(tab, `${said} === '${cancelled} ' + ${shown}`, NAME);
  await tab.locator(`${NAME} input[type=range]`).first().press('ArrowLeft');
  await until(tab, "root.querySelector('[role=status]').textContent.startsWith('用 2 维')", NAME);
  assert.match((await tab.locator(`${NAME} .readout`).textContent()) ?? '', /3 次/);
});

it('reports a change that comes between two frames of a run', async () => {
  const tab = await bench.open('<attn-values></attn-values>');
  await drawn(tab, NAME);
  const told = await tab.evaluate(async (name) => {
    const figure = /** @type {any} */ (document.querySelector(name));
    const found = /** @type {number[]} */ ([]);
    figure.addEventListener('attn-change', (/** @type {CustomEvent} */ event) =>
      found.push(event.detail.state.dK),
    );
    const real = requestAnimationFrame;
    const frames = /** @type {FrameRequestCallback[]} */ ([]);
    globalThis.requestAnimationFrame = (frame) => frames.push(frame);
    figure.run();
    figure.dK = 4;
    const { progress } = figure;
    while (figure.progress === progress) await new Promise((resolve) => setTimeout(resolve));
    globalThis.requestAnimationFrame = real;
    for (const frame of frames) frame(performance.now());
    figure.cancel();
    while (found.length === 0) await new Promise((resolve) => setTimeout(resolve));
    return found;
  }, NAME);
  assert.deepEqual(told, [4]);
});

it('names its lines where nothing crosses the names, before and after a run', async () => {
  await init();
  const long = quickRecall({ steps: 500 }); // in place of the reader's own
  for (const lang of LANGUAGE_KEYS) {
    const tab = await bench.open(`<${NAME}></${NAME}>`, {
      lang,
      width: lang === 'en' ? 1000 : 336,
    });
    await drawn(tab, NAME);
    /** Returns names in the first panel that a line or a mark of either series runs through. */
    const crossed = () =>
      tab.locator(NAME).evaluate(({ shadowRoot }) => {
        const all = [
          .../** @type {ShadowRoot} */ (shadowRoot).querySelectorAll('.plot > svg [data-series]'),
        ];
        const lines = /** @type {SVGPathElement[]} */ (
          all.filter((each) => each.matches('path[fill=none]:not([data-series=folk])'))
        );
        const names = all.filter((each) => each.matches('text')).slice(0, 2);
        return names.flatMap((name) => {
          const { left, right, top, bottom } = name.getBoundingClientRect();
          return lines.flatMap((line) => {
            const toScreen = /** @type {DOMMatrix} */ (line.getScreenCTM());
            const length = line.getTotalLength();
            for (let at = 0; at <= length; at++) {
              const { x, y } = line.getPointAtLength(at).matrixTransform(toScreen);
              if (x > left && x < right && y > top + 3 && y < bottom - 3)
                return [`${name.textContent} by ${line.getAttribute('data-series')}`];
            }
            return [];
          });
        });
      });
    assert.deepEqual(await crossed(), [], `${lang}, short run`);
    await tab.locator(NAME).evaluate((figure, result) => {
      Object.assign(figure, { result });
      /** @type {any} */ (figure).retry();
    }, long);
    await until(tab, 'figure.data.measured', NAME);
    await tab.evaluate(() => new Promise(requestAnimationFrame));
    assert.deepEqual(await crossed(), [], `${lang}, long run`);
    await tab.close();
  }
});
