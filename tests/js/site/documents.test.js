// The documents of the package contain the reference and the recipes of the site, whole.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import * as attention from '../../../web/attention/index.js';
import { ELEMENTS } from '../../../web/figures/list.js';
import { readReference } from '../../../web/site/generator/api.js';
import { apiDocument, recipesDocument } from '../../../web/site/generator/documents.js';

const RECIPES = new URL('../../../web/site/recipes/', import.meta.url);
const reference = await readReference();
const api = apiDocument(reference);
const recipes = recipesDocument();

/** Returns a document without its blocks of code. @param {string} text */
const proseOf = (text) => text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]+`/g, '');

it('api.md describes every export, with its parameters, errors and examples', () => {
  for (const { name, params, throws, examples } of reference.entries) {
    const [, ...sections] = api.split(`\n### ${name}\n`).map((text) => text.split(/\n##+ /)[0]);
    // Two entries of the package have a function of the name `rows`.
    const text = sections.find((each) =>
      params.every((param) => each.includes(`- \`${param.name}\``)),
    );
    assert.ok(text, name);
    for (const { type } of throws) assert.ok(text.includes(`- Throws \`${type}\``), name);
    for (const { source } of examples) assert.ok(text.includes(source), name);
  }
  const names = reference.entries.map(({ name }) => name);
  assert.deepEqual(
    Object.keys(attention).filter((name) => !names.includes(name)),
    [],
  );
});

it('api.md explains the types that it names', () => {
  assert.match(api, /^### InitOptions\n\n- `backend` \(`'auto' \| Backend`, optional\)/m);
  assert.match(api, /^### Backend\n\n```\n'simd' \|/m);
});

it('recipes.md contains every recipe that the page shows', () => {
  const page = readFileSync(new URL('../en/recipes.md', RECIPES), 'utf8');
  const shown = [...page.matchAll(/\{% recipe "(.*?)" %\}/g)].map(([, file]) => file);
  const files = readdirSync(RECIPES, { recursive: true, encoding: 'utf8' });
  assert.ok(shown.length > 30 && files.length > shown.length);
  for (const file of shown) {
    const text = readFileSync(new URL(file, RECIPES), 'utf8').trimEnd();
    assert.ok(recipes.includes(`\n${text}\n\`\`\`\n`), file);
  }
});

it('recipes.md describes every element', () => {
  for (const name of ELEMENTS) assert.ok(recipes.includes(`### \`<attn-${name}>\``), name);
  assert.match(recipes, /^- `d-k`: .*\d+ … \d+/m);
  assert.match(recipes, /^- `scale`: factor .*: `sqrt` `none` `half-sqrt` `linear`$/m);
});

it('neither has anything that only the site understands', () => {
  for (const text of [api, recipes].map(proseOf)) {
    assert.doesNotMatch(text, /\{[%#.@]|^---$|<(?:div|nav|var|sup)\b|\]\((?!https:)/m);
  }
});
