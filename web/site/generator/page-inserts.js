// Build step: figures and examples in the text of a page.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { figures } from './figures.js';
import { escapeHtml } from './markdown.js';
import { prerender } from './prerender.js';
import { SOURCES } from '../../build/vite.config.js';

/** @import { Language } from './figures.js' */

/** Returns a file as an address. @param {string} type @param {string} data */
export const dataUri = (type, data) =>
  `data:${type};base64,${Buffer.from(data).toString('base64')}`;

/** Returns the property of an attribute. @param {string} attribute */
const propertyName = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/**
 * Returns a figure as it will look. Its pictures are files, except for the first figure of a page and
 * in the document of one file.
 * @param {string} name
 * @param {string} attributes like `d-k=64 keys=64`
 * @param {{ lang: Language, isFile: boolean, up: string }} page up: the way to the root of the site
 * @param {(file: string, svg: string) => void} keep receives the files
 */
export function renderFigure(name, attributes, { lang, isFile, up }, keep) {
  const figure = figures.find((each) => each.name === name);
  if (!figure) throw new Error(`there is no figure ${name}`);
  const values = attributes
    .split(' ')
    .filter(Boolean)
    .map((each) => each.split('='));
  const state = Object.fromEntries(values.map(([key, value]) => [propertyName(key), value]));
  const addressOf = (/** @type {string} */ file, /** @type {string} */ svg) => {
    if (isFile) return dataUri('image/svg+xml', svg);
    keep(file, svg);
    return up + file;
  };
  const content = prerender(figure, lang, state, figure === figures[0] ? undefined : addressOf);
  const written = values.map(([key, value]) => ` ${key}="${value}"`).join('');
  return `<div class="wide"><attn-${name}${written}>${content}</attn-${name}></div>`;
}

/**
 * Returns a program of web/site/examples, byte for byte as it runs, and its output in Node.
 * @param {string} name
 */
export async function renderExample(name) {
  const file = `${SOURCES}/examples/${name}.js`;
  const source = await readFile(file, 'utf8');
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return `<pre tabindex="0"><code>${escapeHtml(source.trimEnd())}</code></pre>
<pre class="output" data-output-of="${name}"><samp>${escapeHtml(stdout.trimEnd())}</samp></pre>`;
}
