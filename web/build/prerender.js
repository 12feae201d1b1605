// Build step: a figure as it will look, written into the page. The element's frame comes as a
// declarative shadow root, with its controls, numbers and caption; its static picture lies inside the
// element, once for wide and once for narrow columns: that of the first figure as it is, those of the
// others as files, which load when a reader comes near. So a reader without JavaScript sees all of it,
// and nothing moves when the figure becomes live.
import { LitElementRenderer, render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import '../figures/define.js';
import { textWidth } from '../figures/kit/chart.js';
import { dark, light, own } from '../figures/kit/palette.js';
import { renderStatic, staticView } from '../figures/kit/static.js';
import { toMarkup } from '../figures/kit/svg.js';

/**
 * @typedef {import('../figures/kit/spec.js').AnyFigureSpec} AnyFigureSpec
 * @typedef {import('../figures/kit/figure.js').FigureElement} FigureElement
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

/** Without script there is nothing to move, run or press; before it, places of controls (placeholders). */
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
    const rows = toHtml(figureClass.still(lang), new LitElementRenderer('attn-claims'));
    return `<template shadowrootmode="open">${styles.join('')}${rows}</template>`;
  }
  const { spec } = figureClass;
  const pictures = Object.entries(WIDTHS).map(([still, width]) => {
    const options = { lang, width, ...state };
    if (keep) return pictureFile(spec, options, still, keep);
    return renderStatic(spec, options).replace('<svg ', `<svg data-still="${still}" `);
  });
  const whole = renderFrame(figureClass, lang, state);
  const frame = keep ? placeholders(whole) : whole;
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
 * Returns the content of a figure's shadow root, as the element itself renders it.
 * @param {FigureClass} figureClass
 * @param {Language} lang
 * @param {Record<string, unknown>} state
 */
function renderFrame({ spec }, lang, state) {
  const renderer = new LitElementRenderer(`attn-${spec.name}`);
  const figure = /** @type {FigureElement} */ (/** @type {unknown} */ (renderer.element));
  figure.setAttribute('lang', lang);
  const { data } = staticView(spec, { lang, ...state });
  Object.assign(figure, state, { data, still: true });
  renderer.connectedCallback(); // which speaks the status
  return toHtml(figure.render(), renderer);
}

/**
 * Empty places instead of controls, and no settings that are folded away: a hundred controls cost as
 * much layout before the first drawing as the rest of the page, and until a figure is live they would
 * do nothing.
 * @param {string} frame
 */
const placeholders = (frame) =>
  frame
    .replace(/<details>([^]*?<\/summary>)[^]*?<\/details>/g, '<details>$1</details>')
    .replace(/<input\s+type="range"[^>]*>/g, '<span class="place range"></span>')
    .replace(/<input[^>]*>/g, '<span class="place number"></span>')
    .replace(/<select[^]*?<\/select>/g, (select) => {
      const options = [...select.matchAll(/>\s*([^<>]+?)\s*<\/option>/g)].map(([, text]) => text);
      const longest = options.reduce((a, b) => (textWidth(b) > textWidth(a) ? b : a));
      return `<span class="place choice">${longest}</span>`;
    });

/**
 * @param {unknown} template
 * @param {LitElementRenderer} renderer  of the element that its slots belong to
 */
const toHtml = (template, renderer) =>
  collectResultSync(render(template, { customElementHostStack: [renderer] }))
    .replace(/<!--[\s\S]*?-->|<\?>/g, '')
    .replaceAll(' selected="false"', '')
    .replace(/\s*\n\s*/g, '\n');
