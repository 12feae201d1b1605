// <attn-language> in Chromium: another step fetches another model, by choice and by pointer; a sentence is
// read and sent nowhere.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { STRICT_POLICY } from '../serve.js';
import { drawn, shadowText, useBench, until } from './bench.js';

const NAME = 'attn-language';
const bench = useBench();

const titleHas = (/** @type {string} */ text) =>
  `root.querySelector('.title').textContent.includes('${text}')`;

it('shows the start of training, where scores are as wide as the law says', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} #field-step`).selectOption('0');
  await until(tab, titleHas('Before training'), NAME);
});

it('takes the step that is nearest to a click on a curve', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  const area = await tab.locator(`${NAME} svg rect[cursor]`).first().boundingBox();
  assert.ok(area);
  await tab.mouse.click(area.x + area.width / 5, area.y + 20);
  await until(tab, "figure.step === '300' && figure.data.shown === 300", NAME);
});

it('shows a variant of which only numbers were kept, and goes back to the model', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} #field-variant`).selectOption('learned');
  await until(tab, titleHas('a factor that heads learn'), NAME);
  await until(tab, "root.querySelector('.plot').textContent.includes('predicted')", NAME);
  assert.match(await shadowText(tab, NAME), /recorded runs of our own on Moby-Dick; the loss/);
  await tab.locator(`${NAME} #field-variant`).selectOption('fixed');
  await until(tab, "root.querySelector('.plot').textContent.includes('looked')", NAME);
});

it('computes for the last of many changes, whatever has been loaded in between', async () => {
  const tab = await bench.open(`<${NAME}></${NAME}>`);
  await tab.locator(NAME).evaluate(async (/** @type {any} */ figure) => {
    for (const step of ['100', '0', '1000', '300', '1500', '100']) {
      figure.step = step;
      await new Promise((resolve) => setTimeout(resolve, 20));
      figure.lang = step === '300' ? 'zh' : 'en';
    }
  });
  await until(tab, "figure.data?.shown === 100 && figure.data.head === '1.1'", NAME);
  assert.equal(
    await tab.locator(NAME).evaluate((/** @type {any} */ figure) => figure.failure),
    undefined,
  );
});

it('reads a sentence of the reader, and sends it nowhere', async () => {
  const tab = await bench.open(`<${NAME} controls="text"></${NAME}>`);
  await drawn(tab, NAME);
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  await tab.locator(`${NAME} #field-text`).fill('A white whale swims');
  await tab.locator(`${NAME} #field-text`).press('Enter');
  await until(tab, "root.querySelector('.plot').textContent.includes('whale')", NAME);
  assert.deepEqual(requests, []);
});

it('speaks Chinese of models that have read Chinese, also when the language changes', async () => {
  const tab = await bench.open(`<${NAME} lang="zh"></${NAME}>`);
  await drawn(tab, NAME);
  assert.match(await shadowText(tab, NAME), /白/);
  await tab.locator(NAME).evaluate((figure) => figure.setAttribute('lang', 'en'));
  await until(tab, "root.querySelector('.plot').textContent.includes('looked')", NAME);
  assert.match(await shadowText(tab, NAME), /looked/);
});

/** A text to train on: a few hundred words, and 300 characters that occur once. */
const PASTED =
  'A white whale swims in the sea, and the sea looks back at the whale. '.repeat(40) +
  Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
/** The percentage that is not among the 255 most frequent ones. */
const LOST = Math.round((100 * (new Set(PASTED).size - 255)) / PASTED.length);

it('trains two models in workers after Run, also on a pasted text, which stays out of links and requests', async () => {
  const policy = `${STRICT_POLICY}; worker-src blob:`;
  const tab = await bench.open(`<${NAME} steps="100"></${NAME}>`, { policy });
  await drawn(tab, NAME);
  await tab.locator(`${NAME} summary`).click();
  await tab.locator(`${NAME} #field-train-text`).fill(PASTED);
  await tab.locator(`${NAME} #field-train-text`).press('Tab');
  await tab.locator(`${NAME} [part~=run]`).click();
  await tab.locator(`${NAME} progress`).waitFor();
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  await until(tab, titleHas('after 100 steps'), NAME);
  await tab.locator(`${NAME} progress`).waitFor({ state: 'detached' });
  const note = await tab.locator(`${NAME} .note`).first().textContent();
  assert.match(
    note ?? '',
    /Divided by .+after 100 steps it writes: “A w.+Not divided, after 100 steps/,
  );
  const [, lost] = /; ([\d.]+)% of it are others/.exec(note ?? '') ?? [];
  assert.equal(Math.round(Number(lost)), LOST);
  assert.equal(requests.filter((url) => !/worker|^blob:/.test(url)).length, 0, `${requests}`);
  await tab.locator(`${NAME} [part~=share]`).click();
  assert.doesNotMatch(tab.url(), /train-text|whale/);
  await tab.locator(`${NAME} #field-step`).selectOption('300'); // keeps what was trained
  await until(tab, 'figure.data.shown === 300 && figure.data.trained', NAME);
});

it('trains in slices where a policy forbids workers, and keeps what there is after Cancel', async () => {
  const tab = await bench.open(`<${NAME} steps="1500"></${NAME}>`);
  await drawn(tab, NAME);
  await tab.locator(`${NAME} [part~=run]`).click();
  await until(tab, 'figure.data.trained?.rows.length > 3', NAME);
  await tab.locator(`${NAME} [part~=cancel]`).click();
  await tab.locator(`${NAME} progress`).waitFor({ state: 'detached' });
  await until(
    tab,
    "figure.notice.includes('Cancelled') && figure.data.trained.rows.length > 3",
    NAME,
  );
  bench.complaints.splice(0); // the policy says that it has refused a worker
});
