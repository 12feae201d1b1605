// <attn-values> in Chromium: a short run at once, the long one on Run, by keyboard.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { init } from '../../../web/attention/index.js';
import { recallRuns } from '../../../web/experiments/recall.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';
import { useFigure } from './bench.js';
import { waitUntil } from '../../wait.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const { open } = useFigure('attn-values');

it('shows a short run at once, labelled so, and another d by arrow key', async () => {
  const { find, shows, text, readout } = await open();
  const lines = await readout();
  assert.ok(lines['tied: loss at the end'].measured > 1);
  assert.ok(lines['untied: loss at the end'].measured < 0.5);
  assert.match(await text('.note'), /A short run/);
  await find('input[type=range]').first().press('ArrowRight');
  await shows('[role=status]', 'in 4 dimensions');
});

it('trains every d on Run, and stops when cancelled; it announces the result then, not all along', async () => {
  const { tab, find, until, shows, text } = await open('lang="zh"');
  const before = await text('[role=status]');
  const run = find('[part~=run]');
  await run.press('Enter');
  await find('progress').waitFor();
  assert.equal(await run.getAttribute('aria-disabled'), 'true');
  assert.ok(await run.evaluate((button) => button.matches(':focus')), 'keeps the focus');
  await shows('.readout', '3 次的中位数');
  assert.equal(await text('[role=status]'), before);
  await until("/^约剩 [1-9]\\d* 秒$/.test(root.querySelector('.left')?.textContent)");
  assert.notEqual((await text('[part~=title]')).trim(), before.trim());
  const cancel = find('[part~=cancel]');
  await tab.keyboard.press('Tab');
  await tab.keyboard.press('Enter');
  await cancel.waitFor({ state: 'hidden' });
  assert.ok(await run.evaluate((button) => button.matches(':focus')), 'gets the focus back');
  const said = "root.querySelector('[role=status]').textContent";
  const shown = "root.querySelector('[part~=title]').textContent.trim()";
  const cancelled = '已取消，已测得的结果保留。';
  await until(`${said} === '${cancelled} ' + ${shown}`);
  await find('input[type=range]').first().press('ArrowLeft');
  await until("root.querySelector('[role=status]').textContent.startsWith('用 2 维')");
  assert.match(await text('.readout'), /3 次/);
});

it('reports a change that comes between two frames of a run', async () => {
  const { element } = await open();
  const told = await element.evaluate(async (/** @type {any} */ figure) => {
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
    await waitUntil(() => figure.progress !== progress, 'progress of the run');
    globalThis.requestAnimationFrame = real;
    for (const frame of frames) frame(performance.now());
    figure.cancel();
    await waitUntil(() => found.length > 0, 'attn-change');
    return found;
  });
  assert.deepEqual(told, [4]);
});

it('names its lines where nothing crosses the names, before and after a run', async () => {
  await init();
  const long = atOnce(partsOf(recallRuns({ seeds: 1, steps: 500 }))); // in place of the reader's own
  for (const lang of LANGUAGE_KEYS) {
    const { tab, element, until } = await open('', {
      lang,
      width: lang === 'en' ? 1000 : 336,
    });
    /** Returns names in the first panel that a line or a mark of either series runs through. */
    const crossed = () =>
      element.evaluate(({ shadowRoot }) => {
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
    await element.evaluate((figure, result) => {
      Object.assign(figure, { result });
      /** @type {any} */ (figure).retry();
    }, long);
    await until('figure.data.measured');
    await tab.evaluate(() => new Promise(requestAnimationFrame));
    assert.deepEqual(await crossed(), [], `${lang}, long run`);
    await tab.close();
  }
});
