// The words of pages, of web/site/data/words/: the same set in every language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { words } from '../../../web/site/generator/words.js';

/** Returns the paths of the texts below a table of words. @param {unknown} table @returns {string[]} */
function pathsOf(table, path = '') {
  if (typeof table === 'string') return table.trim() ? [path] : [];
  return Object.entries(table ?? {}).flatMap(([key, value]) => pathsOf(value, `${path}.${key}`));
}

const [first, ...others] = LANGUAGE_KEYS;

for (const lang of others) {
  test(`the words of pages in ${lang} are those in ${first}, none empty`, () => {
    assert.deepEqual(pathsOf(words[lang]).sort(), pathsOf(words[first]).sort());
  });
}
