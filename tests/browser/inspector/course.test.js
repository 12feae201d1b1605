// A course of training in <attn-view>, in Chromium: from files, and from steps that a page pushes.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { figureOn, useFigure } from '../figures/bench.js';
import { savedPage } from './saved-page.js';

const NAME = 'attn-view';
const { bench, open } = useFigure(NAME);

/** Weights of two heads at a step: the first is sharper with each. @param {number} p */
const headsAt = (p) => [
  [[p, 1 - p], [1 - p, p]],
  [[0.5, 0.5], [0.25, 0.75]],
]; // prettier-ignore

it('shows a course of training of several files: its map, a step by slider, key and click, a statistic', async () => {
  const { element, find, until, shows, get } = await open();
  const files = [0, 50, 800].map((step, i) => ({
    name: `attention-${step}.json`,
    mimeType: '',
    buffer: Buffer.from(JSON.stringify(headsAt(0.5 + i / 4))),
  }));
  await find('input[type=file]').setInputFiles([files[2], files[0], files[1]]);
  await shows('[role=status]', 'Layer 1, head 1 has been frozen since step 800: at step 800');
  const slider = find('#course-step');
  assert.equal(await slider.getAttribute('aria-valuetext'), '800 (3 of 3)');
  await slider.press('ArrowLeft');
  await shows('[role=status]', 'has been spread since step 50: at step 50');
  assert.equal(await element.getAttribute('step'), '50');
  const map = find('.map');
  const { width, height } = /** @type {{ width: number, height: number }} */ (
    await map.boundingBox()
  );
  await map.click({ position: { x: width - 4, y: height - 4 } });
  await shows('[role=status]', 'Layer 1, head 2 has been');
  await until(`figure.step === '800' && figure.head === 2`);
  await map.hover({ position: { x: 4, y: 4 } });
  await find('#course-statistic').selectOption('first');
  await until(`root.querySelector('svg desc').textContent.startsWith('weight of the first key')`);
  assert.equal(await get('step'), '800');
  await find('[part=table]').click();
  await shows('.data', 'Step since which the verdict holds');
});

it('follows a course of training that a page pushes, and names a step that cannot be read', async () => {
  const { element, until, shows, set } = await open('lang="zh"');
  const push = (/** @type {number} */ step, /** @type {unknown} */ weights) =>
    element.evaluate(
      (figure, item) => {
        const { series = [] } = /** @type {any} */ (figure);
        Object.assign(figure, { series: [...series, item] });
      },
      { step, weights },
    );
  await push(10, headsAt(0.5));
  await shows('[role=status]', '第 1 层第 1 头从第 10 步起一直均匀');
  await push(20, headsAt(1));
  await shows('[role=status]', '从第 20 步起一直饱和');
  await push(15, [[1]]);
  await shows('.note', '有 1 步读不出来。第 15 步：');
  await push(20, headsAt(1));
  await shows('[part=failure]', 'is of step 20, as is');
  await set({ series: undefined });
  await until(`!root.querySelector('.map')`);
  await until(`root.querySelectorAll('[part=head]').length === 4`);
});

it('loses no step that a page gives before it knows the element, or before the figure is near', async () => {
  const tab = await bench.open(`<div class="far"></div>`);
  await tab.evaluate((name) => {
    const figure = document.createElement('x-later');
    const steps = [1, 2, 3].map((step) => ({ step, weights: [[1, 0], [0.5, 0.5]] })); // prettier-ignore
    Object.assign(figure, { series: steps.slice(0, 2) });
    Object.assign(figure, { series: [...Reflect.get(figure, 'series'), steps[2]] });
    document.body.append(figure);
    class Later extends /** @type {CustomElementConstructor} */ (customElements.get(name)) {}
    customElements.define('x-later', Later);
    for (const step of [4, 5]) {
      const series = [...Reflect.get(figure, 'series'), { ...steps[0], step }];
      Object.assign(figure, { series });
    }
  }, NAME);
  const later = figureOn(tab, 'x-later');
  await later.element.scrollIntoViewIfNeeded();
  await later.shows('[role=status]', 'since step 1: at step 5');
  assert.equal(await later.find('#course-step').getAttribute('max'), '4');
});

it('saves the course as one page: its map, its dates and every step, without a request', async () => {
  const { tab, find, shows, set } = await open('step="50"');
  const series = [0, 50, 800].map((step, i) => ({ step, weights: headsAt(0.5 + i / 4) }));
  await set({ series, tokens: ['海', '<b>'] });
  await shows('[role=status]', 'since step 50: at step 50');
  const saved = await savedPage(tab);
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url().slice(0, 5)));
  await tab.goto(pathToFileURL(saved).href);
  await shows('[role=status]', 'since step 50: at step 50 “<b>” gives');
  const slider = find('#course-step');
  await slider.press('End');
  await shows('[role=status]', 'Layer 1, head 1 has been frozen since step 800: at step 800');
  assert.deepEqual(requests, ['file:']);
});
