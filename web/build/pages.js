// Build step: the pages as Vite gets and gives them. Vite bundles the script and the style; the
// articles are filled in after it, and every page gets the head that all share.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatLive } from '../page/live.js';
import { renderReference } from './api-page.js';
import { exampleFromFile, renderArticle } from './article.js';
import { cardTags } from './card.js';
import { charactersOfFormulas, renderFormulas } from './formulas.js';
import { withMathsFont } from './maths-font.js';
import { policy, sha256 } from './policy.js';
import { isLedger, prerender, styleSheets } from './prerender.js';
import { PLACEHOLDER, renderRecipes } from './recipes.js';
import { ADDRESS, PAGE, rootFrom, SITE } from './vite.config.js';

/**
 * @typedef {'en' | 'zh'} Language
 * @typedef {Record<string, import('./prerender.js').FigureClass | import('./prerender.js').LedgerClass>} FigureClasses by name
 * @typedef {import('vite').HtmlTagDescriptor} Tag
 * @typedef {import('./api.js').Reference} Reference
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
  const figureStyles = Object.values(figureClasses).flatMap(styleSheets);
  /** @type {Map<string, string>} pictures by file */
  const pictures = new Map();
  return {
    name: 'pages',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { path, bundle }) => {
        const lang = LANGUAGES.find((language) => path.startsWith(`/${language}/`));
        const folder = path.slice(1, -'index.html'.length);
        const page = (/** @type {string} */ filled, /** @type {string[]} */ styles) => ({
          html: withPolicy(filled, styles),
          tags: headTags(html, lang ?? 'en', folder),
        });
        if (!lang) return page(html, []);
        if (folder === `${lang}/api/`) return page(renderReference(html, lang, reference), []);
        if (folder === `${lang}/recipes/`) {
          const article = await fill(html, lang, figureClasses, pictures);
          return page(await renderRecipes(article, lang, specsOf(figureClasses)), figureStyles);
        }
        const style = await articleStyle(bundle);
        const head = scriptsLast(inlineStyle(html, style));
        const article = await fill(head, lang, figureClasses, pictures);
        return page(article, [style, ...figureStyles]);
      },
    },
    async writeBundle() {
      for (const [file, svg] of pictures) {
        await mkdir(dirname(`${SITE}/${file}`), { recursive: true });
        await writeFile(`${SITE}/${file}`, svg);
      }
    },
  };
}

/** What each figure is; the ledger is none. @param {FigureClasses} figureClasses */
const specsOf = (figureClasses) =>
  Object.fromEntries(
    Object.entries(figureClasses).map(([name, figureClass]) => [
      name,
      isLedger(figureClass) ? undefined : figureClass.spec,
    ]),
  );

/**
 * The style sheet of the articles, as it reads inside them, with its font: a file of its own comes too
 * late on a slow network, and a font that changes what was drawn moves it.
 * @param {import('vite').Rolldown.OutputBundle | undefined} bundle
 */
async function articleStyle(bundle) {
  const sheet = Object.values(bundle ?? {}).find(
    (file) => file.type === 'asset' && file.names.includes('page.css'),
  );
  if (sheet?.type !== 'asset') throw new Error('pages: no page.css was built');
  return withMathsFont(String(sheet.source).trim());
}

/**
 * An article brings its style along: with one request less, it is drawn a third of a second earlier on
 * a slow network. The font in it is asked for as well, or Chromium decodes it after the first drawing
 * and then moves what it drew; so close together the two copies travel as one. WebKit fails to preload
 * data and then does without the font, though it needs no preload: hence a media query that, of the
 * engines, only Chromium knows. Where it is not known, the font is decoded when text first needs it.
 * @param {string} html
 * @param {string} style
 */
function inlineStyle(html, style) {
  const link = /<link rel="stylesheet"[^>]*>/;
  if (!link.test(html)) throw new Error('pages: an article has no style sheet');
  const [font] = /** @type {RegExpMatchArray} */ (style.match(/data:font[^)]*/));
  const preload =
    `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin ` +
    'media="(device-posture)">';
  return html.replace(link, () => `${preload}<style>${style}</style>`);
}

/** The text and its font are there to be read while the script is still on its way. @param {string} html */
const scriptsLast = (html) =>
  html.replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');

/**
 * @param {string} html
 * @param {Language} lang
 * @param {FigureClasses} figureClasses
 * @param {Map<string, string>} pictures gets those of all figures but the first, by file
 */
export function fill(html, lang, figureClasses, pictures) {
  let isFirst = true;
  const keep = (/** @type {string} */ file, /** @type {string} */ svg) => {
    pictures.set(file, svg);
    return `../${file}`;
  };
  return renderArticle(html.replaceAll(PLACEHOLDER, ADDRESS), {
    figure(name, state) {
      const inside = prerender(figureClasses[name], lang, state, isFirst ? undefined : keep);
      isFirst = false;
      return inside;
    },
    example: exampleFromFile,
    live: formatLive,
  });
}

/**
 * Our own files only, and style that is written into the page, which may hold its font.
 * @param {string[]} styles
 */
function pagePolicy(styles) {
  const style = ["'self'", ...new Set(styles.map(sha256))].join(' ');
  return policy({ script: "'self'", style, font: "'self' data:", img: "'self' data: blob:" });
}

/**
 * Before all that it governs, after the encoding, which has to be in the first 1024 bytes.
 * @param {string} html
 * @param {string[]} styles written into the page
 */
function withPolicy(html, styles) {
  const encoding = /<meta charset="utf-8" \/>/;
  if (!encoding.test(html)) throw new Error('pages: a page does not say how it is encoded');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(styles)}">`;
  return html.replace(encoding, (first) => `${first}\n    ${meta}`);
}

/** @param {Record<string, string>} attrs  @returns {Tag} */
const link = (attrs) => ({ tag: 'link', attrs, injectTo: 'head' });

/**
 * What a page says of where it is, for search and for those who link to it.
 * @param {string} html
 * @param {Language} lang
 * @param {string} folder of the page, like en/api/
 * @returns {Tag[]}
 */
export function headTags(html, lang, folder) {
  const root = rootFrom(folder.replace(/[^/]+/g, '..') || './');
  const below = folder.replace(/^\w+\//, '');
  return [
    link({ rel: 'canonical', href: root + folder }),
    link({ rel: 'alternate', hreflang: 'en', href: `${root}en/${below}` }),
    link({ rel: 'alternate', hreflang: 'zh-Hans', href: `${root}zh/${below}` }),
    link({ rel: 'alternate', hreflang: 'x-default', href: below ? `${root}en/${below}` : root }),
    ...cardTags(html, lang, root, folder),
  ];
}
