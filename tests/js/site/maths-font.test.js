// The committed maths font against the formulas of the articles.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
// @ts-expect-error the package comes without types
import subsetFont from 'subset-font';
import { MATHS_FONT } from '../../../web/build/paths.js';
import { charactersOfPages, glyphOf } from '../../../web/site/generator/cut-maths-font.js';

test('the maths font has every character that a formula of an article draws', async () => {
  const characters = await charactersOfPages();
  const wanted = `${characters}€`; // which it has not
  const font = await subsetFont(readFileSync(MATHS_FONT), wanted, { targetFormat: 'sfnt' });
  const missing = [...characters].filter((character) => glyphOf(font, character) === 0);
  assert.equal(missing.join(' '), '', 'node web/site/generator/cut-maths-font.js');
  assert.equal(glyphOf(font, '€'), 0);
});
