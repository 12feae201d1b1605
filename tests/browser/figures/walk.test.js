// <attn-walk> in Chromium: its buttons and its slider, its numbers against theory, and room on a phone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, meetingTexts, readout, useBench, until } from './bench.js';

const NAME = 'attn-walk';
const bench = useBench();

const titleHas = (/** @type {string} */ text) =>
  `root.querySelector('.title').textContent.includes('${text}')`;

it('measures what theory expects, with each scale', async () => {
  const tab = await bench.open(`<${NAME} walks="2000"></${NAME}>`);
  await drawn(tab, NAME);
  const lines = await readout(tab, NAME);
  for (const [series, deviation] of /** @type {const} */ ([
    ['none', 8],
    ['sqrt', 1],
    ['linear', 0.125],
  ])) {
    assert.equal(lines[`${series}: σ of the scores`].theory, deviation);
    for (const quantity of ['σ of the scores', 'largest weight, mean', 'gradient, mean']) {
      const { measured, theory } = lines[`${series}: ${quantity}`];
      assert.ok(Math.abs(measured / theory - 1) < 0.12, `${series} ${measured} ${theory}`);
    }
  }
});

it('changes the scale by a press of a button or an arrow key, and announces it', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} .options label`).nth(1).click();
  await until(tab, "figure.getAttribute('scale') === 'sqrt'", NAME);
  await until(tab, titleHas('strays by 1'), NAME);
  await tab.locator(`${NAME} input[type=radio]`).nth(1).press('ArrowRight');
  await until(tab, "figure.scale === 'linear'", NAME);
  await until(tab, titleHas('0.125'), NAME);
  await tab.locator(NAME).evaluate((figure) => figure.setAttribute('scale', 'none'));
  await until(tab, "root.querySelector('[value=none]').checked", NAME);
});

it('follows the arrow keys on d_k: the typical gradient dies unscaled, and stays with √d_k', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const before = await readout(tab, NAME);
  await tab.locator(`${NAME} input[type=range]`).first().press('End');
  await until(
    tab,
    "figure.dK === 512 && root.querySelector('.title').textContent.includes('22.6')",
    NAME,
  );
  const after = await readout(tab, NAME);
  const median = 'gradient, median';
  assert.ok(after[`none: ${median}`].measured < 0.1 * before[`none: ${median}`].measured);
  const ratio = after[`sqrt: ${median}`].measured / before[`sqrt: ${median}`].measured;
  assert.ok(Math.abs(ratio - 1) < 0.05, String(ratio));
});

it('restores a shared state', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`, {
    hash: '#attn=1&figure=walk&d-k=200&scale=linear&walks=17&seed=3',
  });
  await drawn(tab, NAME);
  const state = await tab.locator(NAME).evaluate((figure) => Reflect.get(figure, 'state'));
  assert.deepEqual(state, { dK: 200, scale: 'linear', walks: 17, seed: 3 });
});

it('shows its picture and its controls on one screen of a phone, in both languages', async () => {
  for (const lang of ['en', 'zh']) {
    const tab = await bench.open(`<${NAME}></${NAME}>`, { lang, width: 390 });
    await drawn(tab, NAME);
    const boxOf = (/** @type {string} */ part) => tab.locator(`${NAME} ${part}`).boundingBox();
    const [title, plot] = [await boxOf('.title'), await boxOf('[part=plot]')];
    assert.ok(title && plot);
    const height = plot.y + plot.height - title.y;
    assert.ok(height < 844 - 60, `${lang} ${height}`);
    await tab.close();
  }
});

it('has no two texts that meet in its picture, on a phone and where its panels just fit', async () => {
  for (const [width, state] of /** @type {const} */ ([
    [336, ''],
    [390, 'scale="sqrt"'],
    [616, 'd-k="512"'],
    [656, 'scale="linear" d-k="1"'],
  ])) {
    const tab = await bench.open(`<${NAME} ${state}></${NAME}>`, { width });
    await drawn(tab, NAME);
    assert.deepEqual(await meetingTexts(tab, NAME), [], `${width} px ${state}`);
    await tab.close();
  }
});
