// Two recordings side by side in <attn-view>, in Chromium: brought, chosen between, refused, and saved.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { choose, rowsAre, useView } from './bench.js';
import { savedPage } from './saved-page.js';

const { open } = useView();

/** @param {object} given */
const json = (given) => Buffer.from(JSON.stringify(given));
const rows = [[[1, 2], [2, 0]], [[0, 1], [3, 1]]]; // prettier-ignore
const scaled = { query: rows, key: rows, tokens: ['deep', 'sea'] };
const unscaled = { query: rows, key: rows, scale: 1 };

it('compares the next file with the one that is shown, and saves both', async () => {
  const { tab, find, until, shows } = await open();
  await until(rowsAre(4));
  assert.equal(await find('.compare').count(), 0);
  await choose(tab, 'scaled.json', json(scaled));
  await until(rowsAre(2));
  await find('.compare input').check();
  await choose(tab, 'unscaled.json', json(unscaled));
  await shows('[role=status]', 'of A minus Layer');
  await shows('.note', 'A is scaled.json, B is unscaled.json.');
  assert.equal(await find('.compare input').isChecked(), false);
  await shows('[part=head]', '−0.');
  await find('#comparison').selectOption('second');
  await shows('[role=status]', 'of B is');
  await until(`figure.data.scale === 1 && figure.getAttribute('compare') === 'second'`);
  const saved = await savedPage(tab);
  await tab.goto(pathToFileURL(saved).href);
  await shows('[role=status]', 'of B is');
  await find('#comparison').selectOption('difference');
  await shows('[role=status]', 'of A minus Layer');
  await shows('.note', 'A is scaled.json, B is unscaled.json.');
});

it('says what differs in a file that cannot be compared, keeps what is shown, and begins anew with another', async () => {
  const { tab, find, until, shows } = await open('lang="zh"');
  await choose(tab, 'scaled.json', json(scaled));
  await until(rowsAre(2));
  await find('.compare input').check();
  await choose(tab, 'other.json', json({ weights: [[1, 0, 0], [0, 1, 0]] })); // prettier-ignore
  await shows('[part=failure]', 'it has 1 heads, expected 2; 3 keys, expected 2');
  await until(`figure.data.nK === 2 && !root.querySelector('#comparison')`);
  await find('.compare input').check();
  await choose(tab, 'unscaled.json', json(unscaled));
  await shows('.note', 'A 是 scaled.json，B 是 unscaled.json。');
  await choose(tab, 'pair.npz');
  await until(rowsAre(8));
  await until(`!root.querySelector('#comparison')`);
});

it('compares two courses of training at the same step, with their losses, and saves both maps', async () => {
  const { tab, find, until, shows } = await open();
  const course = (/** @type {number[]} */ sizes) =>
    json(sizes.map((size, i) => ({ step: 10 * i, loss: size, weights: [[1 - size, size], [size, 1 - size]] }))); // prettier-ignore
  await choose(tab, 'a.json', course([0.5, 0.5, 0.5]));
  await shows('[role=status]', 'at step 20');
  await find('.compare input').check();
  await choose(tab, 'b.json', course([0.5, 0.25, 0]));
  await shows('[role=status]', 'of A minus Layer 1, head 1 of B: “2” gives “1” +0.500');
  await find('#course-step').press('ArrowLeft');
  await shows('[role=status]', '“2” gives “1” +0.250');
  await until(`/^loss.*A − B/.test(root.querySelector('svg desc').textContent)`);
  await find('#comparison').selectOption('second');
  await shows('[role=status]', 'of B has been spread since step 10');
  const saved = await savedPage(tab);
  await tab.goto(pathToFileURL(saved).href);
  await shows('[role=status]', 'of B has been spread since step 10');
  await find('#comparison').selectOption('difference');
  await shows('[role=status]', '“2” gives “1” +0.250');
});
