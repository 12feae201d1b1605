// Build step: the pages as Vite gets and gives them. Vite bundles the script and the style; the
// articles are filled in after it, and every page gets the head that all share.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatLive } from '../page/live.js';
import { exampleFromFile, renderArticle } from './article.js';
import { charactersOfFormulas, renderFormulas } from './formulas.js';
import { policy, sha256 } from './policy.js';
import { prerender, styleSheets } from './prerender.js';
import { MATHS_FONT, PAGE } from './vite.config.js';

/**
 * @typedef {'en' | 'zh'} Language
 * @typedef {Record<string, import('./prerender.js').FigureClass>} FigureClasses by name
 * @typedef {import('vite').HtmlTagDescriptor} Tag
 */

const LANGUAGES = /** @type {const} */ (['en', 'zh']);

/** Every character that a formula of an article draws. */
export async function charactersOfArticles() {
  const articles = LANGUAGES.map((lang) => readFile(`${PAGE}/${lang}/index.html`, 'utf8'));
  return charactersOfFormulas(renderFormulas((await Promise.all(articles)).join('')));
}

/**
 * @param {FigureClasses} figureClasses
 * @returns {import('vite').Plugin}
 */
export function pagesPlugin(figureClasses) {
  const security = pagePolicy(figureClasses);
  return {
    name: 'pages',
    transform: giveConsole,
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { path }) => {
        const lang = LANGUAGES.find((language) => path.startsWith(`/${language}/`));
        return {
          html: lang ? await fill(html, lang, figureClasses) : html,
          tags: headTags(security, lang),
        };
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
 * Gives each example of the page its console (web/page/example-console.js).
 * @param {string} code
 * @param {string} id
 */
function giveConsole(code, id) {
  const [, name] = id.match(/page\/examples\/([\w-]+)\.js$/) ?? [];
  if (!name) return undefined;
  const binding = "import { consoleOf } from '../example-console.js';";
  return { code: `${binding}const console = consoleOf('${name}');${code}`, map: null };
}

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
 * @param {Language | undefined} lang of an article
 * @returns {Tag[]}
 */
function headTags(security, lang) {
  const up = lang ? '../' : './';
  return [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: security },
      injectTo: 'head-prepend',
    },
    link({ rel: 'alternate', hreflang: 'en', href: `${up}en/` }),
    link({ rel: 'alternate', hreflang: 'zh-Hans', href: `${up}zh/` }),
    link({ rel: 'alternate', hreflang: 'x-default', href: up }),
    ...(lang ? [preloadedFont] : []),
  ];
}
