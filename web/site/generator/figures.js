// Build step: the figures' elements, as the pages, embeds and pictures need them.
import * as ledger from '../../figures/claims/generated/words.js';
import { createFormat } from '../../figures/kit/state/language.js';
import { staticView } from '../../figures/kit/chart/static.js';
import { initialState } from '../../figures/kit/state/state.js';
import { recordOf } from '../../shared/keys.js';
import { LANGUAGE_KEYS } from '../../shared/languages.js';
import { classNameOf, ELEMENTS } from '../../build/paths.js';

/**
 * @import { AnyFigureSpec } from '../../figures/kit/spec.js'
 *
 * @typedef {import('../../shared/languages.js').Language} Language
 * @typedef {typeof import('../../figures/kit/element/figure.js').FigureElement} FigureClass
 * @typedef {typeof import('../../figures/claims/element.js').AttnClaims} LedgerClass
 *
 * @typedef {object} Figure
 * @property {string} name without `attn-`
 * @property {FigureClass | LedgerClass} element
 * @property {AnyFigureSpec} [spec] the ledger has none, and no picture
 * @property {(lang: Language, example?: unknown) => unknown} loadedFor returns what its initial state needs, or that
 *   with another example
 * @property {Record<Language, string>} names
 *
 * @typedef {Figure & { spec: AnyFigureSpec }} Drawn
 */

/** @type {Figure[]} */
export const figures = await Promise.all(
  ELEMENTS.map(async (name) => {
    const { spec, ...module } = await import(`../../figures/${name}/element.js`);
    const messages = spec?.messages ?? ledger.messages;
    const examples = spec?.load ? (spec.fields.example?.options ?? ['']) : [];
    /** @type {Map<string, unknown>} */
    const loaded = new Map();
    for (const lang of LANGUAGE_KEYS)
      for (const example of examples)
        loaded.set(
          `${lang} ${example}`,
          await spec.load(lang, { ...initialState(spec.fields), example }),
        );
    const loadedFor = (
      /** @type {Language} */ lang,
      example = spec?.fields.example?.initial ?? '',
    ) => loaded.get(`${lang} ${example}`);
    const names = recordOf(LANGUAGE_KEYS, (lang) => messages[lang].name);
    return { name, element: module[classNameOf(name)], spec, loadedFor, names };
  }),
);

/** @type {Map<string, ReturnType<typeof staticView>>} */
const views = new Map();

/**
 * Returns one state of a figure in a language. It is computed once for all callers,
 * and for both languages unless its data differ.
 * @param {Drawn} figure
 * @param {Language} lang
 * @param {Record<string, unknown>} [state] by property name
 */
export function viewOf({ name, spec, loadedFor }, lang, state = {}) {
  const key = JSON.stringify([name, state, spec.load && lang]);
  const view =
    views.get(key) ?? staticView(spec, { ...state, lang, loaded: loadedFor(lang, state.example) });
  views.set(key, view);
  return { ...view, text: spec.messages[lang], format: createFormat(lang) };
}

/** Returns whether a figure has a picture. @param {Figure} figure @returns {figure is Drawn} */
export const isDrawn = (figure) => Boolean(figure.spec);
