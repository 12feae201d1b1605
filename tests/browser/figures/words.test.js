// <attn-words> in Chromium: a word is chosen by pointer and keyboard, the divisor by a slider, and
// any sentence can be written.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, figureOn, useFigure } from './bench.js';

const { bench, open } = useFigure('attn-words');

it('chooses the word under the pointer, and the next one by an arrow key', async () => {
  const { find, shows } = await open('controls="word"');
  await find('[part=plot] text')
    .filter({ hasText: /^street$/ })
    .click();
  await shows('.title', '“street” gives');
  await find('#field-word').press('ArrowRight');
  await shows('.title', '“because” gives');
});

it('divides by more or less as the slider moves, by its keys, too: 1, √32, 32', async () => {
  const { find, shows, allText } = await open();
  const slider = find('input[type=range]').first();
  await shows('.title', '“animal” 69% of its attention where scores are divided by √32 = 5.66');
  await slider.press('End');
  await shows('.title', '“animal” 13% of its attention where scores are divided by d_k = 32');
  await slider.press('Home');
  await shows('.title', 'divided by 1;');
  await find('#field-example').selectOption('wide');
  await shows('.title', '“animal” 65%');
  assert.match(await allText(), /temperature T/);
});

it('keeps the divisor in view on a phone', async () => {
  const { find } = await open();
  const label = await find('.main.stays label').innerText();
  assert.match(label, /^power of d_k$/);
});

it('loads its model for a sentence of the reader, not before, and sends the sentence nowhere', async () => {
  const tab = await bench.open('<attn-words controls="word text"></attn-words>');
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
  await shows('.title', '“was” gives');
  assert.ok(!requests.some((url) => /recorded|language/.test(url)), requests.join());
  await write('A white whale swims', '“swims”');
  assert.match(await allText(), /whale/);
  requests.length = 0;
  await write('A black whale dives', '“dives”');
  assert.deepEqual(requests, []);
});

it('says why the head looks there, for its own sentence and head alone', async () => {
  const tab = await bench.open(
    '<attn-words example="first"></attn-words><attn-words lang="zh" example="first"></attn-words>',
  );
  await drawn(tab, 'attn-words');
  const { find, set, until } = figureOn(tab, 'attn-words');
  const [english, chinese] = await find('.note').allInnerTexts();
  assert.match(english, /where the sentence begins: .* 28% of their weight .* 4\.4%/);
  assert.match(chinese, /下句第四个字.* 76% 的权重.* 15%/);
  await set({ head: '1.1' });
  await until("!root.querySelector('.note').textContent.includes('where the sentence')");
});

it('lets a poem be chosen, which its model reads', async () => {
  const { find, shows } = await open('lang="zh"');
  await find('#field-example').selectOption('third');
  await shows('.title', '除以 √32 = 5.66，“啼”');
});

it('shows signs that its model does not know, in their places', async () => {
  const { shows } = await open('lang="zh" text="它在街上，" word="3"');
  await shows('[part=plot]', '街');
  await shows('[part=plot]', '生字');
});

it('speaks Chinese with a model that has read Chinese, also when the language changes', async () => {
  const { element, until, allText } = await open('lang="zh" example="first"');
  assert.match(await allText(), /白日|黄/);
  await element.evaluate((figure) => figure.setAttribute('lang', 'en'));
  // What it shows is first said in English, and then computed for an English sentence.
  await until("root.textContent.includes('looked')");
  assert.match(await allText(), /attention/);
});
