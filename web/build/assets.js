// What the rooms load on demand, and how a build puts the delivery of its form in the place of their imports.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import * as experiments from '../experiments/assets.js';
import * as kernel from '../attention/kernel/assets.js';
import * as language from '../language/assets.js';
import * as recorded from '../language/recorded/assets.js';
import * as view from '../inspector/view/assets.js';
import { at } from './paths.js';
import { eachNode } from './syntax.js';

/**
 * @import { Plugin } from 'vite'
 * @import { Group } from '../assets/import.js'
 * @import { Form } from './bundle.js'
 *
 * @typedef {Omit<Group, 'files'> & { name: string, module: string }} Asset
 */

/** The lists of the rooms, by their files. @type {Record<string, Record<string, Group>>} */
export const LISTS = {
  'attention/kernel/assets.js': kernel,
  'language/assets.js': language,
  'language/recorded/assets.js': recorded,
  'experiments/assets.js': experiments,
  'inspector/view/assets.js': view,
};

/** The groups of assets, by the names of their exports. */
export const GROUPS = Object.assign({}, ...Object.values(LISTS));

/** The assets, by name. @type {Record<string, Asset>} */
export const ASSETS = {};
for (const [list, groups] of Object.entries(LISTS)) {
  const paths = new Map(importsIn(read(list)).map(({ name, path }) => [name, path]));
  for (const { files, ...row } of Object.values(groups)) {
    for (const name of Object.keys(files)) {
      const module = at(posix.join(list, '..', paths.get(name) ?? ''));
      ASSETS[name] = { ...row, name, module };
    }
  }
}

/** Returns the source of a list. @param {string} list */
function read(list) {
  return readFileSync(at(list), 'utf8');
}

/**
 * Returns the imports of a list: the name of the asset, the path of its module, and where it is written.
 * @param {string} text
 */
function importsIn(text) {
  /** @type {{ name: string, path: string, start: number, end: number }[]} */
  const found = [];
  eachNode(text, ({ type, key, value }) => {
    if (type !== 'Property' || value.body?.type !== 'ImportExpression') return;
    const { start, end, source } = value.body;
    found.push({ name: key.value, path: source.value, start, end });
  });
  return found;
}

/**
 * Returns the source of a list with the deliveries of a form.
 * @param {string} list
 * @param {Pick<Form, 'deliver' | 'up'>} form
 */
export function delivered(list, { deliver, up }) {
  const source = read(list);
  /** @type {Set<string>} */
  const used = new Set();
  const text = importsIn(source).reduceRight((text, { name, start, end }) => {
    const delivery = typeof deliver === 'string' ? deliver : deliver(ASSETS[name]);
    if (delivery === 'import') return text;
    if (delivery !== 'file') used.add(delivery);
    const call = delivery === 'file' ? `import('${up}${name}.min.js')` : `${delivery}('${name}')`;
    return text.slice(0, start) + call + text.slice(end);
  }, source);
  const door = posix.relative(posix.dirname(list), 'assets');
  const imports = [...used].map(
    (name) => `import { deliver as ${name} } from '${door}/${name}.js';\n`,
  );
  return imports.join('') + text;
}

/** Makes the plugin that delivers assets as a form does. @param {Form} form @returns {Plugin} */
export const assets = (form) => ({
  name: 'assets',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.min.js') ? { id, external: true } : undefined),
  load(id) {
    const list = Object.keys(LISTS).find((each) => at(each) === id);
    if (list) return delivered(list, form);
    if (form.without?.includes(id)) return "export const text = '';";
  },
});
