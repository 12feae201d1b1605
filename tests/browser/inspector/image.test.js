// Attention over an image in <attn-view>, in Chromium: from a file and an attribute, with the names of its patches, and saved.

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
