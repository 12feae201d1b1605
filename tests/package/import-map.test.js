// The recipe for pages without a bundler: an import map that names the files of the installed package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, it } from 'node:test';
import { launch } from '../browser/serve.js';
import { installPackage, serveFolder } from './packed.js';

const { folder, remove } = await installPackage();
after(remove);

it('an import map names the package and its figures', async () => {
  const recipe = readFileSync('web/site/recipes/import-map.html', 'utf8');
  const page = `<!doctype html><html lang="en"><link rel="icon" href="data:,">${recipe}</html>`;
  const server = await serveFolder(folder, { '/': page });
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    /** @type {string[]} */
    const errors = [];
    tab.on('pageerror', ({ message }) => errors.push(message));
    await tab.goto(server.origin);
    await tab.locator('attn-saturation [part=title]', { hasText: 'd_k = 9' }).waitFor();
    assert.match((await tab.locator('output').textContent()) ?? '', /^0\.0632$/);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await server.close();
  }
});
