// <attn-walk> in Chromium: its buttons and its slider, and room on a phone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { meetingTexts, useFigure } from './bench.js';

const { open } = useFigure('attn-walk');

it('changes the scale by a press of a button or an arrow key, and announces it', async () => {
  const { element, find, until, shows } = await open();
  await find('.options label').nth(1).click();
  await until("figure.getAttribute('scale') === 'sqrt'");
  await shows('.title', 'strays by 1');
  await find('input[type=radio]').nth(1).press('ArrowRight');
  await until("figure.scale === 'linear'");
  await shows('.title', '0.125');
  await element.evaluate((figure) => figure.setAttribute('scale', 'none'));
  await until("root.querySelector('[value=none]').checked");
});

it('follows the arrow keys on d_k', async () => {
  const { find, until } = await open();
  await find('input[type=range]').first().press('End');
  await until("figure.dK === 512 && root.querySelector('.title').textContent.includes('22.6')");
});

it('restores a shared state', async () => {
  const { get } = await open('', {
    hash: '#attn=1&figure=walk&d-k=200&scale=linear&walks=17&seed=3',
  });
  const state = await get('state');
  assert.deepEqual(state, { dK: 200, scale: 'linear', walks: 17, seed: 3 });
});

it('shows its picture and its controls on one screen of a phone, in both languages', async () => {
  for (const lang of ['en', 'zh']) {
    const { tab, find } = await open('', { lang, width: 390 });
    const boxOf = (/** @type {string} */ part) => find(part).boundingBox();
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
    const { tab } = await open(state, { width });
    assert.deepEqual(await meetingTexts(tab, 'attn-walk'), [], `${width} px ${state}`);
    await tab.close();
  }
});
