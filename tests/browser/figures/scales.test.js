// <attn-scales> in Chromium: its controls by keyboard and pointer, and its panels in turn on a phone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useFigure } from './bench.js';

const { open } = useFigure('attn-scales');

it('follows the arrow keys on n, and says how many of them are effective', async () => {
  const { find, until, shows } = await open();
  const slider = find('input[type=range]').first();
  await slider.press('Home');
  await shows('.title', 'of 2,');
  await slider.press('End');
  await until("figure.getAttribute('keys') === '512'");
});

it('takes n, or d_k where that grows, from a click in the second panel', async () => {
  const { find, until, shows } = await open();
  const area = find('svg rect[cursor]');
  const click = async (/** @type {number} */ share) => {
    const box = await area.boundingBox();
    assert.ok(box);
    await area.click({ position: { x: box.width * share, y: 20 }, force: true });
  };
  await click(7 / 15); // from 2 to 65,536
  await until("Math.abs(figure.getAttribute('keys') - 256) < 8");
  await find('details summary').first().click();
  await find('#field-across').selectOption('dK');
  await shows('.title', 'at d');
  await click(6 / 9); // from 2 to 1024
  await until("Math.abs(figure.getAttribute('d-k') - 128) < 4");
});

it('has the choice of a trained head first where a narrow figure shows the panel of it', async () => {
  const { tab, find, shows, until, readout } = await open();
  assert.equal(await find('.plot > svg').count(), 4);
  await tab.setViewportSize({ width: 390, height: 900 });
  await until("root.querySelectorAll('.plot > svg').length === 1");
  await find('[part~=turns] button').last().click();
  await shows('.plot', 'ln² n');
  const height = () => find('.plot svg text:has-text("trained")').last().getAttribute('y');
  const before = await height();
  await find('#field-head').selectOption('1.2');
  await shows('.readout', 'trained: layer 1, head 2');
  assert.notEqual(await height(), before);
  await find('#field-head').selectOption('2.1');
  await shows('.readout', 'trained: layer 2, head 1');
  const { measured, theory } = (await readout())['trained: others within 1 of the top score'];
  assert.ok(measured > 3 && measured < 3.3 && theory > 1.6 && theory < 1.8);
});
