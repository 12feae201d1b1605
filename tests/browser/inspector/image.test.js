// Attention over an image in <attn-view>, in Chromium: from a file and an attribute, with the names of its patches, and saved.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { choose, useView } from './bench.js';
import { savedPage } from './saved-page.js';

const { open } = useView();

/** Weights of one query on a class token and 2 × 3 patches. */
const weights = [[[0.05, 0.1, 0.1, 0.1, 0.05, 0.5, 0.1]], [[0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]]];
const file = (/** @type {object} */ given) => Buffer.from(JSON.stringify(given));

it('draws what a query sees at the patches, with their places as names, and keeps them in a saved page', async () => {
  const { tab, shows, until } = await open();
  await choose(tab, 'image.json', file({ weights, grid: [2, 3] }));
  await shows('[role=status]', '“1” gives “2, 2” 50');
  await until('figure.data.patches.length === 2');
  const saved = await savedPage(tab);
  await tab.goto(pathToFileURL(saved).href);
  await shows('[role=status]', '“1” gives “2, 2” 50');
});

it('takes the rows and columns of the page, and says when there are fewer keys', async () => {
  const { tab, shows } = await open('grid="3x2"');
  await shows('[role=status]', 'gives');
  await choose(tab, 'image.json', file({ weights }));
  await shows('[role=status]', '“1” gives “3, 1” 50');
  await tab.locator('attn-view').evaluate((figure) => figure.setAttribute('grid', '7x7'));
  await shows('[part=failure]', 'grid is [7, 7], expected at most 7 keys');
  await tab.locator('attn-view').evaluate((figure) => figure.setAttribute('grid', '2x2'));
  await shows('[role=status]', '“1” gives “2, 1” 50');
});

it('counts distances in patches, and says so at the head of their columns', async () => {
  const { tab, find, shows } = await open();
  const square = [[[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]]; // prettier-ignore
  await choose(tab, 'square.json', file({ weights: square, grid: [2, 2] }));
  await shows('.heads thead', 'patches away');
  await shows('[part=head]', '1.1'); // (1 + 1 + 1 + √2) / 4
  const head = find('.heads thead button:has-text("patches away")');
  const help = await head.getAttribute('title');
  assert.match(String(help), /between the centres of patches/);
  await choose(tab, 'words.json', file({ weights, grid: [2, 3] }));
  await shows('[role=status]', '“1” gives “2, 2” 50');
  assert.equal(await head.count(), 0);
});

it('shows the image of the page over its patches, and none over what a reader brings', async () => {
  const { tab, find, shows, until } = await open('grid="2x3"');
  await tab.locator('attn-view').evaluate((figure, given) => {
    const picture = Object.assign(document.createElement('img'), { slot: 'image', alt: 'a kite' });
    figure.append(picture);
    Object.assign(figure, { weights: given });
  }, weights);
  await shows('[role=status]', '“1” gives “2, 2” 50');
  const image = tab.getByRole('img', { name: 'a kite' });
  const box = await image.boundingBox();
  assert.ok(box && Math.abs(box.width / box.height - 3 / 2) < 0.02, JSON.stringify(box));
  const chosen = await find('.plot > svg rect[stroke-width="2"]').last().boundingBox();
  assert.ok(chosen && chosen.x >= box.x - 2 && chosen.y >= box.y - 2);
  assert.ok(chosen.x + chosen.width <= box.x + box.width + 2);
  assert.ok(chosen.y + chosen.height <= box.y + box.height + 2);
  await choose(tab, 'image.json', file({ weights }));
  await until(`!root.querySelector('.image')`);
  assert.equal(await image.count(), 0);
});
