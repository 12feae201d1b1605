// The place of each page in the site.
import { rootFrom } from '../../build/vite.config.js';

/** @typedef {{ page: { url: string } }} Data */

/** Returns the way from a page to the top of the site. @param {Data} data */
const up = ({ page }) => page.url.replace(/^\/|[^/]*$/g, '').replace(/[^/]+/g, '..') || './';

export default {
  up,
  /** Returns the site's address as the page names it. @param {Data} data */
  root: (data) => rootFrom(up(data)),
  /** Returns the page's folder below that of its language. @param {Data} data */
  below: ({ page }) => page.url.replace(/^\/(en|zh)?\/?/, ''),
};
