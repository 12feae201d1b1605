import { light } from '../../../web/figures/kit/chart/palette.js';
import { createFormat } from '../../../web/figures/kit/state/language.js';
import { readState } from '../../../web/figures/kit/state/state.js';
import { createMemo } from '../../../web/shared/memo.js';
import { atOnce } from '../../../web/shared/slices.js';

/**
 * @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js'
 * @import { StaticOptions } from '../../../web/figures/kit/chart/static.js'
 */

/**
 * Returns the view of a figure after a run, or of a file that it has read.
 * @param {AnyFigureSpec} spec
 * @param {unknown} result  of the run, or the file
 * @param {StaticOptions & Record<string, unknown>} options  as for `staticView`
 * @returns {any}
 */
export function viewAfter(spec, result, { lang = 'en', width = 720, ...values }) {
  const { state } = readState(spec.fields, (_, key) => values[key]);
  const context = {
    coarse: false,
    still: false,
    memo: createMemo(),
    result,
    language: lang,
    loaded: undefined,
  };
  const data = atOnce(spec.compute(state, context));
  const words = { text: spec.messages[lang], format: createFormat(lang) };
  return { state, data, ...words, palette: light, width };
}
