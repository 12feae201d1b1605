// Build step: a figure as it will look, written into the page. The element's frame comes as a
// declarative shadow root, with its controls, numbers and caption, in a style sheet that all figures share;
// its static picture lies inside the element, once for wide and once for narrow columns, as files of which
// the one that is seen loads when a reader comes near. So a reader without JavaScript sees all of it, and
// nothing moves when the figure becomes live.
import { createHash } from 'node:crypto';
import { LitElementRenderer, render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import '../../figures/define.js';
import { dark, light, own } from '../../figures/kit/chart/palette.js';
import { toMarkup } from '../../figures/kit/chart/svg.js';
import { isDrawn, viewOf } from './figures.js';
import { results } from './ledger.js';
import { minified } from './minified.js';
import { liveStyles } from '../../figures/kit/shell/live-styles.js';
import { styles } from '../../figures/kit/shell/styles.js';
import { isNarrow } from '../../figures/kit/shell/text-size.js';

/**
 * @import { AnyFigureSpec } from '../../figures/kit/spec.js'
 * @import { FigureElement } from '../../figures/kit/element/figure.js'
 * @import { Figure, Language } from './figures.js'
 *
 * @typedef {(file: string, svg: string) => string} Keep makes a file of the site, returns its
 *   address, empty where the page does without
 */

/** Of the pictures, in CSS pixels. */
export const WIDTHS = { wide: 960, narrow: 350 };

/**
 * Returns the style of a picture in a separate file, which knows only the reader's preferences, not the page: the
 * colours that it uses.
 * @param {string} svg
 */
function themeOf(svg) {
  const colours = (/** @type {Record<string, string>} */ palette) =>
    Object.entries(palette)
      .filter(([name]) => name === 'ink' || svg.includes(`var(--${name})`))
      .map(([name, value]) => `--${name}:${value}`)
      .join(';');
  return (
    `<style>svg{color:var(--ink);${colours({ ...light })}}` +
    `@media(prefers-color-scheme:dark){svg{${colours({ ...dark })}}}</style>`
  );
}

const frameText = minified(styles);

/** The style sheet of every figure's frame: the pages name its file, the document of one file contains its text. */
export const FRAME_STYLE = {
  file: `assets/figure-${createHash('sha256').update(frameText).digest('hex').slice(0, 8)}.css`,
  text: frameText,
};

/** Without script there is nothing to move, run or press, and a picture need not fit the room of a live one. */
const STILL =
  '@media (scripting: none) { .controls, .run, .turns, .actions { display: none; } .plot.empty { height: auto; } }';

/**
 * Returns the style sheet that aligns the main slider of a figure to its axis.
 * @param {Figure} figure
 * @param {Language} lang
 */
function alignment(figure, lang) {
  if (!isDrawn(figure)) return [];
  const view = viewOf(figure, lang);
  const [wide, narrow = '--left: initial; --across: initial'] = [WIDTHS.wide, WIDTHS.narrow].map(
    (width) => /style="(--left.*?)"/.exec(renderFrame(figure.spec, lang, view, {}, width))?.[1],
  );
  return wide
    ? [`.aligned { ${wide} } @container attn ${isNarrow} { .aligned { ${narrow} } }`]
    : [];
}

/**
 * Returns the style sheets of a figure's element, minified: without what only a live one shows, with the rules
 * that a page without script needs.
 * @param {Figure} figure
 * @param {Language} lang
 */
export const styleSheets = (figure, lang) =>
  [figure.element.styles ?? [], STILL, alignment(figure, lang)]
    .flat(2)
    .filter((sheet) => sheet !== liveStyles)
    .map((sheet) => (sheet === styles ? frameText : minified(sheet)));

/**
 * Returns the inside of a figure's element. The ledger has no picture: it is written into the page with
 * the numbers of the build.
 * @param {Figure} figure
 * @param {Language} lang
 * @param {Record<string, unknown>} state the element's attributes, by property name
 * @param {{ keep: Keep, frameStyle?: string }} options `keep` for the pictures; the address of the style sheet of
 *   the element's frame, without which there is no frame around the pictures
 */
export function prerender(figure, lang, state, { keep, frameStyle }) {
  const sheets = styleSheets(figure, lang).map((sheet) =>
    sheet === frameText && frameStyle
      ? `<link rel="stylesheet" href="${frameStyle}">`
      : `<style>${sheet}</style>`,
  );
  if (!isDrawn(figure)) {
    const { element } = figure;
    const rows =
      'still' in element
        ? toHtml(element.still(lang, results), new LitElementRenderer('attn-claims'))
        : '';
    return `<template shadowrootmode="open">${sheets.join('')}${rows}</template>`;
  }
  const view = viewOf(figure, lang, state);
  const pictures = Object.entries(WIDTHS).map(([still, width]) =>
    pictureFile(figure.spec, { ...view, width }, `${lang}-${still}`, keep),
  );
  if (!frameStyle) return pictures.join('');
  const frame = asleep(renderFrame(figure.spec, lang, view, state));
  return `<template shadowrootmode="open">${sheets.join('')}${frame}</template>${pictures.join('')}`;
}

/**
 * Returns the image that shows a picture, which becomes a file.
 * @param {AnyFigureSpec} spec
 * @param {ReturnType<typeof viewOf>} view
 * @param {string} form like en-wide
 * @param {Keep} keep
 */
function pictureFile(spec, view, form, keep) {
  const tree = spec.draw({ ...view, palette: own });
  const picture = toMarkup(tree).replace(/ data-series="[^"]*"/g, ''); // nothing lights up in it
  const svg = picture.replace('>', `>${themeOf(picture)}`);
  const address = keep(`pictures/${spec.name}-${form}.svg`, svg);
  if (!address) return '';
  const { width, height } = tree.attributes;
  const size = `width="${width}" height="${height}"`;
  const [, alt] = /<desc>(.*?)<\/desc>/s.exec(svg) ?? [];
  const [, still] = form.split('-');
  return `<img data-still="${still}" src="${address}" ${size} loading="lazy" alt="${alt}">`;
}

/**
 * Returns the content of a figure's shadow root, as the element itself renders it.
 * @param {AnyFigureSpec} spec
 * @param {Language} lang
 * @param {ReturnType<typeof viewOf>} view
 * @param {Record<string, unknown>} state
 * @param {number} [width]
 */
function renderFrame(spec, lang, { data }, state, width = WIDTHS.wide) {
  const renderer = new LitElementRenderer(`attn-${spec.name}`);
  const element = /** @type {FigureElement} */ (/** @type {unknown} */ (renderer.element));
  element.setAttribute('lang', lang);
  Object.assign(element, state, { data, still: true, figureWidth: width });
  renderer.connectedCallback(); // which speaks the status
  return toHtml(element.render(), renderer);
}

/**
 * Writes the values of controls where HTML has them, takes out the styles that the policy of the page forbids
 * (alignment), and leaves out what nobody can use yet: folded settings and the ticks of sliders, 40 kB of the article
 * in one file.
 * @param {string} frame
 */
const asleep = (frame) =>
  frame
    .replace(/ style="[^"]*"/g, '')
    .replace(/ checked="false"/g, '')
    .replace(/(<input[^>]*) data-value=/g, '$1 value=')
    .replace(/<line class="tick"[^>]*>/g, '')
    .replace(/<details>([^]*?<\/summary>)[^]*?<\/details>/g, '<details>$1</details>');

/** Elements around which white space means nothing. */
const BLOCKS =
  /\s*(<\/?(?:div|p|table|thead|tbody|tr|th|td|caption|option|figure|fieldset|li|ol)\b[^>]*>)\s*/g;

/**
 * Renders a template as HTML.
 * @param {unknown} template
 * @param {LitElementRenderer} renderer  of the element that its slots belong to
 */
const toHtml = (template, renderer) =>
  collectResultSync(render(template, { customElementHostStack: [renderer] }))
    .replace(/<!--[\s\S]*?-->|<\?>/g, '')
    .replaceAll(' selected="false"', '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/ (\/?>)/g, '$1')
    .replace(BLOCKS, '$1');
