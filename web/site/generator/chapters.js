// Build step: which page of the article has which section, figure, word of the glossary and source. Prose names a
// place by its id alone, and links lead to the page that has it: sections move without a change to other pages.
import { readFileSync } from 'node:fs';
import { FIGURES, SOURCES } from '../../build/paths.js';
import { words } from './words.js';

/**
 * @import { Language } from './figures.js'
 *
 * @typedef {object} Chapter a page of the article, as collections contain it
 * @property {string} rawInput
 * @property {string} url
 * @property {Record<string, any>} data
 *
 * @typedef {object} Here the page that is rendered
 * @property {readonly Chapter[]} chapters of its language
 * @property {string} url
 * @property {boolean} [isFile] whether all chapters are in one document
 */

/** @type {{ id: string, text: string, note?: Record<Language, string> }[]} */
const SOURCES_OF_ALL = JSON.parse(readFileSync(`${SOURCES}/data/sources.json`, 'utf8'));
const SOURCE_IDS = SOURCES_OF_ALL.map(({ id }) => id);

/** Returns whether each page that names an id lists its meaning. @param {string} id */
const isListed = (id) => id.startsWith('term-') || SOURCE_IDS.includes(id);

/** Lists the ids of a chapter: headings, figures, and the words and sources that it names. @param {Chapter} chapter */
export function idsOf({ rawInput }) {
  const found = (/** @type {RegExp} */ pattern) =>
    [...rawInput.matchAll(pattern)].map(([, id]) => id);
  return [
    ...found(/\{#([\w-]+)/g),
    ...found(/\{% question "([\w-]+)"/g).map((id) => `question-${id}`),
    ...found(/\{% figure "([\w-]+)"/g).map((name) => `figure-${name}`),
    ...new Set(found(/\]\(#([\w-]+)\)/g).filter(isListed)),
  ];
}

/** Returns the chapters of a language, in reading order. @param {readonly Chapter[]} all  @param {Language} lang */
export const chaptersIn = (all, lang) => all.filter(({ data }) => data.lang === lang);

/** Returns where something stands. @param {Record<string, any>} data of its page @returns {Here} */
export const hereOf = ({ collections, lang, page, isFile }) => ({
  chapters: chaptersIn(collections.article, lang),
  url: page?.url ?? '',
  isFile,
});

/**
 * Returns the way from one page to another of the same language.
 * @param {string} from the address of a page below the site, like /en/roles/
 * @param {string} to
 */
function way(from, to) {
  const [, , ...folders] = from.split('/');
  return `${'../'.repeat(folders.length - 1) || './'}${to.split('/').slice(2).join('/')}`;
}

/**
 * Returns the address of a place, as a page names it.
 * @param {string} id
 * @param {Here} here
 * @throws where no page has it
 */
export function addressOf(id, { chapters, url, isFile }) {
  const own = chapters.filter((chapter) => isFile || chapter.url === url);
  if (own.some((chapter) => idsOf(chapter).includes(id))) return `#${id}`;
  const chapter = chapters.find((each) => idsOf(each).includes(id));
  if (!chapter)
    throw new Error(`${url}: #${id} is no section, figure, word or source of the pages`);
  return `${way(url, chapter.url)}#${id}`;
}

/**
 * Returns the words of the glossary, as Markdown, and the sources that some chapters name.
 * @param {readonly Chapter[]} chapters
 * @param {Language} lang
 */
export function asidesOf(chapters, lang) {
  const ids = new Set(chapters.flatMap(idsOf));
  const terms = readFileSync(`${SOURCES}/${lang}/terms.md`, 'utf8')
    .trimEnd()
    .split(/\n(?=- )/);
  const idOf = (/** @type {string} */ term) => /\{#([\w-]+)\}/.exec(term)?.[1] ?? '';
  return {
    terms: terms.filter((term) => ids.has(idOf(term))).join('\n'),
    sources: SOURCES_OF_ALL.filter(({ id }) => ids.has(id)),
  };
}

/**
 * Returns the number of a figure in reading order, as a text has it.
 * @param {string} name
 * @param {Language} lang
 * @param {string} [text] in which {n} stands for the number
 */
export function figureNumber(name, lang, text = words[lang].figure) {
  const number = FIGURES.indexOf(name) + 1;
  if (number === 0) throw new Error(`there is no figure ${name} in web/figures/list.js`);
  return text.replace('{n}', String(number));
}
