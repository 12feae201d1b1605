// <attn-words> in Chromium: a word is chosen by pointer and keyboard, and any sentence can be written.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, figureOn, useFigure } from './bench.js';

const { bench, open } = useFigure('attn-words');

it('chooses the word under the pointer, and the next one by an arrow key', async () => {
  const { find, shows } = await open();
  await find('[part=plot] text')
    .filter({ hasText: /^upon$/ })
    .click();
  await shows('.title', '“upon”');
  await find('input[type=range]').first().press('ArrowRight');
  await shows('.title', '“the”');
});

it('loads its model for a sentence of the reader, not before, and sends the sentence nowhere', async () => {
  const tab = await bench.open('<attn-words></attn-words>');
  const { find, shows, allText } = figureOn(tab, 'attn-words');
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  const write = async (/** @type {string} */ text, /** @type {string} */ last) => {
    await find('#field-text').fill(text);
    await find('#field-text').press('Enter');
    await shows('.title', last);
  };
  await drawn(tab, 'attn-words');
  await find('input[type=range]').first().press('ArrowRight');
  await shows('.title', '“was”');
  assert.ok(!requests.some((url) => /recorded|language/.test(url)), requests.join());
  await write('A white whale swims', '“swims”');
  assert.match(await allText(), /whale/);
  requests.length = 0;
  await write('A black whale dives', '“dives”');
  assert.deepEqual(requests, []);
});

it('says why the head looks there, for its own sentence and head alone', async () => {
  const tab = await bench.open('<attn-words></attn-words><attn-words lang="zh"></attn-words>');
  await drawn(tab, 'attn-words');
  const { find, set, until } = figureOn(tab, 'attn-words');
  const [english, chinese] = await find('.note').allInnerTexts();
  assert.match(english, /where the sentence begins: .* 28% of their weight .* 4\.4%/);
  assert.match(chinese, /下句第四个字.* 76% 的权重.* 15%/);
  await set({ head: '1.1' });
  await until("!root.querySelector('.note').textContent.includes('where the sentence')");
});

it('attends to all words alike with a factor of 0', async () => {
  const { shows } = await open('factor="0" word="4" text="one two three four"');
  await shows('.readout', '1.000');
});

it('speaks Chinese with a model that has read Chinese, also when the language changes', async () => {
  const { element, until, allText } = await open('lang="zh"');
  assert.match(await allText(), /白日|黄/);
  await element.evaluate((figure) => figure.setAttribute('lang', 'en'));
  // What it shows is first said in English, and then computed for an English sentence.
  await until("root.textContent.includes('looked')");
  assert.match(await allText(), /attention/);
});
