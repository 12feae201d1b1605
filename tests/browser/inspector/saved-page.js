// The page that <attn-view> saves.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';

/** @import { Page } from 'playwright-core' */

/** Saves a figure as a page. @param {Page} tab @returns {Promise<string>} its path */
export async function savedPage(tab) {
  const [file] = await Promise.all([
    tab.waitForEvent('download'),
    tab.locator('attn-view [part=download-html]').click(),
  ]);
  assert.equal(file.suggestedFilename(), 'attn-view.html');
  const path = `${await file.path()}.html`; // by its ending a browser knows what it is
  copyFileSync(await file.path(), path);
  return path;
}
