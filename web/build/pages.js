// Build step: the pages as Vite gets and gives them. Vite bundles the script and the style; the
// articles are filled in after it, and every page gets the head that all share.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatLive } from '../page/live.js';
import { renderReference } from './api-page.js';
import { exampleFromFile, renderArticle } from './article.js';
import { charactersOfFormulas, renderFormulas } from './formulas.js';
import { policy, sha256 } from './policy.js';
import { prerender, styleSheets } from './prerender.js';
import { MATHS_FONT, PAGE } from './vite.config.js';

/**
 * @typedef {'en' | 'zh'} Language
 * @typedef {Record<string, import('./prerender.js').FigureClass | import('./prerender.js').LedgerClass>} FigureClasses by name
 * @typedef {import('vite').HtmlTagDescriptor} Tag
 * @typedef {import('./api-page.js').Reference} Reference
 */

const LANGUAGES = /** @type {const} */ (['en', 'zh']);

/** Every character that a formula of an article draws. */
export async function charactersOfArticles() {
  const articles = LANGUAGES.map((lang) => readFile(`${PAGE}/${lang}/index.html`, 'utf8'));
  return charactersOfFormulas(renderFormulas((await Promise.all(articles)).join('')));
}

/**
 * @param {FigureClasses} figureClasses
 * @param {Reference} reference
 * @returns {import('vite').Plugin}
 */
export function pagesPlugin(figureClasses, reference) {
  const security = pagePolicy(figureClasses);
  return {
    name: 'pages',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { path }) => {
        const lang = LANGUAGES.find((language) => path.startsWith(`/${language}/`));
        const folder = path.slice(1, -'index.html'.length);
        const tags = headTags(security, folder);
        if (!lang) return { html, tags };
        if (folder === `${lang}/api/`) {
          return { html: renderReference(html, lang, reference), tags };
        }
        const article = await fill(html, lang, figureClasses);
        return { html: article, tags: [...tags, preloadedFont] };
      },
    },
  };
}

/**
 * @param {string} html
 * @param {Language} lang
 * @param {FigureClasses} figureClasses
 */
const fill = (html, lang, figureClasses) =>
  renderArticle(html, {
    figure: (name, state) => prerender(figureClasses[name], lang, state),
    example: exampleFromFile,
    live: formatLive,
  });

/**
 * Our own files only, and the figures' style where it is written into the page.
 * @param {FigureClasses} figureClasses
 */
function pagePolicy(figureClasses) {
  const styles = new Set(Object.values(figureClasses).flatMap(styleSheets).map(sha256));
  const style = ["'self'", ...styles].join(' ');
  return policy({ script: "'self'", style, font: "'self'", img: "'self' data: blob:" });
}

/** @param {Record<string, string>} attrs  @returns {Tag} */
const link = (attrs) => ({ tag: 'link', attrs, injectTo: 'head' });

// The font is asked for before the style sheet names it: it must be there when text is first drawn.
const preloadedFont = link({
  rel: 'preload',
  href: `../assets/${basename(MATHS_FONT)}`,
  as: 'font',
  type: 'font/woff2',
  crossorigin: '',
});

/**
 * @param {string} security
 * @param {string} folder of the page, like en/api/
 * @returns {Tag[]}
 */
function headTags(security, folder) {
  const up = folder.replace(/[^/]+/g, '..') || './';
  const below = folder.replace(/^\w+\//, '');
  return [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: security },
      injectTo: 'head-prepend',
    },
    link({ rel: 'alternate', hreflang: 'en', href: `${up}en/${below}` }),
    link({ rel: 'alternate', hreflang: 'zh-Hans', href: `${up}zh/${below}` }),
    link({ rel: 'alternate', hreflang: 'x-default', href: below ? `${up}en/${below}` : up }),
  ];
}
