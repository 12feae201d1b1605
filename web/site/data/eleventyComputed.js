// The place of each page in the site.
import { aboutLanguage, LANGUAGE_KEYS, LANGUAGES } from '../../shared/languages.js';
import { rootFrom } from '../../build/paths.js';

/**
 * @import { Language } from '../../shared/languages.js'
 * @typedef {{ page: { url: string }, lang?: Language }} Data
 */

const FOLDER = new RegExp(`^/(${LANGUAGE_KEYS.join('|')})?/?`);

/** Returns the way from a page to the top of the site. @param {Data} data */
const up = ({ page }) => page.url.replace(/^\/|[^/]*$/g, '').replace(/[^/]+/g, '..') || './';

export default {
  up,
  /** Returns the site's address as the page names it. @param {Data} data */
  root: (data) => rootFrom(up(data)),
  /** Returns the page's folder below that of its language. @param {Data} data */
  below: ({ page }) => page.url.replace(FOLDER, ''),
  /** Returns the language of a page, whose folder is named by it. @param {Data} data */
  lang: ({ page }) => page.url.match(FOLDER)?.[1],
  /** Returns the language tag of a page. @param {Data} data */
  tag: ({ lang }) => lang && aboutLanguage(lang).tag,
  /** Returns the languages that the page is in besides its own. @param {Data} data */
  others: ({ lang }) => LANGUAGES.filter(({ key }) => key !== lang),
};
