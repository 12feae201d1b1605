// A figure as a picture, without a document: for pages before and without JavaScript, files and feeds.

import { reject } from '../../../attention/errors.js';
import { readChoice, readOptions } from '../../../attention/options.js';
import { LANGUAGE_KEYS } from '../../../shared/languages.js';
import { createMemo } from '../../../shared/memo.js';
import { atOnce } from '../../../shared/slices.js';
import { chosenNames } from '../state/chosen.js';
import { createFormat } from '../state/language.js';
import { palettes } from './palette.js';
import { readState } from '../state/state.js';
import { grounded, toMarkup } from './svg.js';

/**
 * @import { Language } from '../state/language.js'
 * @import { AnyFigureSpec } from '../spec.js'
 * @import { State } from '../state/state.js'
 *
 * @typedef {object} StaticOptions
 * @property {Language} [lang]
 * @property {number} [width]  in CSS pixels; below 600 panels stack, those with short labels below 460
 * @property {keyof typeof palettes} [theme]  'live' follows the page around it, the others are fixed
 * @property {string} [panels]  names of those to draw, else all
 * @property {unknown} [loaded]  what the figure's `load` has fetched for the state, if it has one
 *
 * @typedef {(options?: StaticOptions & Record<string, unknown>) => string} StaticSvg  draws a state of a figure
 */

const OPTIONS = ['lang', 'width', 'theme', 'panels', 'loaded'];

/**
 * Computes the view of one state of a figure, for its words, its rows and its picture.
 * @param {AnyFigureSpec} spec
 * @param {State} state
 * @param {{ lang: Language, still?: boolean, result?: unknown, loaded?: unknown, width?: number,
 *   theme?: keyof typeof palettes }} options  still: for a picture made ahead of time; result: of the long work;
 *   loaded: by the figure's `load`
 */
export function viewOf(
  spec,
  state,
  { lang, still = false, result, loaded, width = 720, theme = 'live' },
) {
  const context = {
    coarse: false,
    still,
    memo: createMemo(),
    result,
    loaded,
    language: lang,
  };
  return {
    state,
    data: atOnce(spec.compute(state, context)),
    width,
    text: spec.messages[lang],
    format: createFormat(lang),
    palette: palettes[theme],
  };
}

/**
 * Computes the view of one state of a figure, for a picture made ahead of time.
 * @param {AnyFigureSpec} spec
 * @param {StaticOptions & Record<string, unknown>} [options]  and the figure's fields, by property name
 */
export function staticView(spec, options) {
  const caller = 'staticSvg';
  const known = [...OPTIONS, ...Object.keys(spec.fields)];
  const { width, theme, panels, loaded, ...values } =
    /** @type {StaticOptions & Record<string, unknown>} */ (readOptions(caller, options, known));
  const lang = readChoice(caller, 'lang', values.lang, LANGUAGE_KEYS);
  if (spec.load && loaded === undefined && !spec.isRecorded) {
    reject(
      caller,
      'loaded',
      loaded,
      `what load resolves to: staticSvg({ loaded: await load('${lang}') })`,
    );
  }
  const { names } = chosenNames('panels', panels ?? '', spec.panels ?? []);
  const { state } = readState(spec.fields, (_, key) => values[key]);
  const view = viewOf(spec, state, { lang, still: true, loaded, width, theme });
  return { ...view, panels: names.length ? names : undefined };
}

/**
 * Returns the figure as self-contained SVG text, with title and description.
 * @param {AnyFigureSpec} spec
 * @param {StaticOptions & Record<string, unknown>} [options]
 */
export const renderStatic = (spec, options) => drawStatic(spec, staticView(spec, options));

/**
 * Returns a view as self-contained SVG text.
 * @param {import('../spec.js').AnyFigureSpec} spec
 * @param {ReturnType<typeof staticView>} view
 */
export function drawStatic(spec, view) {
  const tree = spec.draw(view);
  return toMarkup(view.palette === palettes.live ? tree : grounded(tree, view.palette));
}
