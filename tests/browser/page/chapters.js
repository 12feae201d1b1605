// The pages of the article, and where each figure is.
import { readFileSync } from 'node:fs';
import { SOURCES } from '../../../web/build/paths.js';

/** The pages below the folder of a language, in reading order. */
export const CHAPTERS = ['', 'cost/', 'roles/', 'today/', 'view/', 'figures/'];

/** The figures of each page, in its order. @type {Record<string, string[]>} */
export const FIGURES_OF = Object.fromEntries(
  CHAPTERS.map((path) => {
    const text = readFileSync(`${SOURCES}/en/${path.replace('/', '') || 'index'}.md`, 'utf8');
    return [path, [...text.matchAll(/\{% figure "([\w-]+)"/g)].map(([, name]) => name)];
  }),
);

/** Returns the page that has a figure. @param {string} name */
export function pathOf(name) {
  const path = CHAPTERS.find((each) => FIGURES_OF[each].includes(name));
  if (path === undefined) throw new Error(`no page has attn-${name}`);
  return path;
}
