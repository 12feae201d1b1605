// The assets of web/assets/list.js, and how a build puts the delivery of its form in the place of their imports.
import { readFileSync } from 'node:fs';
import * as list from '../assets/list.js';
import { at } from './paths.js';

/**
 * @import { Plugin } from 'vite'
 * @import { Form } from './bundle.js'
 */

const LIST = at('assets/list.js');

/** A line of the list: what precedes the import, with the name, and the path. */
const LINE = /('([^']+)': [^']*)import\('\.\.\/([^']+)'\)/g;

/** The group and the module of each asset, by name. @type {Record<string, { group: string, module: string }>} */
export const ASSETS = {};
for (const [group, assets] of Object.entries(list)) {
  for (const [name, importer] of Object.entries(assets)) {
    const [[, , , path]] = `'${name}': ${importer}`.matchAll(LINE);
    ASSETS[name] = { group, module: at(path) };
  }
}

/**
 * Returns the list of assets with the deliveries of a form.
 * @param {string} text of list.js
 * @param {Form['deliver']} deliver
 */
export function delivered(text, deliver) {
  /** @type {Set<string>} */
  const used = new Set();
  const lines = text.replace(LINE, (line, before, name) => {
    const delivery = typeof deliver === 'string' ? deliver : deliver(name);
    if (delivery === 'import') return line;
    if (delivery.endsWith('/')) return `${before}import('${delivery}${name}.min.js')`;
    used.add(delivery);
    return `${before}${delivery}('${name}')`;
  });
  const imports = [...used].map((name) => `import { deliver as ${name} } from './${name}.js';\n`);
  return imports.join('') + lines;
}

/** Makes the plugin that delivers assets as a form does. @param {Form} form @returns {Plugin} */
export const assets = ({ deliver, without }) => ({
  name: 'assets',
  enforce: 'pre',
  resolveId: (id) => (/^\.\.?\/[\w/-]+\.min\.js$/.test(id) ? { id, external: true } : undefined),
  load(id) {
    if (id === LIST) return delivered(readFileSync(LIST, 'utf8'), deliver);
    if (without?.test(id)) return "export const text = '';";
  },
});
