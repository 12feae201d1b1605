// Where the site is built, where it will be read, and which figures it has.
import { fileURLToPath } from 'node:url';

export { classNameOf, ELEMENTS, FIGURES, folderOf } from '../figures/list.js';

/** Returns the path of a file. @param {string} path below web/ */
export const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const SITE = at('../dist/site');
export const FILE = at('../dist/attention-lab.html');
export const SOURCES = at('site');
export const MATHS_FONT = at('site/fonts/attention-maths.woff2');

/** The address of the site, ending in a slash: links from other sites contain it. */
export const ADDRESS = new URL(process.env.SITE_URL ?? 'https://example.org/').href.replace(
  /\/*$/,
  '/',
);

/**
 * Returns the site's address as a page names it: relative, where the site does not know its
 * address.
 * @param {string} up from the page
 */
export const rootFrom = (up) => (process.env.SITE_URL ? ADDRESS : up);
