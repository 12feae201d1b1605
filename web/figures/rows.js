/** The rows that the table and the CSV of each figure hold, for charts of your own. No DOM. */
import { init } from '../attention/index.js';
import { reject } from '../attention/errors.js';
import { expectKnown, readChoice, readEntries, readOptions } from '../attention/options.js';
import { LANGUAGE_KEYS } from '../shared/languages.js';
import { spec as asymmetry } from './asymmetry/element.js';
import { spec as cost } from './cost/element.js';
import { spec as flow } from './flow/element.js';
import { spec as gradient } from './gradient/element.js';
import { spec as heads } from './heads/element.js';
import { spec as language } from './language/element.js';
import { spec as precision } from './precision/element.js';
import { spec as roles } from './roles/element.js';
import { spec as saturation } from './saturation/element.js';
import { spec as scale } from './scale/element.js';
import { spec as scales } from './scales/element.js';
import { spec as training } from './training/element.js';
import { spec as values } from './values/element.js';
import { spec as view } from '../inspector/view/spec.js';
import { spec as walk } from './walk/element.js';
import { spec as words } from './words/element.js';
import { viewOf } from './kit/chart/static.js';
import { initialState } from './kit/state/state.js';
import { unmarked } from './kit/state/verbatim.js';
import { FIGURES } from './list.js';

/**
 * @import { Language } from '../shared/languages.js'
 * @import { AnyFigureSpec } from './kit/spec.js'
 * @import { Field, State } from './kit/state/state.js'
 *
 * @typedef {import('./kit/chart/tidy-row.js').TidyRow} TidyRow
 *
 * @typedef {'walk' | 'saturation' | 'gradient' | 'precision' | 'scale' | 'flow' | 'heads' | 'scales'} QuickFigure
 *   computed at once
 * @typedef {'roles' | 'training' | 'cost' | 'asymmetry' | 'values' | 'words' | 'language' | 'view'} SlowFigure
 *   with a model that is loaded or trained, or a button that starts long work
 * @typedef {QuickFigure | SlowFigure} Figure
 *
 * @typedef {object} RowsOptions
 * @property {Language} [lang] of the names of panels and series; 'en' by default
 * @property {boolean} [run] true: with the long work that the figure's button starts, which takes seconds to minutes
 * @property {AbortSignal} [signal] ends that work; the rows so far are returned
 */

/** @type {Record<Figure, AnyFigureSpec>} */
const SPECS = {
  asymmetry,
  cost,
  flow,
  gradient,
  heads,
  language,
  precision,
  roles,
  saturation,
  scale,
  scales,
  training,
  values,
  view,
  walk,
  words,
};

/** The names of the figures, in reading order. @type {readonly Figure[]} */
export const figures = Object.freeze(/** @type {any} */ ([...FIGURES]));

/**
 * Computes the rows that the table and the CSV of a figure hold.
 *
 * The state has the fields of the element's attributes, `{ dK: 128 }` for `d-k="128"`; the others are at their
 * defaults. Figures that compute at once return the rows; those that load or train something, or have a button for
 * long work, return a promise. `<attn-cost>` measures this device.
 *
 *   const all = rows('saturation', { dK: 64, keys: 64 });
 *   const dots = all.filter(({ panel, series }) => panel === 'Mean largest weight' && series === 'unscaled');
 *   dots.map(({ x, measured, theory }) => [x, measured, theory]);
 * @template {Figure} F
 * @param {F} figure
 * @param {Record<string, string | number | undefined>} [state]
 * @param {RowsOptions} [options]
 * @returns {F extends QuickFigure ? TidyRow[] : Promise<TidyRow[]>} cells that are empty in the CSV are not there
 * @throws {DTypeError} for an unknown figure, field or option, or a value that a field does not take
 */
export function rows(figure, state, options) {
  readChoice('rows', 'figure', figure ?? null, figures);
  const spec = SPECS[figure];
  const read = readState(spec, state);
  const given = readOptions('rows', options, ['lang', 'run', 'signal']);
  const lang = readChoice('rows', 'lang', given.lang, LANGUAGE_KEYS);
  const run = readChoice('rows', 'run', given.run, [false, true]);
  if (run && !spec.run) reject('rows', 'run', run, `false: ${figure} has no long work`);
  const signal = /** @type {AbortSignal} */ (given.signal ?? new AbortController().signal);
  const isSlow = spec.load || spec.run;
  return /** @type {any} */ (
    isSlow ? rowsInTime(spec, read, { lang, run, signal }) : rowsOf(spec, read, { lang })
  );
}

/**
 * Reads the fields of a state. A number beyond the ends of its slider, or between two of its steps, is refused where an
 * attribute would be moved to the nearest: the rows are those of the numbers that were given.
 * @param {AnyFigureSpec} spec
 * @param {unknown} given
 * @returns {State}
 */
function readState({ fields }, given) {
  const entries = readEntries('rows', given, 'state');
  expectKnown('rows', entries, Object.keys(fields), 'field');
  const state = initialState(fields);
  for (const [name, value] of Object.entries(entries)) {
    if (value === undefined) continue;
    const read = fields[name].parse(value);
    const isOther = fields[name].kind === 'number' && read !== value;
    if (read === undefined || isOther) reject('rows', name, value, expectedOf(fields[name]));
    state[name] = read;
  }
  return state;
}

/** Describes the values of a field. @param {Field} field */
function expectedOf({ kind, min, max, step, options, initial }) {
  if (kind === 'number') return `a number from ${min} to ${max} in steps of ${step}`;
  if (options) return `one of ${options.map((each) => `'${each}'`).join(', ')}`;
  return initial ? `a text such as '${initial}'` : 'a text as the attribute has it';
}

/**
 * Returns the rows of a state.
 * @param {AnyFigureSpec} spec
 * @param {State} state
 * @param {{ lang: Language, result?: unknown, loaded?: unknown }} given result: of the long work
 * @returns {TidyRow[]}
 */
const rowsOf = (spec, state, given) =>
  spec.rows(viewOf(spec, state, given)).map((row) => /** @type {TidyRow} */ (filled(row)));

/** Returns a row without its empty cells, its texts as files have them. @param {TidyRow} row */
const filled = (row) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== undefined && !Number.isNaN(value))
      .map(([column, value]) => [column, typeof value === 'string' ? unmarked(value) : value]),
  );

/**
 * Returns the rows of a figure that loads or trains something.
 * @param {AnyFigureSpec} spec
 * @param {State} state
 * @param {{ lang: Language, run: boolean, signal: AbortSignal }} options
 */
async function rowsInTime(spec, state, { lang, run, signal }) {
  await init();
  const loaded = await spec.load?.(lang, state);
  const control = { signal, language: lang, onProgress() {} };
  const result = run ? await spec.run?.(state, control) : undefined;
  return rowsOf(spec, state, { lang, result, loaded });
}
