// <attn-walk> in Chromium: its buttons and its slider, and room on a phone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, figureOn, meetingTexts, useFigure } from './bench.js';

/** @import { Page } from 'playwright-core' */

const { bench, open } = useFigure('attn-walk');

/**
 * Lets the clock of a page go slower from now on, so that a busy machine finds a film at work.
 * @param {Page} tab
 * @param {number} times  1: as usual
 */
const slow = (tab, times) =>
  tab.evaluate((by) => {
    const now = performance.now.bind(performance);
    const read = Reflect.get(globalThis, 'read') ?? now;
    const [shown, real] = [now(), read()];
    performance.now = () => shown + (read() - real) / by;
    Object.assign(globalThis, { read });
  }, times);

/** Opens a page whose film has begun by itself, and goes slowly. */
async function openFilm() {
  const tab = await bench.open('<div class="far"></div><attn-walk></attn-walk>', { motion: true });
  await slow(tab, 40);
  await tab.locator('attn-walk').scrollIntoViewIfNeeded();
  await drawn(tab, 'attn-walk');
  return figureOn(tab, 'attn-walk');
}

it('changes the scale by a press of a button or an arrow key, and announces it', async () => {
  const { element, find, until, shows } = await open();
  await find('.options label').nth(1).click();
  await until("figure.getAttribute('scale') === 'sqrt'");
  await shows('.title', 'strays by 1');
  await find('input[type=radio]').nth(1).press('ArrowRight');
  await until("figure.scale === 'linear'");
  await shows('.title', '0.0625');
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
  assert.deepEqual(state, { dK: 200, scale: 'linear', start: 'unit', walks: 17, seed: 3 });
});

it('plays once by itself, leaves no trace in its attributes, and ends with the root', async () => {
  const { tab, until, get, element } = await openFilm();
  await until('figure.isPlaying && figure.dK > 1 && figure.dK < 256');
  await slow(tab, 1);
  await until("!figure.isPlaying && figure.dK === 256 && figure.scale === 'sqrt'");
  assert.equal(await element.evaluate((figure) => figure.attributes.length), 0);
  assert.equal(await get('isPlaying'), false);
});

it('stops where it is at a touch, and plays again at a press of the button', async () => {
  const { find, until, get, text } = await openFilm();
  await until('figure.isPlaying && figure.dK > 1');
  await find('.title').click();
  await until('!figure.isPlaying');
  const dK = await get('dK');
  assert.ok(dK < 256, `${dK}`);
  await until(`figure.dK === ${dK} && !root.querySelector('.parts').disabled`);
  await find('[part=play]').click();
  await until('figure.isPlaying');
  assert.match(await text('[part=play]'), /Stop/);
  await find('[part=play]').click();
  await until('!figure.isPlaying');
  for (const key of ['Enter', ' ']) {
    await find('[part=play]').press(key);
    await until('figure.isPlaying');
    await find('[part=play]').press(key);
    await until('!figure.isPlaying');
  }
  assert.ok((await get('dK')) < 256);
});

it('rests where readers want less motion, and where a page has chosen its state', async () => {
  const { tab, get, find, until } = await open();
  assert.deepEqual([await get('dK'), await get('scale')], [256, 'none']);
  await slow(tab, 40);
  await find('[part=play]').click();
  await until('figure.isPlaying && figure.dK < 200');
  const chosen = await open('d-k="64"', { motion: true });
  await chosen.tab.waitForTimeout(600);
  assert.deepEqual([await chosen.get('isPlaying'), await chosen.get('dK')], [false, 64]);
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
