// <attn-scale> in Chromium: its numbers against theory, its controls by keyboard and pointer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SCALE_CHOICES } from '../../../web/experiments/index.js';
import { drawn, readout, useBench, until } from './bench.js';

const NAME = 'attn-scale';
const bench = useBench();

it('stands near theory for every factor', async () => {
  const tab = await bench.open(`<${NAME} queries="1024"></${NAME}>`);
  await drawn(tab, NAME);
  for (const factor of SCALE_CHOICES) {
    await tab.locator(`${NAME} #field-factor`).selectOption(factor);
    await until(
      tab,
      `figure.data.now.choice === '${factor}' &&
        root.querySelector('.readout table').dataset.series === '${factor}'`,
      NAME,
    );
    const lines = await readout(tab, NAME);
    for (const [name, { measured, theory }] of Object.entries(lines)) {
      assert.ok(Math.abs(measured / theory - 1) < 0.08, `${name}: ${measured} against ${theory}`);
    }
  }
});

it('follows the arrow keys on ρ, up to a key that is the query itself', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const slider = tab.locator(`${NAME} input[type=range]`).first();
  await slider.press('ArrowRight');
  await until(tab, "root.querySelector('.title').textContent.includes('0.31')", NAME);
  await slider.press('End');
  await until(tab, "figure.getAttribute('rho') === '1'", NAME);
  const lines = await readout(tab, NAME);
  assert.ok(lines['none: weight at ρ = 1'].measured > 0.99);
  assert.ok(lines['sqrt: weight at ρ = 1'].measured > 0.9);
});

it('takes d_k from a click in the map and ρ from one beside it', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const [map, weight] = await tab.locator(`${NAME} svg rect[cursor]`).all();
  const box = await map.boundingBox();
  assert.ok(box);
  // Six ninths of the way from 2 to 1024.
  await map.click({ position: { x: (box.width * 6) / 9, y: 20 }, force: true });
  await until(tab, "Math.abs(figure.getAttribute('d-k') - 128) < 4", NAME);
  const side = await weight.boundingBox();
  assert.ok(side);
  await weight.click({ position: { x: side.width / 2, y: 20 }, force: true });
  await until(tab, "Math.abs(figure.getAttribute('rho') - 0.25) < 0.02", NAME);
});
