// Build step: a figure as it will look, written into the page. The element's frame comes as a
// declarative shadow root, with its controls, numbers and caption; its static picture lies inside the
// element, once for wide and once for narrow columns. So a reader without JavaScript sees all of it,
// and nothing moves when the figure becomes live.
import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { kitMessages } from '../figures/kit/messages.js';
import { own } from '../figures/kit/palette.js';
import { shell } from '../figures/kit/shell.js';
import { renderStatic, staticView } from '../figures/kit/static.js';

/**
 * @typedef {import('../figures/kit/spec.js').AnyFigureSpec} AnyFigureSpec
 * @typedef {import('../figures/kit/figure.js').FigureElement} Figure
 * @typedef {typeof import('../figures/kit/figure.js').FigureElement} FigureClass
 * @typedef {'en' | 'zh'} Language
 */

const WIDTHS = { wide: 960, narrow: 350 };

/** Without script there is nothing to move, run or press. */
const WITHOUT_SCRIPT = '@media (scripting: none) { .controls, .run, .actions { display: none; } }';

/**
 * What the element's class says its style is, and what a page without script needs besides.
 * @param {FigureClass | LedgerClass} figureClass
 * @returns {string[]} style sheets
 */
export function styleSheets(figureClass) {
  return [...figureClass.styles, WITHOUT_SCRIPT];
}

/**
 * The ledger has no picture: it is written into the page as it is before anything is measured.
 * @typedef {import('../figures/claims.js').AttnClaims} Ledger
 * @typedef {typeof import('../figures/claims.js').AttnClaims} LedgerClass
 */

/** @param {FigureClass | LedgerClass} figureClass  @returns {figureClass is LedgerClass} */
export const isLedger = (figureClass) => 'still' in figureClass;

/**
 * The inside of a figure's element.
 * @param {FigureClass | LedgerClass} figureClass
 * @param {Language} lang
 * @param {Record<string, unknown>} state the element's attributes, by property name
 * @returns {string}
 */
export function prerender(figureClass, lang, state) {
  const styles = styleSheets(figureClass).map((sheet) => `<style>${sheet}</style>`);
  if (isLedger(figureClass)) {
    const rows = toHtml(figureClass.still(lang));
    return `<template shadowrootmode="open">${styles.join('')}${rows}</template>`;
  }
  const { spec } = figureClass;
  const pictures = Object.entries(WIDTHS).map(([name, width]) =>
    renderStatic(spec, { lang, width, ...state }).replace('<svg ', `<svg data-still="${name}" `),
  );
  const frame = renderFrame(spec, lang, state);
  return `<template shadowrootmode="open">${styles.join('')}${frame}</template>${pictures.join('')}`;
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
    ...{ status: spec.status(view), notice: '', pinned: '', ignored: new Set() },
  };
  const template = shell(/** @type {Figure} */ (/** @type {unknown} */ (figure)));
  return toHtml(template);
}

/** @param {unknown} template */
function toHtml(template) {
  // The renderer asks which element the slots belong to; any object will do.
  const host = /** @type {any} */ ({});
  return collectResultSync(render(template, { customElementHostStack: [host] }))
    .replace(/<!--[\s\S]*?-->/g, '')
    .replaceAll(' selected="false"', '')
    .replace(/\s*\n\s*/g, '\n');
}
