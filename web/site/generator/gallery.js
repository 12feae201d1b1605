// Build step: every figure's picture, claim and tag, in the order of web/figures/list.js.
import { REFERENCE } from '../../build/facts.js';
import { own } from '../../figures/kit/chart/palette.js';
import { aboutLanguage } from '../../shared/languages.js';
import { figureNumber } from './chapters.js';
import { withCopyButton } from './copied.js';
import { figures, isDrawn, viewOf } from './figures.js';
import { FILM_SIZE } from './film.js';
import { escapeHtml } from './markdown.js';
import { WIDTHS } from './prerender.js';
import { STILL_WIDTH } from './stills.js';

/**
 * @import { Drawn, Figure } from './figures.js'
 * @import { Page } from './prose.js'
 */

/** Returns a text with its symbols set as HTML, and no line break inside 1/√d or d = 64. @param {string} text */
const marked = (text) =>
  escapeHtml(text)
    .replaceAll('/√', '/\u2060√')
    .replaceAll(' = ', '\u00a0=\u00a0')
    .replace(/\b([a-z])_(\w)\b/gi, '<i>$1</i><sub>$2</sub>');

/**
 * Returns a source of a figure's picture for a phone: the narrow one of the article.
 * @param {Drawn} figure
 * @param {Page} page
 */
function narrowSource(figure, { lang, up }) {
  const { name, spec } = figure;
  const view = { ...viewOf(figure, lang), palette: own, width: WIDTHS.narrow };
  const { width, height } = spec.draw(view).attributes;
  const file = `${up}pictures/${name}-${lang}-narrow.svg`;
  return `<source srcset="${file}" media="(max-width: 40rem)" width="${width}" height="${height}">`;
}

/** Returns the picture of a figure in its first state, or its film, and its claim. @param {Drawn} figure @param {Page} page */
function pictureOf(figure, page) {
  const { lang, up } = page;
  const { name, spec } = figure;
  const claim = spec.title(viewOf(figure, lang));
  const sized = `alt="${escapeHtml(claim)}" width="${STILL_WIDTH}" loading="lazy"`;
  if (spec.film?.byItself) {
    const height = Math.round((FILM_SIZE.height / FILM_SIZE.width) * STILL_WIDTH);
    return `<p class="claim">${marked(claim)}</p>
<picture>
${narrowSource(figure, page)}
<img src="${up}pictures/${name}-film-${lang}.svg" ${sized} height="${height}">
</picture>`;
  }
  const file = `${up}pictures/${name}-${lang}`;
  const height = Math.round(spec.aspect.wide * STILL_WIDTH);
  return `<p class="claim">${marked(claim)}</p>
<picture>
${narrowSource(figure, page)}
<source srcset="${file}-dark.svg" media="(prefers-color-scheme: dark)">
<img src="${file}-light.svg" ${sized} height="${height}">
</picture>`;
}

/** Returns code with a button that copies it. @param {string} code @param {Page} page */
const copied = (code, { lang }) =>
  withCopyButton(`<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`, lang);

/**
 * Returns a figure's place in the gallery, as Markdown. In the document of one file, which has its picture elsewhere,
 * there is none.
 * @param {Figure} figure
 * @param {Page} page
 */
function exhibit(figure, page) {
  const { name, names } = figure;
  const { lang, isFile } = page;
  const link = (/** @type {string} */ text) => `[${text}](#figure-${name})`;
  const head = isDrawn(figure)
    ? link(figureNumber(name, lang)) + aboutLanguage(lang).colon + marked(names[lang])
    : link(marked(names[lang]));
  return [
    `### ${head}`,
    marked(REFERENCE[lang][name].summary),
    isDrawn(figure) && !isFile ? pictureOf(figure, page) : '',
    copied(`<attn-${name} lang="${lang}"></attn-${name}>`, page),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Returns the gallery, as Markdown. @param {Page} page */
export const gallery = (page) => figures.map((figure) => exhibit(figure, page)).join('\n\n');
