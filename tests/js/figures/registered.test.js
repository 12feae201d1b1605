// Each element stands wherever it must be named: a missing element is reported here before pages are
// built.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { it } from 'node:test';
import * as exported from '../../../web/figures/index.js';
import { classNameOf, ELEMENTS } from '../../../web/figures/list.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const read = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Returns the elements that a text names, each once. @param {string} text  @param {RegExp} pattern */
const named = (text, pattern) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();

/** The folders that hold an element. */
const elements = readdirSync(new URL('../../../web/figures/', import.meta.url), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory() && !['kit', 'common'].includes(entry.name))
  .map(({ name }) => name)
  .sort();

it('web/figures/list.js names every folder that has an element', () => {
  assert.deepEqual([...ELEMENTS].sort(), elements);
});

it('web/figures/index.js exports every element', () => {
  assert.deepEqual(Object.keys(exported), elements.map(classNameOf));
});

it('web/figures/define.js registers every element by its name', async () => {
  /** @type {Record<string, unknown>} */
  const defined = {};
  const registry = {
    get: (/** @type {string} */ name) => defined[name],
    define: (/** @type {string} */ name, /** @type {unknown} */ value) => (defined[name] = value),
  };
  Object.assign(globalThis, { customElements: registry });
  await import('../../../web/figures/define.js');
  const own = Object.keys(defined).filter((name) => name.startsWith('attn-'));
  assert.deepEqual(
    own.sort(),
    elements.map((name) => `attn-${name}`),
  );
  for (const name of elements) {
    assert.equal(defined[`attn-${name}`], Reflect.get(exported, classNameOf(name)));
  }
});

for (const lang of LANGUAGE_KEYS) {
  it(`the pages in ${lang} have every element`, () => {
    const pages = ['index', 'cost', 'roles', 'today', 'view'].map((name) =>
      read(`web/site/${lang}/${name}.md`),
    );
    assert.deepEqual(named(pages.join(''), /{% figure "(\w+)"/g), elements);
  });
}
