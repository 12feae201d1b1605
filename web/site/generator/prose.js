// How Eleventy reads web/site: layouts/ frame the pages, data/ holds what they share, en/ and zh/ hold prose.
// Beyond Markdown (markdown.js) prose has these words:
//   {% figure "scale" %}              a figure; {% figure "scale", "d-k=8" %} with attributes
//   {% fig "scale" %}                 its number, as a link; {% fig "scale", "Figure {n}" %} in other words
//   {% try "scale", "d-k=8", "text" %}   a link to a figure that sets fields of it, too
//   {% claim "byWidth" %}             the number of a claim of the ledger
//   {% gallery %}                     every figure's picture, claim and tag
//   {% symptom "stall" %}             a recorded run with a fault, and what <attn-view> says of it
//   {% guess %}…{% endguess %}        a question, its first paragraph, which opens on its answer, the rest
//   {% question "id" %}…{% endquestion %}   a question people ask, its answer in a line, and what opens
//   {% table "id" %}…{% endtable %}   a table below its caption, the first paragraph
//   {% live "keys-scaled" %}          a number of scripts/live.js
//   {% example "one-query" %}         a program of examples/, and what it prints
//   {% recipe "frame.html" %}         a file of recipes/
//   {% size "oneFigure" %}            the most that a download takes, of tests/budgets.json
//   {% files "figure", … %}         the table of files that figures load, below three headings
//   {% api "attention/softmax" %}     the exports of the files whose names begin like this
//   {% apart "theory/", "experiments/" %}   that the exports of these files are on another page
// @ts-expect-error the package comes without types
import { RenderPlugin } from '@11ty/eleventy';
import { relative } from 'node:path';
import { CLAIM_KEYS } from '../../experiments/claims.js';
import { HASH_VERSION } from '../../figures/kit/state/state.js';
import { FIGURES, SITE, SOURCES } from '../../build/paths.js';
import { formatLive } from '../scripts/live.js';
import { renderReference } from './api-page.js';
import { addressOf, asidesOf, chaptersIn, figureNumber, hereOf } from './chapters.js';
import { renderContents } from './contents.js';
import { renderExample } from './example.js';
import { fileTable, sizeOf } from './files.js';
import { drawHeads } from './heads.js';
import { markdown } from './markdown.js';
import { questionData } from './questions.js';
import { describeElements, renderRecipe } from './recipes.js';
import { renderSymptom } from './symptoms.js';

/**
 * @import { Reference } from './api.js'
 * @import { Chapter } from './chapters.js'
 * @import { Language } from './figures.js'
 *
 * @typedef {object} Page
 * @property {Language} lang
 * @property {boolean} isFile whether it is attention-lab.html
 * @property {string} up the way to the root of the site
 *
 * @typedef {object} Parts
 * @property {Reference} reference
 * @property {object} data of the layouts, by name
 * @property {(name: string, attributes: string, page: Page) => string} figure renders a figure,
 *   attributes like `d-k=64 keys=64`
 * @property {(page: Page) => string} gallery renders every figure's picture, claim and tag
 *
 * @typedef {object} Scope of a shortcode
 * @property {{ get: (path: string[]) => any }} ctx the data of its page
 * @property {{ rawInput: string }} page
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
 * Renders a question that people ask and search for, with an address of its own: the question and its answer in a line, and
 * folded the rest.
 * @this {Scope}
 * @param {string} text
 * @param {string} id
 */
function question(text, id) {
  const { prefix = '' } = dataOf(this);
  const [asked, rest] = firstParagraph(text);
  const [line, answer] = firstParagraph(rest);
  const render = (/** @type {string} */ part) => markdown.renderInline(part, { isNamed: true });
  const summary = `<b>${render(asked)}</b> ${render(line)}`;
  return `<details class="question" id="${prefix}question-${id}"><summary>${summary}</summary>\n\n${answer}\n\n</details>`;
}

/** What shortcodes read of the data of their page. */
const KEYS = ['collections', 'isFile', 'kind', 'lang', 'page', 'prefix', 'up'];

/** Returns the data of the page of a shortcode. @param {Scope} scope @returns {Record<string, any>} */
const dataOf = ({ ctx }) => Object.fromEntries(KEYS.map((key) => [key, ctx.get([key])]));

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
  const html = markdown.render(rows, { ...dataOf(this), caption });
  return `<div class="scroll" tabindex="0" role="group" ${name}>\n${html}</div>`;
}

/** The first figure of a page. */
const FIGURE = /\{% figure "([\w-]+)"/;

/**
 * Returns a figure of the article under its number.
 * @param {string} figure
 * @param {string} name
 * @param {string} number
 * @param {string} [prefix] of ids
 */
const numbered = (figure, name, number, prefix = '') =>
  `<div class="wide" id="${prefix}figure-${name}">` +
  `${number && `<p class="number">${number}</p>`}${figure}</div>`;

/**
 * Returns the words of the prose.
 * @param {Parts} parts
 * @returns {Record<string, (this: Scope, ...args: string[]) => unknown>}
 */
const words = ({ figure: renderFigure, gallery: renderGallery }) => ({
  figure(name, attributes = '') {
    const data = dataOf(this);
    const { kind, lang, isFile, up } = data;
    const figure = renderFigure(name, attributes, { lang, isFile, up });
    if (kind !== 'article') return `<div class="wide">${figure}</div>`;
    const number = FIGURES.includes(name) ? figureNumber(name, lang) : '';
    return numbered(figure, name, number, data.prefix);
  },
  fig(name, text) {
    const lang = this.ctx.get(['lang']);
    const number = text ? figureNumber(name, lang, text) : figureNumber(name, lang).toLowerCase();
    return `[${number}](#figure-${name})`;
  },
  try(name, fields, text) {
    const label = markdown.renderInline(text, {});
    const data = dataOf(this);
    const [page, id] = addressOf(`figure-${name}`, hereOf(data)).split('#');
    if (page === '') {
      return `<a class="try" href="#${data.prefix ?? ''}${id}" data-set="${fields}">${label}</a>`;
    }
    return `<a href="${page}#attn=${HASH_VERSION}&amp;figure=${name}&amp;${fields}">${label}</a>`;
  },
  claim(key) {
    const number = CLAIM_KEYS.findIndex((each) => each === key) + 1;
    if (number === 0) throw new Error(`There is no claim '${key}' in the ledger`);
    return number;
  },
  heads() {
    const { lang, isFile } = dataOf(this);
    return drawHeads(lang, isFile);
  },
  symptom(name) {
    return renderSymptom(this.ctx.get(['lang']), name);
  },
  gallery() {
    const { lang, isFile, up } = dataOf(this);
    return renderGallery({ lang, isFile, up });
  },
  live: (name) => `<span data-live="${name}">${formatLive(name)}</span>`,
  example: renderExample,
  recipe(file) {
    return renderRecipe(file, this.ctx.get(['lang']));
  },
  files: fileTable,
  size: sizeOf,
  api: (files) => `<div data-api="${files}"></div>`,
  apart: (files, page) => `<div data-api-apart="${files}" data-page="${page}"></div>`,
});

/** What every page of the article has, and their one document has once. */
const CONTENTS = '[[contents]]';
const ASIDES = '{% include "asides" %}';

/**
 * Returns the words and sources that a page names.
 * @param {Chapter[]} all
 * @param {Language} lang
 * @param {string} url of the page
 * @param {boolean} [isFile] whether it has all chapters
 */
function asidesOn(all, lang, url, isFile) {
  const chapters = chaptersIn(all, lang);
  return asidesOf(isFile ? chapters : chapters.filter((chapter) => chapter.url === url), lang);
}

/** Gives the layouts the pages in reading order, and what lies where. @param {any} config of Eleventy */
function addChapters(config) {
  const ordered = (/** @type {{ getAll: () => Chapter[] }} */ api) =>
    api
      .getAll()
      .filter(({ data }) => data.order)
      .sort((a, b) => a.data.order - b.data.order);
  config.addCollection('pages', ordered);
  config.addCollection('article', (/** @type {{ getAll: () => Chapter[] }} */ api) =>
    ordered(api).filter(({ data }) => data.kind === 'article'),
  );
  config.addFilter('in', chaptersIn);
  config.addFilter('firstFigure', (/** @type {string} */ text) => text.match(FIGURE)?.[1]);
  config.addFilter('asides', asidesOn);
  config.addFilter('forFile', (/** @type {Chapter[]} */ all, /** @type {Language} */ lang) => {
    const [first, ...others] = chaptersIn(all, lang);
    const texts = [first.rawInput, ...others.map(({ rawInput }) => rawInput.replace(CONTENTS, ''))];
    const whole = `${texts.join('\n\n').replaceAll(ASIDES, '')}\n\n${ASIDES}\n`;
    const page = { ...first.data, isFile: true, prefix: `${lang}-` };
    return config.getFilter('renderContent').call({}, whole, 'liquid,md', page);
  });
}

/** The folders, as Eleventy wants them: below the folder in which it runs. */
export const folders = { input: relative('', SOURCES) || '.', output: relative('', SITE) };

/** Configures Eleventy for the pages. @param {any} config @param {Parts} parts */
export function configure(config, parts) {
  const { reference, data } = parts;
  config.setQuietMode(true);
  config.setDataDirectory('data');
  config.setIncludesDirectory('layouts');
  config.setTemplateFormats(['md', 'liquid']);
  config.ignores.add(`${folders.input}/recipes/**`);
  config.ignores.add(`${folders.input}/*/terms.md`); // which asidesOf divides
  config.addWatchTarget(`${folders.input}/*/terms.md`);
  addChapters(config);
  config.setLibrary('md', markdown);
  config.addPlugin(RenderPlugin);
  for (const [name, value] of Object.entries(data)) config.addGlobalData(name, value);
  for (const [name, word] of Object.entries(words(parts))) config.addShortcode(name, word);
  config.addPairedShortcode('guess', guess);
  config.addPairedShortcode('question', question);
  config.addFilter('questions', questionData);
  config.addPairedShortcode('table', table);
  config.addFilter('elements', describeElements);
  config.addFilter('contents', renderContents);
  config.addFilter('markdown', (/** @type {string} */ text) => markdown.renderInline(text, {}));
  config.addFilter('reference', (/** @type {string} */ html, /** @type {Language} */ lang) =>
    renderReference(html, lang, reference),
  );
}
