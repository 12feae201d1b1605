// Build step: the contents of a page to look things up in, all its headings of the second and third level: once in
// the text and once folded, which stays at hand (scripts/contents.js), each with a field that filters it
// (scripts/filter.js). A page names the place:
//   <div data-contents></div>
import { words } from './words.js';

/** @import { Language } from './figures.js' */

const HEADING = /<h([23]) id="([\w-]+)"[^>]*>(.*?)<\/h\1>/gs;
const PLACE = /<div\s+data-contents\s*><\/div\s*>/;

/** Fills in the contents of a page. @param {string} html @param {Language} lang */
export function renderContents(html, lang) {
  const { contents, filter } = words[lang];
  /** @type {{ link: string, items: string[] }[]} */
  const sections = [];
  for (const [, level, id, text] of html.matchAll(HEADING)) {
    const link = `<a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, '')}</a>`;
    if (level === '2') sections.push({ link, items: [] });
    else sections.at(-1)?.items.push(`<li>${link}</li>`);
  }
  const groups = sections.map(
    ({ link, items }) => `<div><dt>${link}</dt><dd><ul>${items.join('\n')}</ul></dd></div>\n`,
  );
  const list =
    `<label class="filter">${filter} <input type="search" disabled /></label>\n` +
    `<dl class="index">${groups.join('')}</dl>`;
  return html.replace(
    PLACE,
    () =>
      `<nav aria-label="${contents}">${list}</nav>\n` +
      `<details class="at-hand"><summary>${contents}</summary>${list}</details>\n`,
  );
}
