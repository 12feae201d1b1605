// <attn-roles> in Chromium: it trains by itself, its sentence is put together from words, and its steps play.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, readout, shadowText, until, useBench } from './bench.js';

const NAME = 'attn-roles';
const bench = useBench();

/** Short trainings, so that a test waits for the figure rather than for the models. */
const SMALL = `<${NAME} d-k="8"></${NAME}>`;

const right = (
  /** @type {Record<string, { measured: number }>} */ lines,
  /** @type {string} */ scale,
) => lines[`${scale}: right answers`].measured;

it('shows, untouched, that heads with a scale find the nouns and one without does not', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const lines = await readout(tab, NAME);
  assert.ok(right(lines, '1/√d') > 80 && right(lines, '1/d') > 80, JSON.stringify(lines));
  assert.ok(right(lines, 'none') < 20, JSON.stringify(lines));
  assert.match(await shadowText(tab, NAME), /After 100 steps 16 of 16 adjectives/);
});

it('shows the models at the step of the slider, which play goes through', async () => {
  const tab = await bench.open(SMALL);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} input[type=range]`).first().fill('0');
  await until(
    tab,
    "root.querySelector('.title').textContent.trim().startsWith('After 0 steps')",
    NAME,
  );
  await tab.locator(`${NAME} .lead button`).click();
  await until(
    tab,
    "root.querySelector('.title').textContent.trim().startsWith('After 100 steps')",
    NAME,
  );
  assert.equal(await tab.locator(NAME).getAttribute('step'), '100');
});

it('ends the play of a figure that is removed, or whose step the reader moves', async () => {
  const tab = await bench.open(SMALL);
  await drawn(tab, NAME);
  const figure = tab.locator(NAME);
  await tab.locator(`${NAME} .lead button`).click();
  await until(tab, 'root.host.step > 0', NAME);
  await figure.evaluate((element) => Reflect.set(element, 'step', 0));
  await tab.waitForTimeout(400);
  assert.equal(await figure.evaluate((element) => Reflect.get(element, 'step')), 0);
});

it('puts sentences together from the words that fit', async () => {
  const tab = await bench.open(SMALL);
  await drawn(tab, NAME);
  const choice = (/** @type {string} */ name) =>
    tab.locator(`${NAME} .sentence [aria-label="${name}"]`);
  await choice('what happened').selectOption({ label: 'did not eat the' });
  await choice('second noun').selectOption({ label: 'soup' });
  await choice('adjective').selectOption({ label: 'salty' });
  await until(
    tab,
    "root.querySelector('.readout').textContent.includes('“salty” on “soup”')",
    NAME,
  );
  assert.equal(await tab.locator(NAME).getAttribute('adjective'), '7');
});

it('trains ten seeds by a button, and keeps them while the sentence changes', async () => {
  const tab = await bench.open(`<${NAME} d-k="4"></${NAME}>`);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} [part~=run]`).click();
  await until(tab, "root.textContent.includes('thin lines: 10 seeds')", NAME);
  await tab.locator(`${NAME} [part~=cancel]`).click();
  await tab.locator(`${NAME} progress`).waitFor({ state: 'detached' });
  await tab.locator(`${NAME} .sentence select`).last().selectOption({ index: 1 });
  await until(tab, "root.querySelector('.readout').textContent.includes('“hungry”')", NAME);
  assert.match(await shadowText(tab, NAME), /thin lines: 10 seeds/);
});

it('learns a language of its own in Chinese', async () => {
  const tab = await bench.open(`<${NAME} lang="zh" d-k="8"></${NAME}>`);
  await drawn(tab, NAME);
  assert.match(await shadowText(tab, NAME), /那只[\s\S]*动物[\s\S]*没有过那条[\s\S]*街/);
  assert.match((await tab.locator(`${NAME} .readout`).textContent()) ?? '', /“累”给“动物”/);
});
