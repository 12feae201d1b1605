// <attn-gradient> in Chromium: its controls by keyboard, its logits.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, readout, useBench, until } from './bench.js';

const NAME = 'attn-gradient';
const bench = useBench();

it('follows the arrow keys on d_k; at d_k = 1 all three scales are one', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const slider = tab.locator(`${NAME} input[type=range]`).first();
  await slider.press('ArrowLeft');
  await until(
    tab,
    "figure.dK === 470 && root.querySelector('.title').textContent.includes('= 470')",
    NAME,
  );
  await slider.press('Home');
  await until(tab, "figure.getAttribute('d-k') === '1'", NAME);
  const lines = await readout(tab, NAME);
  assert.deepEqual(lines['none: ‖∂L/∂q‖ mean'], lines['linear: ‖∂L/∂q‖ mean']);
});

it('says what is exact and what float32 makes of it', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const note = await tab.locator(`${NAME} .note`).first().textContent();
  assert.match(note ?? '', /exactly 1\.6×10⁻²¹, in float32 0/);
});

it('lets weight, slope and step shrink with the gap of two keys, and leaves the curves above', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const before = await readout(tab, NAME);
  const slider = tab.locator(`${NAME} #field-gap`);
  await slider.fill('8');
  await until(tab, "root.querySelector('.plot').textContent.includes('gap 8.0: p = 99.9%')", NAME);
  assert.match((await tab.locator(`${NAME} .plot`).textContent()) ?? '', /moves p by 2\.2×10⁻⁷/);
  await until(tab, "figure.preset === 'gap' && figure.gap === 8", NAME);
  assert.deepEqual(await readout(tab, NAME), before);
  await tab.locator(`${NAME} #field-preset`).selectOption('rivals');
  await until(tab, 'figure.gap === 1', NAME);
});

it('takes logits that are typed in, in Chinese too, and refuses what are none', async () => {
  const tab = await bench.open(`<${NAME} lang="zh"></${NAME}>`);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} summary`).click();
  const field = tab.locator(`${NAME} #field-logits`);
  await field.fill('0，0');
  await field.press('Enter');
  await until(tab, "figure.preset === 'own' && figure.getAttribute('logits') === '0, 0'", NAME);
  await until(tab, "root.querySelector('.note').textContent.includes('0.25')", NAME);
  await field.fill('<b>, 1');
  await field.press('Enter');
  await until(tab, "root.querySelector('#field-logits').value === '0, 0'", NAME);
  await tab.locator(`${NAME} #field-preset`).selectOption('peak');
  await until(tab, "figure.logits === '50, 1, 1, 1'", NAME);
  await until(tab, "root.querySelector('.note').textContent.includes('1.6×10⁻²¹')", NAME);
});

it('takes the largest scores of a query as logits, before and after the scale', async () => {
  const tab = await bench.open(`<${NAME} d-k="256" preset="unscaled"></${NAME}>`);
  await drawn(tab, NAME);
  const logits = async () => {
    const note = await tab.locator(`${NAME} .note`).first().textContent();
    const [, list = ''] = note?.match(/logits ([^:]+):/) ?? [];
    return list.replaceAll('−', '-').split(', ').map(Number);
  };
  const unscaled = await logits();
  assert.equal(unscaled.length, 8);
  await tab.locator(`${NAME} #field-preset`).selectOption('scaled');
  await until(tab, `!root.querySelector('.note').textContent.includes(' ${unscaled[0]}')`, NAME);
  const scaled = await logits();
  assert.equal(scaled.length, 8);
  for (const [i, score] of scaled.entries()) {
    assert.ok(Math.abs(unscaled[i] / 16 - score) < 0.06, `${unscaled[i]} / 16, ${score}`);
  }
});

it('keeps its field of logits inside a narrow page, whatever font its label has', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`, { lang: 'zh', width: 260 });
  await drawn(tab, NAME);
  const field = await tab.locator(`${NAME} input[type=text]`).boundingBox();
  assert.ok(field && field.width > 24 && field.x + field.width <= 260, JSON.stringify(field));
});
