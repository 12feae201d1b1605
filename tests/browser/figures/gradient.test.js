// <attn-gradient> in Chromium: its controls by keyboard, its logits.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useFigure } from './bench.js';

const { open } = useFigure('attn-gradient');

it('follows the arrow keys on d_k; at d_k = 1 all three scales are one', async () => {
  const { find, until, readout } = await open();
  const slider = find('input[type=range]').first();
  await slider.press('ArrowLeft');
  await until("figure.dK === 470 && root.querySelector('.title').textContent.includes('= 470')");
  await slider.press('Home');
  await until("figure.getAttribute('d-k') === '1'");
  const lines = await readout();
  assert.deepEqual(lines['none: ‖∂L/∂q‖ mean'], lines['linear: ‖∂L/∂q‖ mean']);
});

it('lets weight, slope and step shrink with the gap of two keys, and leaves the curves above', async () => {
  const { find, until, shows, text, readout } = await open();
  const before = await readout();
  const slider = find('#field-gap');
  await slider.fill('8');
  await shows('.plot', 'gap 8.0: p = 99.97%');
  assert.match(await text('.plot'), /moves p by 2\.2×10⁻⁷/);
  await until("figure.preset === 'gap' && figure.gap === 8");
  assert.deepEqual(await readout(), before);
  await find('#field-preset').selectOption('rivals');
  await until('figure.gap === 1');
});

it('takes logits that are typed in, in Chinese too, and refuses what are none', async () => {
  const { find, until, shows } = await open('lang="zh"');
  await find('summary').click();
  const field = find('#field-logits');
  await field.fill('0，0');
  await field.press('Enter');
  await until("figure.preset === 'own' && figure.getAttribute('logits') === '0, 0'");
  await shows('.note', '0.25');
  await field.fill('<b>, 1');
  await field.press('Enter');
  await until("root.querySelector('#field-logits').value === '0, 0'");
  await find('#field-preset').selectOption('peak');
  await until("figure.logits === '50, 1, 1, 1'");
  await shows('.note', '1.6×10⁻²¹');
});

it('takes the largest scores of a query as logits, before and after the scale', async () => {
  const { find, until, text } = await open('d-k="256" preset="unscaled"');
  const logits = async () => {
    const [, list = ''] = (await text('.note')).match(/logits ([^:]+):/) ?? [];
    return list.replaceAll('−', '-').split(', ').map(Number);
  };
  const unscaled = await logits();
  assert.equal(unscaled.length, 8);
  await find('#field-preset').selectOption('scaled');
  await until(`!root.querySelector('.note').textContent.includes(' ${unscaled[0]}')`);
  const scaled = await logits();
  assert.equal(scaled.length, 8);
  for (const [i, score] of scaled.entries()) {
    assert.ok(Math.abs(unscaled[i] / 16 - score) < 0.06, `${unscaled[i]} / 16, ${score}`);
  }
});

it('keeps its field of logits inside a narrow page, whatever font its label has', async () => {
  const { find } = await open('', { lang: 'zh', width: 260 });
  const field = await find('input[type=text]').boundingBox();
  assert.ok(field && field.width > 24 && field.x + field.width <= 260, JSON.stringify(field));
});
