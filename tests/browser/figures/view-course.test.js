// A course of training in <attn-view>, in Chromium: from files, and from steps that a page pushes.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { drawn, until, useBench } from './bench.js';
import { savedPage } from './saved-page.js';

const NAME = 'attn-view';
const bench = useBench();

const statusHas = (/** @type {string} */ text) =>
  `root?.querySelector('[role=status]')?.textContent.includes(${JSON.stringify(text)})`;

/** Weights of two heads at a step: the first is sharper with each. @param {number} p */
const headsAt = (p) => [
  [[p, 1 - p], [1 - p, p]],
  [[0.5, 0.5], [0.25, 0.75]],
]; // prettier-ignore

it('shows a course of training of several files: its map, a step by slider, key and click, a statistic', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const files = [0, 50, 800].map((step, i) => ({
    name: `attention-${step}.json`,
    mimeType: '',
    buffer: Buffer.from(JSON.stringify(headsAt(0.5 + i / 4))),
  }));
  await tab.locator(`${NAME} input[type=file]`).setInputFiles([files[2], files[0], files[1]]);
  await until(tab, statusHas('Layer 1, head 1 has been frozen since step 800: at step 800'), NAME);
  const slider = tab.locator(`${NAME} #course-step`);
  assert.equal(await slider.getAttribute('aria-valuetext'), '800 (3 of 3)');
  await slider.press('ArrowLeft');
  await until(tab, statusHas('has been spread since step 50: at step 50'), NAME);
  assert.equal(await tab.locator(NAME).getAttribute('step'), '50');
  const map = tab.locator(`${NAME} .map`);
  const { width, height } = /** @type {{ width: number, height: number }} */ (
    await map.boundingBox()
  );
  await map.click({ position: { x: width - 4, y: height - 4 } });
  await until(tab, statusHas('Layer 1, head 2 has been'), NAME);
  await until(tab, `figure.step === '800' && figure.head === 2`, NAME);
  await map.hover({ position: { x: 4, y: 4 } });
  await tab.locator(`${NAME} #course-statistic`).selectOption('first');
  await until(
    tab,
    `root.querySelector('svg desc').textContent.startsWith('weight of the first key')`,
    NAME,
  );
  assert.equal(await tab.locator(NAME).evaluate((figure) => Reflect.get(figure, 'step')), '800');
  await tab.locator(`${NAME} [part=table]`).click();
  await until(
    tab,
    `root.querySelector('.data').textContent.includes('Step since which the verdict holds')`,
    NAME,
  );
});

it('follows a course of training that a page pushes, and names a step that cannot be read', async () => {
  const tab = await bench.open(`<${NAME} lang="zh"></${NAME}>`);
  const push = (/** @type {number} */ step, /** @type {unknown} */ weights) =>
    tab.locator(NAME).evaluate(
      (figure, item) => {
        const { series = [] } = /** @type {any} */ (figure);
        Object.assign(figure, { series: [...series, item] });
      },
      { step, weights },
    );
  await push(10, headsAt(0.5));
  await until(tab, statusHas('第 1 层第 1 头从第 10 步起一直均匀'), NAME);
  await push(20, headsAt(1));
  await until(tab, statusHas('从第 20 步起一直冻结'), NAME);
  await push(15, [[1]]);
  await until(
    tab,
    `root.querySelector('.note').textContent.includes('有 1 步读不出来。第 15 步：')`,
    NAME,
  );
  await push(20, headsAt(1));
  await until(
    tab,
    `root.querySelector('[part=failure]')?.textContent.includes('is of step 20, as is')`,
    NAME,
  );
  await tab.locator(NAME).evaluate((figure) => void Object.assign(figure, { series: undefined }));
  await until(tab, `!root.querySelector('.map')`, NAME);
  await until(tab, `root.querySelectorAll('[part=head]').length === 4`, NAME);
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
  await tab.locator('x-later').scrollIntoViewIfNeeded();
  await until(tab, statusHas('since step 1: at step 5'), 'x-later');
  assert.equal(await tab.locator('x-later #course-step').getAttribute('max'), '4');
});

it('saves the course as one page: its map, its dates and every step, without a request', async () => {
  const tab = await bench.open(`<${NAME} step="50"></${NAME}>`);
  await tab.locator(NAME).evaluate(
    (figure, series) => void Object.assign(figure, { series, tokens: ['海', '<b>'] }),
    [0, 50, 800].map((step, i) => ({ step, weights: headsAt(0.5 + i / 4) })),
  );
  await until(tab, statusHas('since step 50: at step 50'), NAME);
  const saved = await savedPage(tab);
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url().slice(0, 5)));
  await tab.goto(pathToFileURL(saved).href);
  await until(tab, statusHas('since step 50: at step 50 “<b>” gives'), NAME);
  const slider = tab.locator(`${NAME} #course-step`);
  await slider.press('End');
  await until(tab, statusHas('Layer 1, head 1 has been frozen since step 800: at step 800'), NAME);
  assert.deepEqual(requests, ['file:']);
});
