// <attn-scale> in Chromium: its controls by keyboard and pointer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useFigure } from './bench.js';

const { open } = useFigure('attn-scale');

it('follows the arrow keys on ρ, up to a key that is the query itself', async () => {
  const { find, until, shows, readout } = await open();
  const slider = find('input[type=range]').first();
  await slider.press('ArrowRight');
  await shows('.title', '0.31');
  await slider.press('End');
  await until("figure.getAttribute('rho') === '1'");
  const lines = await readout();
  assert.ok(lines['none: weight at ρ = 1'].measured > 0.99);
  assert.ok(lines['sqrt: weight at ρ = 1'].measured > 0.9);
});

it('takes d_k from a click in the map and ρ from one beside it', async () => {
  const { find, until } = await open();
  const [map, weight] = await find('svg rect[cursor]').all();
  const box = await map.boundingBox();
  assert.ok(box);
  // Six ninths of the way from 2 to 1024.
  await map.click({ position: { x: (box.width * 6) / 9, y: 20 }, force: true });
  await until("Math.abs(figure.getAttribute('d-k') - 128) < 4");
  const side = await weight.boundingBox();
  assert.ok(side);
  await weight.click({ position: { x: side.width / 2, y: 20 }, force: true });
  await until("Math.abs(figure.getAttribute('rho') - 0.25) < 0.02");
});
