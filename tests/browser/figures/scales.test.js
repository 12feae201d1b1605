// <attn-scales> in Chromium: its numbers against theory, its controls by keyboard and pointer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, readout, useBench, until } from './bench.js';

const NAME = 'attn-scales';
const bench = useBench();

it('stands near theory for a scale that is no factor, beside 1/√d_k', async () => {
  const tab = await bench.open(`<${NAME} queries="1024"></${NAME}>`);
  await drawn(tab, NAME);
  for (const factor of ['softcap-alone', 'sigmoid-bias', 'sink', 'cosine']) {
    await tab.locator(`${NAME} #field-factor`).selectOption(factor);
    await until(tab, `root.querySelector('.readout table').dataset.series === '${factor}'`, NAME);
    const lines = await readout(tab, NAME);
    assert.equal(new Set(Object.keys(lines).map((line) => line.split(':')[0])).size, 2);
    for (const [name, { measured, theory }] of Object.entries(lines)) {
      assert.ok(Math.abs(measured / theory - 1) < 0.08, `${name}: ${measured} against ${theory}`);
    }
  }
});

it('follows the arrow keys on n, and says how many of them are effective', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const slider = tab.locator(`${NAME} input[type=range]`).first();
  await slider.press('Home');
  await until(tab, "root.querySelector('.title').textContent.includes('of 2,')", NAME);
  await slider.press('End');
  await until(tab, "figure.getAttribute('keys') === '512'", NAME);
});

it('takes n, or d_k where that grows, from a click in the second panel', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const area = tab.locator(`${NAME} svg rect[cursor]`);
  const click = async (/** @type {number} */ share) => {
    const box = await area.boundingBox();
    assert.ok(box);
    await area.click({ position: { x: box.width * share, y: 20 }, force: true });
  };
  await click(7 / 15); // from 2 to 65,536
  await until(tab, "Math.abs(figure.getAttribute('keys') - 256) < 8", NAME);
  await tab.locator(`${NAME} details summary`).first().click();
  await tab.locator(`${NAME} #field-across`).selectOption('dK');
  await until(tab, "root.querySelector('.title').textContent.includes('at d')", NAME);
  await click(6 / 9); // from 2 to 1024
  await until(tab, "Math.abs(figure.getAttribute('d-k') - 128) < 4", NAME);
});
