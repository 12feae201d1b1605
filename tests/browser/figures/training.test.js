// <attn-training> in Chromium: the preview, the run on the reader's device, the choice of a rate.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, figureOn, hold, useFigure } from './bench.js';

const { bench, open } = useFigure('attn-training');

const SMALL = 'd-k="16" steps="100"';

it('shows a preview before any interaction, labelled as one, beside the exact line', async () => {
  const { find, text, readout } = await open();
  const lines = await readout();
  assert.equal(lines['none: loss, rate 1'].theory, 0.0625);
  assert.ok(lines['none: loss, rate 1'].measured > 0.3);
  assert.ok(lines['1/√d: loss, rate 1'].measured < 0.2);
  assert.equal(Object.keys(lines).length, 4 * 3 + 3); // additive has no sensitivity
  for (const [name, { measured }] of Object.entries(lines)) assert.ok(measured > 0, name);
  assert.match(await text('.note'), /^A short run/);
  const kept = await find('.title .nowrap').allTextContents();
  assert.deepEqual(kept, ['d_k = 64', '1/√d_k']);
});

it('trains after Run, with progress, and then shows another rate without training again', async () => {
  const { tab, find, until, text, readout } = await open(SMALL);
  const release = await hold(tab);
  await find('[part~=run]').click();
  const progress = find('progress');
  await progress.waitFor();
  await release();
  await progress.waitFor({ state: 'detached' });
  await until("root.querySelector('[role=status]').textContent.startsWith('Where')");
  const lines = await readout();
  assert.ok(lines['1/√d: loss, rate 1'].measured < 0.04, JSON.stringify(lines));
  assert.ok(lines['additive: loss, rate 1'].measured < 0.0625);
  await find('#field-rate').selectOption('0.1');
  await until("root.textContent.includes('loss, rate 0.1')");
  await until("figure.getAttribute('rate') === '0.1'"); // written once it has settled
  assert.match(await text('[role=status]'), /^Where/);
});

it('takes the learning rate nearest to a click in its panel', async () => {
  const { find, until } = await open();
  const panel = find('svg[role=img] rect[cursor]');
  const { width = 0 } = (await panel.boundingBox()) ?? {};
  await panel.click({ position: { x: 3, y: 20 } });
  await until("figure.getAttribute('rate') === '0.01'");
  await panel.click({ position: { x: width / 2 + 10, y: 20 } }); // a little right of 1, in the middle
  await until("root.textContent.includes('loss, rate 1')");
  assert.equal(await find('#field-rate').inputValue(), '1');
});

it('names the line of uniform attention at its end, clear of the measurements', async () => {
  const tab = await bench.open('<attn-training></attn-training>');
  await tab.setViewportSize({ width: 360, height: 800 });
  await drawn(tab, 'attn-training');
  const { element, find } = figureOn(tab, 'attn-training');
  for (const panel of [0, 1]) {
    await find('[part=turns] button').nth(panel).click();
    const places = await element.evaluate(({ shadowRoot }) => {
      const all = [
        .../** @type {ShadowRoot} */ (shadowRoot).querySelectorAll('svg[role=img] :is(text, path)'),
      ].map((node) => ({
        text: node.textContent,
        measured: node.getAttribute('data-series') === '1/√d',
        box: node.getBoundingClientRect(),
      }));
      return {
        names: all.filter(({ text }) => text === 'uniform').map(({ box }) => box.left),
        marks: all.filter(({ text, measured }) => measured && !text).map(({ box }) => box.right),
      };
    });
    assert.equal(places.names.length, 1, `in panel ${panel}, one of losses`);
    assert.ok(places.marks.length > 0);
    assert.ok(Math.min(...places.names) > Math.max(...places.marks), JSON.stringify(places));
  }
});
