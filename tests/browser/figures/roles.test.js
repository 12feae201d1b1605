// <attn-roles> in Chromium: it trains by itself, its sentence is put together from words, and its steps play.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useFigure } from './bench.js';

const { open } = useFigure('attn-roles');

/** Short trainings, so that a test waits for the figure rather than for the models. */
const SMALL = 'd-k="8"';

const right = (
  /** @type {Record<string, { measured: number }>} */ lines,
  /** @type {string} */ scale,
) => lines[`${scale}: right answers`].measured;

it('shows, untouched, that heads with a scale find the nouns and one without does not', async () => {
  const { allText, readout } = await open();
  const lines = await readout();
  assert.ok(right(lines, '1/√d') > 80 && right(lines, '1/d') > 60, JSON.stringify(lines));
  assert.ok(right(lines, 'none') < 20, JSON.stringify(lines));
  assert.match(await allText(), /After 100 steps 14 of 16 adjectives/);
});

it('shows the models at the step of the slider, which play goes through', async () => {
  const { find, until } = await open(SMALL);
  await find('input[type=range]').first().fill('0');
  await until("root.querySelector('.title').textContent.trim().startsWith('After 0 steps')");
  await find('[part=play]').click();
  await until("root.querySelector('.title').textContent.trim().startsWith('After 100 steps')");
  await until("figure.getAttribute('step') === '100'"); // written once it has settled
});

it('ends the play of a figure that is removed, or whose step the reader moves', async () => {
  const { tab, find, until, get, set } = await open(SMALL);
  await find('[part=play]').click();
  await until('figure.step > 0 && figure.step < 100'); // it stands at 100 until the film begins
  await set({ step: 0 });
  await tab.waitForTimeout(400);
  assert.equal(await get('step'), 0);
});

it('puts sentences together from the words that fit', async () => {
  const { element, find, shows } = await open(SMALL);
  const choice = (/** @type {string} */ name) => find(`.sentence [aria-label="${name}"]`);
  await choice('what happened').selectOption({ label: 'did not eat the' });
  await choice('second noun').selectOption({ label: 'soup' });
  await choice('adjective').selectOption({ label: 'salty' });
  await shows('.readout', '“salty” on “soup”');
  assert.equal(await element.getAttribute('adjective'), '7');
});

it('trains ten seeds by a button, and keeps them while the sentence changes', async () => {
  const { find, until, shows, allText } = await open('d-k="4"');
  await find('[part~=run]').click();
  await until("root.textContent.includes('thin lines: 10 seeds')");
  await find('[part~=cancel]').click();
  await find('progress').waitFor({ state: 'detached' });
  await find('.sentence select').last().selectOption({ index: 1 });
  await shows('.readout', '“hungry”');
  assert.match(await allText(), /thin lines: 10 seeds/);
});

it('learns a language of its own in Chinese', async () => {
  const { text, allText } = await open('lang="zh" d-k="8"');
  assert.match(await allText(), /那只[\s\S]*动物[\s\S]*没有过那条[\s\S]*街/);
  assert.match(await text('.readout'), /“累”给“动物”/);
});
