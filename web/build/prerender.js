// Build step: a figure as it will look, written into the page. The element's frame comes as a
// declarative shadow root, with its controls, numbers and caption; its static picture lies inside the
// element, once for wide and once for narrow columns: that of the first figure as it is, those of the
// others as files, which load when a reader comes near. So a reader without JavaScript sees all of it,
// and nothing moves when the figure becomes live.
import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { textWidth } from '../figures/kit/chart.js';
import { kitMessages } from '../figures/kit/messages.js';
import { dark, light, own } from '../figures/kit/palette.js';
import { shell } from '../figures/kit/shell.js';
import { renderStatic, staticView } from '../figures/kit/static.js';
import { toMarkup } from '../figures/kit/svg.js';

/**
 * @typedef {import('../figures/kit/spec.js').AnyFigureSpec} AnyFigureSpec
 * @typedef {import('../figures/kit/figure.js').FigureElement} Figure
 * @typedef {typeof import('../figures/kit/figure.js').FigureElement} FigureClass
 * @typedef {'en' | 'zh'} Language
 */

const WIDTHS = { wide: 960, narrow: 350 };

/** @typedef {(file: string, svg: string) => string} Keep makes a file of the site, gives its address */

/** @param {import('../figures/kit/palette.js').Palette} palette */
const colours = (palette) =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** A picture in a file of its own knows of the page only what the reader prefers. */
const THEME =
  `<style>svg{color:var(--ink);${colours(light)}}` +
  `@media(prefers-color-scheme:dark){svg{${colours(dark)}}}</style>`;

/** Without script there is nothing to move, run or press; before it, places of controls (standIns). */
const STILL = `
  @media (scripting: none) { .controls, .run, .actions { display: none; } }
  .place { display: inline-block; height: 28px; visibility: hidden; }
  .place.range { width: 132px; }
  .place.number { width: 4.6em; }
  .place.choice { padding-inline: 5px 25px; }
  @container attn (max-width: 599px) { .place.range { flex: 1; } }`;

/**
 * What the element's class says its style is, and what a page without script needs besides.
 * @param {FigureClass | LedgerClass} figureClass
 * @returns {string[]} style sheets
 */
export function styleSheets(figureClass) {
  return [...[figureClass.styles ?? []].flat().map(String), STILL];
}

/**
 * The ledger has no picture: it is written into the page as it is before anything is measured.
 * @typedef {typeof import('../figures/claims/element.js').AttnClaims} LedgerClass
 */

/** @param {FigureClass | LedgerClass} figureClass  @returns {figureClass is LedgerClass} */
export const isLedger = (figureClass) => 'still' in figureClass;

/**
 * The inside of a figure's element.
 * @param {FigureClass | LedgerClass} figureClass
 * @param {Language} lang
 * @param {Record<string, unknown>} state the element's attributes, by property name
 * @param {Keep} [keep] for pictures that shall be files
 * @returns {string}
 */
export function prerender(figureClass, lang, state, keep) {
  const styles = styleSheets(figureClass).map((sheet) => `<style>${sheet}</style>`);
  if (isLedger(figureClass)) {
    const rows = toHtml(figureClass.still(lang));
    return `<template shadowrootmode="open">${styles.join('')}${rows}</template>`;
  }
  const { spec } = figureClass;
  const pictures = Object.entries(WIDTHS).map(([still, width]) => {
    const options = { lang, width, ...state };
    if (keep) return pictureFile(spec, options, still, keep);
    return renderStatic(spec, options).replace('<svg ', `<svg data-still="${still}" `);
  });
  const whole = renderFrame(spec, lang, state);
  const frame = keep ? standIns(whole) : whole;
  return `<template shadowrootmode="open">${styles.join('')}${frame}</template>${pictures.join('')}`;
}

/**
 * A static picture as a file, and the image that shows it.
 * @param {AnyFigureSpec} spec
 * @param {{ lang: Language, width: number }} options and the figure's state
 * @param {string} still which of its forms
 * @param {Keep} keep
 */
function pictureFile(spec, options, still, keep) {
  const view = { ...staticView(spec, options), palette: own };
  const tree = spec.draw(view);
  const svg = toMarkup(tree).replace('>', `>${THEME}`);
  const address = keep(`pictures/${spec.name}-${options.lang}-${still}.svg`, svg);
  const { width, height } = tree.attributes;
  const size = `width="${width}" height="${height}"`;
  const [, alt] = /<desc>(.*?)<\/desc>/s.exec(svg) ?? [];
  return `<img data-still="${still}" src="${address}" ${size} loading="lazy" alt="${alt}">`;
}

/**
 * The shadow root's content: the figure's own template, given what it asks of the element.
 * @param {AnyFigureSpec} spec
 * @param {Language} lang
 * @param {Record<string, unknown>} state
 */
function renderFrame(spec, lang, state) {
  const view = { ...staticView(spec, { lang, ...state }), palette: own };
  const figure = {
    ...{ spec, language: lang, kit: kitMessages[lang], view: () => view, pin() {} },
    ...{ state: view.state, data: view.data, still: true, busy: false, tableOpen: false },
    ...{
      status: spec.status(view),
      notice: '',
      pinned: '',
      shared: [],
      ignored: new Set(),
      controls: '',
    },
  };
  const template = shell(/** @type {Figure} */ (/** @type {unknown} */ (figure)));
  return toHtml(template);
}

/**
 * Empty places instead of controls, and no settings that are folded away: a hundred controls cost as
 * much layout before the first drawing as the rest of the page, and until a figure is live they would
 * do nothing.
 * @param {string} frame
 */
const standIns = (frame) =>
  frame
    .replace(/<details>([^]*?<\/summary>)[^]*?<\/details>/g, '<details>$1</details>')
    .replace(/<input\s+type="range"[^>]*>/g, '<span class="place range"></span>')
    .replace(/<input[^>]*>/g, '<span class="place number"></span>')
    .replace(/<select[^]*?<\/select>/g, (select) => {
      const options = [...select.matchAll(/>\s*([^<>]+?)\s*<\/option>/g)].map(([, text]) => text);
      const longest = options.reduce((a, b) => (textWidth(b) > textWidth(a) ? b : a));
      return `<span class="place choice">${longest}</span>`;
    });

/** @param {unknown} template */
function toHtml(template) {
  // The renderer asks which element the slots belong to; any object will do.
  const host = /** @type {any} */ ({});
  return collectResultSync(render(template, { customElementHostStack: [host] }))
    .replace(/<!--[\s\S]*?-->|<\?>/g, '')
    .replaceAll(' selected="false"', '')
    .replace(/\s*\n\s*/g, '\n');
}
