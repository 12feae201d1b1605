// <attn-words> in Chromium: a word is chosen by pointer and keyboard, and any sentence can be written.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, shadowText, useBench, until } from './bench.js';

const NAME = 'attn-words';
const bench = useBench();

const titleHas = (/** @type {string} */ text) =>
  `root.querySelector('.title').textContent.includes('${text}')`;

it('chooses the word under the pointer, and the next one by an arrow key', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  await tab
    .locator(`${NAME} [part=plot] text`)
    .filter({ hasText: /^upon$/ })
    .click();
  await until(tab, titleHas('“upon”'), NAME);
  await tab.locator(`${NAME} input[type=range]`).first().press('ArrowRight');
  await until(tab, titleHas('“the”'), NAME);
});

it('loads its model for a sentence of the reader, not before, and sends the sentence nowhere', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  const write = async (/** @type {string} */ text, /** @type {string} */ last) => {
    await tab.locator(`${NAME} #field-text`).fill(text);
    await tab.locator(`${NAME} #field-text`).press('Enter');
    await until(tab, titleHas(last), NAME);
  };
  await drawn(tab, NAME);
  await tab.locator(`${NAME} input[type=range]`).first().press('ArrowRight');
  await until(tab, titleHas('“was”'), NAME);
  assert.ok(!requests.some((url) => /recorded|language/.test(url)), requests.join());
  await write('A white whale swims', '“swims”');
  assert.match(await shadowText(tab, NAME), /whale/);
  requests.length = 0;
  await write('A black whale dives', '“dives”');
  assert.deepEqual(requests, []);
});

it('says why the head looks there, for its own sentence and head alone', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}><${NAME} lang="zh"></${NAME}>`);
  await drawn(tab, NAME);
  const [english, chinese] = await tab.locator(`${NAME} .note`).allInnerTexts();
  assert.match(english, /where the sentence begins: .* 28% of their weight .* 4\.4%/);
  assert.match(chinese, /下句第四个字.* 76% 的权重.* 15%/);
  await tab.locator(NAME).first().evaluate((figure) => figure.setAttribute('head', '1.1')); // prettier-ignore
  await until(tab, "!root.querySelector('.note').textContent.includes('where the sentence')", NAME);
});

it('attends to all words alike with a factor of 0', async () => {
  const tab = await bench.open(`<${NAME} factor="0" word="4" text="one two three four"></${NAME}>`);
  await drawn(tab, NAME);
  await until(tab, "root.querySelector('.readout').textContent.includes('1.000')", NAME);
});

it('speaks Chinese with a model that has read Chinese, also when the language changes', async () => {
  const tab = await bench.open(`<${NAME} lang="zh"></${NAME}>`);
  await drawn(tab, NAME);
  assert.match(await shadowText(tab, NAME), /白日|黄/);
  await tab.locator(NAME).evaluate((figure) => figure.setAttribute('lang', 'en'));
  // What it shows is first said in English, and then computed for an English sentence.
  await until(tab, "root.textContent.includes('looked')", NAME);
  assert.match(await shadowText(tab, NAME), /attention/);
});
