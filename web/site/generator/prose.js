// How Eleventy reads web/site: layouts/ frame the pages, data/ holds what they share, en/ and zh/ hold prose.
// Beyond Markdown (markdown.js) prose has these words:
//   {% figure "scale" %}              a figure; {% figure "scale", "d-k=8" %} with attributes
//   {% try "scale", "d-k=8", "text" %}   a button that sets fields of a figure and shows it
//   {% guess %}…{% endguess %}        a question, its first paragraph, which opens on its answer, the rest
//   {% table "id" %}…{% endtable %}   a table below its caption, the first paragraph
//   {% live "keys-scaled" %}          a number of scripts/live.js
//   {% example "effective-keys" %}    a program of examples/, and what it prints
//   {% recipe "frame.html" %}         a file of recipes/
//   {% files "figure", … %}         the table of files that figures load, below three headings
//   {% api "attention/softmax" %}     the exports of the files whose names begin like this
// @ts-expect-error the package comes without types
import { RenderPlugin } from '@11ty/eleventy';
import { relative } from 'node:path';
import { SITE, SOURCES } from '../../build/paths.js';
import { formatLive } from '../scripts/live.js';
import { renderReference } from './api-page.js';
import { renderExample } from './example.js';
import { fileTable } from './files.js';
import { markdown } from './markdown.js';
import { describeElements, renderRecipe } from './recipes.js';

/**
 * @import { Reference } from './api.js'
 * @import { Language } from './figures.js'
 *
 * @typedef {{ lang: Language, isFile: boolean, up: string }} Page up: the way to the root of the site
 *
 * @typedef {object} Parts
 * @property {Reference} reference
 * @property {object} data of the layouts, by name
 * @property {(name: string, attributes: string, page: Page) => string} figure renders a figure,
 *   attributes like `d-k=64 keys=64`
 *
 * @typedef {{ rawInput: string, data: Record<string, any> }} Article as collections contain it
 * @typedef {{ ctx: { get: (path: string[]) => any } }} Scope of a shortcode: the data of its page
 */

/** Divides a text into its first paragraph and the rest. @param {string} text */
function firstParagraph(text) {
  const [first, ...rest] = text.trim().split('\n\n');
  return [first, rest.join('\n\n')];
}

/** Renders a question and its answer. @param {string} text */
function guess(text) {
  const [question, answer] = firstParagraph(text);
  const summary = markdown.renderInline(question, { isNamed: true });
  return `<details><summary>${summary}</summary>\n\n${answer}\n\n</details>`;
}

/**
 * Renders a table below its caption.
 * @this {Scope}
 * @param {string} text
 * @param {string} label the id of the caption, or the name of the table
 */
function table(text, label) {
  const [first, rows] = firstParagraph(text);
  const isId = /^[\w-]+$/.test(label);
  const caption = `<caption${isId ? ` id="${label}"` : ''}>${markdown.renderInline(first, {})}</caption>`;
  const name = isId ? `aria-labelledby="${label}"` : `aria-label="${label}"`;
  const html = markdown.render(rows, { caption, prefix: this.ctx.get(['prefix']) });
  return `<div class="scroll" tabindex="0" role="group" ${name}>\n${html}</div>`;
}

/**
 * Returns the words of the prose.
 * @param {Parts['figure']} renderFigure
 * @returns {Record<string, (this: Scope, ...args: string[]) => unknown>}
 */
const words = (renderFigure) => ({
  figure(name, attributes = '') {
    const [lang, isFile, up] = ['lang', 'isFile', 'up'].map((name) => this.ctx.get([name]));
    return renderFigure(name, attributes, { lang, isFile, up: up ?? '../' });
  },
  try: (name, fields, text) =>
    `<button type="button" class="try" disabled data-figure="${name}" data-set="${fields}">` +
    `${markdown.renderInline(text, {})}</button>`,
  live: (name) => `<span data-live="${name}">${formatLive(name)}</span>`,
  example: renderExample,
  recipe(file) {
    return renderRecipe(file, this.ctx.get(['lang']));
  },
  files: fileTable,
  api: (files) => `<div data-api="${files}"></div>`,
});

/** The folders, as Eleventy wants them: below the folder in which it runs. */
export const folders = { input: relative('', SOURCES) || '.', output: relative('', SITE) };

/**
 * Configures Eleventy for the pages.
 * @param {any} config
 * @param {Parts} parts
 */
export function configure(config, { reference, data, figure }) {
  config.setQuietMode(true);
  config.setDataDirectory('data');
  config.setIncludesDirectory('layouts');
  config.setTemplateFormats(['md', 'liquid']);
  config.ignores.add(`${folders.input}/recipes/**`);
  config.setLibrary('md', markdown);
  config.addPlugin(RenderPlugin);
  for (const [name, value] of Object.entries(data)) config.addGlobalData(name, value);
  for (const [name, word] of Object.entries(words(figure))) config.addShortcode(name, word);
  config.addPairedShortcode('guess', guess);
  config.addPairedShortcode('table', table);
  config.addFilter('elements', describeElements);
  config.addFilter('markdown', (/** @type {string} */ text) => markdown.renderInline(text, {}));
  config.addFilter('reference', (/** @type {string} */ html, /** @type {Language} */ lang) =>
    renderReference(html, lang, reference),
  );
  config.addFilter('forFile', (/** @type {Article} */ { rawInput, data }) => {
    const page = { ...data, isFile: true, prefix: `${data.lang}-` };
    return config.getFilter('renderContent').call({}, rawInput, 'liquid,md', page);
  });
}
