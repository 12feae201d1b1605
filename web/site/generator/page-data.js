// Build step: the data of the layouts of pages: scripts, styles, policies, embeds.
import { readFile } from 'node:fs/promises';
import { LANGUAGE_KEYS, LANGUAGES } from '../../shared/languages.js';
import { drawStatic } from '../../figures/kit/chart/static.js';
import { figures, isDrawn, viewOf } from './figures.js';
import { addressOfPicture } from './page-inserts.js';
import languages from '../data/languages.js';
import { chooseArticle } from '../scripts/choose-article.js';
import { policy, sha256 } from './policy.js';
import { FRAME_STYLE, styleSheets } from './prerender.js';
import { ADDRESS, SOURCES } from '../../build/paths.js';

/** @import { Scripts } from './scripts.js' */

const read = async (/** @type {string} */ file) =>
  (await readFile(`${SOURCES}/${file}`, 'utf8')).trim();

/** Names style sheets or scripts by their hashes. @param {string[]} texts */
const hashes = (texts) => [...new Set(texts.map(sha256))].join(' ');

/**
 * Asks for the font of formulas as soon as the style that contains it is there: Chromium would decode it after the first
 * drawing and then move the text.
 */
const LOAD_FONT = `for(const f of['maths','signs'])document.fonts.load('1em "attention '+f+'"','√')`;

/**
 * Returns the policy of a page: our own files only, and style that is written into the page, which may
 * contain its font.
 * @param {string[]} [sheets] written into the page
 * @param {string[]} [lines] of script, likewise
 */
const pagePolicy = (sheets = [], lines = []) =>
  policy({
    script: `'self' ${hashes(lines)}`.trim(),
    style: `'self' ${hashes(sheets)}`.trim(),
    font: "'self' data:",
    img: "'self' data: blob:",
  });

/**
 * Returns the data of every embed. Its script may load only the kernel for engines without SIMD.
 * @param {Scripts['embeds']} scripts
 */
async function embedsOf(scripts) {
  const style = await read('styles/embed.css');
  return figures.map((figure) => ({
    ...figure,
    style,
    script: scripts[figure.name],
    picture: isDrawn(figure) ? drawStatic(figure.spec, viewOf(figure, LANGUAGES[0].key)) : '',
    policy: policy({
      script: `${sha256(scripts[figure.name])} 'strict-dynamic'`,
      style: sha256(style),
      types: 'attention-lab',
    }),
  }));
}

/** The styles that hide all articles but one from the first drawing on, until the script takes them away. */
const ONE_ARTICLE = LANGUAGES.map(
  ({ tag }) => `[data-only='${tag}'] > body > [lang]:not([lang='${tag}']) { display: none; }`,
).join('\n');

/**
 * Returns the data of the document that contains all articles and needs no file.
 * @param {Scripts} scripts
 * @param {string[]} figureStyles
 */
async function documentOf({ style: articleStyle, file: script }, figureStyles) {
  const choose = `(${chooseArticle})(${JSON.stringify(languages)})`;
  const style = `${articleStyle}\n${await read('styles/one-article.css')}\n${ONE_ARTICLE}`;
  return {
    choose,
    script,
    style,
    icon: addressOfPicture(await read('public/favicon.svg')),
    policy: policy({
      script: `${sha256(choose)} ${sha256(script)}`,
      style: hashes([style, ...figureStyles]),
      font: 'data:',
    }),
  };
}

/** Returns the data of the layouts. @param {Scripts} scripts */
export async function pageData(scripts) {
  const figureStyles = LANGUAGE_KEYS.flatMap((lang) =>
    figures.flatMap((figure) => styleSheets(figure, lang)),
  );
  const { pages, style } = scripts;
  return {
    address: ADDRESS,
    scripts: pages,
    figureScripts: scripts.figures,
    style,
    loadFont: LOAD_FONT,
    frameStyle: FRAME_STYLE.file,
    policies: {
      door: pagePolicy(),
      reference: pagePolicy(),
      recipes: pagePolicy(figureStyles),
      article: pagePolicy([style, ...figureStyles], [LOAD_FONT]),
    },
    embeds: await embedsOf(scripts.embeds),
    file: await documentOf(scripts, figureStyles),
  };
}
