// <attn-language> in Chromium: another step fetches another model, by choice and by pointer; a sentence is
// read and sent nowhere.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { STRICT_POLICY } from '../serve.js';
import { figureOn, useFigure } from './bench.js';

const { bench, open } = useFigure('attn-language');

it('shows the start of training, where scores are as wide as the law says', async () => {
  const { find, shows } = await open();
  await find('#field-step').selectOption('0');
  await shows('.title', 'Before training');
});

it('takes the step that is nearest to a click on a curve', async () => {
  const { tab, until, boxOf } = await open();
  const area = await boxOf('svg rect[cursor]');
  await tab.mouse.click(area.x + area.width / 5, area.y + 20);
  await until("figure.step === '300' && figure.data.shown === 300");
});

it('shows a variant of which only numbers were kept, and goes back to the model', async () => {
  const { find, shows, allText } = await open();
  await find('#field-variant').selectOption('learned');
  await shows('.title', 'a factor that heads learn');
  await shows('.plot', 'predicted');
  assert.match(await allText(), /recorded runs of our own on Moby-Dick; the loss/);
  await find('#field-variant').selectOption('fixed');
  await shows('.plot', 'looked');
});

it('computes for the last of many changes, whatever has been loaded in between', async () => {
  const tab = await bench.open('<attn-language></attn-language>');
  const { element, until, get } = figureOn(tab, 'attn-language');
  await element.evaluate(async (/** @type {any} */ figure) => {
    for (const step of ['100', '0', '1000', '300', '1500', '100']) {
      figure.step = step;
      await new Promise((resolve) => setTimeout(resolve, 20));
      figure.lang = step === '300' ? 'zh' : 'en';
    }
  });
  await until("figure.data?.shown === 100 && figure.data.head === '1.1'");
  assert.equal(await get('failure'), undefined);
});

it('reads a sentence of the reader, and sends it nowhere', async () => {
  const { tab, find, shows } = await open('controls="text"');
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  await find('#field-text').fill('A white whale swims');
  await find('#field-text').press('Enter');
  await shows('.plot', 'whale');
  assert.deepEqual(requests, []);
});

it('speaks Chinese of models that have read Chinese, also when the language changes', async () => {
  const { element, shows, allText } = await open('lang="zh"');
  assert.match(await allText(), /白/);
  await element.evaluate((figure) => figure.setAttribute('lang', 'en'));
  await shows('.plot', 'looked');
  assert.match(await allText(), /looked/);
});

/** A text to train on: a few hundred words, and 300 characters that occur once. */
const PASTED =
  'A white whale swims in the sea, and the sea looks back at the whale. '.repeat(40) +
  Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
/** The percentage that is not among the 255 most frequent ones. */
const LOST = Math.round((100 * (new Set(PASTED).size - 255)) / PASTED.length);

it('trains two models in workers after Run, also on a pasted text, which stays out of links and requests', async () => {
  const policy = `${STRICT_POLICY}; worker-src blob:`;
  const { tab, find, until, shows, text } = await open('steps="100"', { policy });
  await find('summary').click();
  await find('#field-train-text').fill(PASTED);
  await find('#field-train-text').press('Tab');
  await find('[part~=run]').click();
  await find('progress').waitFor();
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  await shows('.title', 'after 100 steps');
  await find('progress').waitFor({ state: 'detached' });
  for (const scale of ['÷ √d_k', 'Unscaled']) {
    await shows('.note', `${scale}, after 100 steps it writes: “A w`);
  }
  const note = await text('.note');
  const [, lost] = /; ([\d.]+)% of it are others/.exec(note) ?? [];
  assert.equal(Math.round(Number(lost)), LOST);
  assert.equal(requests.filter((url) => !/worker|^blob:/.test(url)).length, 0, `${requests}`);
  await find('[part~=share]').click();
  assert.doesNotMatch(tab.url(), /train-text|whale/);
  await find('#field-step').selectOption('300'); // keeps what was trained
  await until('figure.data.shown === 300 && figure.data.trained');
});

it('trains in slices where a policy forbids workers, and keeps what there is after Cancel', async () => {
  const { find, until } = await open('steps="1500"');
  await find('[part~=run]').click();
  await until('figure.data.trained?.rows.length > 3');
  await find('[part~=cancel]').click();
  await find('progress').waitFor({ state: 'detached' });
  await until("figure.notice.includes('Cancelled') && figure.data.trained.rows.length > 3");
  bench.complaints.splice(0); // the policy says that it has refused a worker
});
