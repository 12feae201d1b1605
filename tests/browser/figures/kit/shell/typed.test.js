// What a reader types: numbers and lists, and the controls that a page offers for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spec } from '../../../../../web/figures/saturation/element.js';
import { attributeName } from '../../../../../web/figures/kit/state/state.js';
import { drawn, useBench, until } from '../../bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

test('a half-typed number is left alone when the figure is drawn again', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  const typed = tab.locator('attn-saturation input[type=number]').first();
  await typed.fill('');
  await tab.evaluate(() => document.querySelector('attn-saturation')?.setAttribute('lang', 'zh'));
  await until(tab, "/[一-龥]/.test(root.querySelector('[part~=controls]').textContent)");
  assert.equal(await typed.inputValue(), '');
  await typed.pressSequentially('128');
  await typed.press('Tab');
  await until(tab, "figure.getAttribute('d-k') === '128'");
  await typed.fill('');
  await typed.press('Tab');
  await until(tab, "root.querySelector('input[type=number]').value === '128'");
  // Typing and deleting is no change, but ends typing.
  await typed.press('End');
  await typed.press('1');
  await typed.press('Backspace');
  await typed.press('Tab');
  await tab.evaluate(() => document.querySelector('attn-saturation')?.setAttribute('d-k', '100'));
  await until(tab, "root.querySelector('.title').textContent.includes('= 100')");
  assert.equal(await typed.inputValue(), '100');
});

test('a clamped number is written into the input, also where it was the number before', async () => {
  const tab = await bench.open('<attn-saturation d-k="1"></attn-saturation>');
  await drawn(tab);
  await tab.locator('attn-saturation input[type=number]').first().fill('-5');
  await tab.keyboard.press('Tab');
  await until(tab, "root.querySelector('input[type=number]').value === '1'");
});

test('a list that cannot be read is named, until it can', async () => {
  const tab = await bench.open('<attn-gradient preset="own" controls="logits"></attn-gradient>');
  await drawn(tab, 'attn-gradient');
  const typed = tab.locator('attn-gradient #field-logits');
  const notice = tab.locator('attn-gradient [part~=notice]');
  await typed.fill('1 2 3 4 5 6 7 8 9');
  await typed.press('Enter');
  await notice.filter({ hasText: 'logits' }).waitFor();
  assert.equal(await typed.inputValue(), '50, 1, 1, 1');
  await typed.fill('1 2');
  await typed.press('Enter');
  await notice.waitFor({ state: 'detached' });
  assert.equal(await typed.inputValue(), '1, 2');
});

test('a figure shows the controls that the page names, and reports those that it does not have', async () => {
  const tab = await bench.open(
    ['keys', 'none', 'dK keys', 'rho']
      .map((names, i) => `<attn-saturation id="c${i}" controls="${names}"></attn-saturation>`)
      .join(''),
  );
  const known = Object.keys(spec.fields).map(attributeName).join(' | ');
  for (const [i, { labels, unknown }] of [
    { labels: ['keys n'] },
    { labels: [] },
    { labels: ['keys n'], unknown: 'dK' },
    { labels: ['d_k', 'keys n', 'scale'], unknown: 'rho' },
  ].entries()) {
    await tab.locator(`#c${i}`).scrollIntoViewIfNeeded();
    await drawn(tab, `#c${i}`);
    const shown = await tab.locator(`#c${i} .controls > .field label`).allTextContents();
    assert.deepEqual(
      shown.map((label) => label.trim()),
      labels,
    );
    const notices = await tab.locator(`#c${i} [part~=notice]`).allTextContents();
    assert.deepEqual(
      notices,
      unknown
        ? [`Not understood and left at a usable value: controls="${unknown}" (${known}).`]
        : [],
    );
  }
});
