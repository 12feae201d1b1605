// What a figure is: one object of this shape. kit/figure.js makes an element of it, kit/static.js a picture.

import { MOST_SETS } from '../../experiments/noise.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Fields} Fields
 * @typedef {import('./language.js').Language} Language
 * @typedef {import('./language.js').Format} Format
 * @typedef {import('./palette.js').Palette} Palette
 * @typedef {import('./chart.js').Series} Series
 * @typedef {import('./download.js').TidyRow} TidyRow
 */

/**
 * Remembers the last result under a name as long as the inputs stay the same. A new one may end the
 * computation for now, by throwing: it begins again after a pause and finds what it had.
 * @typedef {<T>(name: string, inputs: unknown[], compute: () => T) => T} Memo
 */

/**
 * What every part of a figure is drawn from.
 * @template Data, Messages
 * @typedef {object} View
 * @property {State} state
 * @property {Data} data
 * @property {Messages} text  in the figure's language
 * @property {Format} format
 * @property {Palette} palette
 * @property {number} width  of the picture, in CSS pixels
 */

/**
 * A line of the read-out: measured · theory · relative error.
 * @typedef {object} ReadoutRow
 * @property {string} quantity
 * @property {number} measured
 * @property {number} theory
 * @property {(value: number) => string} format
 * @property {boolean} [rare]  theory expects less than one in the sample: no error can be told
 */

/**
 * Lines about one series; its name is also the legend.
 * @typedef {object} ReadoutGroup
 * @property {Series} series
 * @property {string} label
 * @property {string} formula
 * @property {ReadoutRow[]} rows
 * @property {string} [measuredAs]  column heads, where the usual ones would mislead
 * @property {string} [theoryAs]
 * @property {string} [errorAs]
 */

/**
 * What a computation may know besides the state.
 * @template Result
 * @typedef {object} Context
 * @property {boolean} coarse  the reader is dragging: a smaller sample will do
 * @property {boolean} still   a picture made ahead of time: nothing may depend on this device
 * @property {Memo} memo
 * @property {() => void} turn  to be called between parts of what `memo` remembers whole; may end the
 *   computation for now as well
 * @property {Result | undefined} result  of the long work, as far as it got
 */

/**
 * Long work that starts on a button.
 * @template Result
 * @callback Run
 * @param {State} state
 * @param {{ signal: AbortSignal, onProgress: (progress: { fraction: number, rows: Result }) => void }} control
 *   fraction: 0 … 1 done; rows: what there is so far
 * @returns {Promise<Result>}
 */

/**
 * @template Data, Messages, [Result=undefined]
 * @typedef {object} FigureSpec
 * @property {string} name  of the element without `attn-`
 * @property {Fields} fields  with one called `seed`, "New sample" is offered and changes it
 * @property {readonly string[]} visible  fields shown unless `controls` says otherwise; the rest is under "more"
 * @property {Record<Language, Messages & { fields: Record<string, string>, options?: Record<string, string> }>} messages
 * @property {{ wide: number, narrow: number }} aspect  height of the picture as a share of its width
 * @property {(state: State, context: Context<Result>) => Data} compute  all that takes long goes through
 *   `memo` in short parts
 * @property {Run<Result>} [run]
 * @property {readonly string[]} [keeps]  fields whose change leaves the result of the long work valid
 * @property {(view: View<Data, Messages>) => import('./svg.js').SvgNode} draw
 * @property {(view: View<Data, Messages>, point: { x: number, y: number }) => State | undefined} [pick]
 *   the fields that a pointer at this place of the picture sets; there must be a control for each
 * @property {boolean} [follows]  true: a mouse that merely passes over the picture picks too
 * @property {(view: View<Data, Messages>, change: (key: string, value: unknown, settled: boolean) => void) => unknown} [overlay]
 *   elements that lie over the picture and take focus and input
 * @property {string[]} [styles]  of the overlay
 * @property {(view: View<Data, Messages>) => string} title  the claim, with its live number
 * @property {(view: View<Data, Messages>) => string} status  one sentence for screen readers
 * @property {(view: View<Data, Messages>) => string} caption  what is assumed
 * @property {(view: View<Data, Messages>) => ReadoutGroup[]} readout
 * @property {(view: View<Data, Messages>) => string} [note]  a line under the read-out
 * @property {(view: View<Data, Messages>) => TidyRow[]} rows  everything drawn, as data
 */

/** @typedef {FigureSpec<any, any, any>} AnyFigureSpec */

/** @param {() => void} [turn]  called after each part  @returns {Memo} */
export function createMemo(turn = () => {}) {
  /** @type {Map<string, { key: string, value: unknown }>} */
  const last = new Map();
  return (name, inputs, compute) => {
    const key = JSON.stringify(inputs);
    const known = last.get(name);
    if (known?.key === key) return /** @type {ReturnType<typeof compute>} */ (known.value);
    const value = compute();
    last.set(name, { key, value });
    turn();
    return value;
  };
}

/** Scores measured at each d_k while the reader drags: all where a figure begins. */
const COARSE_SCORES = 16_384;

/**
 * How many queries to measure: all, and while the reader drags about as many as make so many scores,
 * which meet the keys that they meet among all.
 * @param {State} state
 * @param {{ coarse: boolean }} context
 * @param {number} [scores]
 * @returns {number}
 */
export const queriesNow = ({ queries, keys }, { coarse }, scores = COARSE_SCORES) =>
  coarse ? Math.min(queries, MOST_SETS * Math.ceil(scores / keys / MOST_SETS)) : queries;

/**
 * The full sample, which stays on show while what it does not depend on is dragged; else what there is
 * time for.
 * @template Rows
 * @param {{ coarse: boolean, memo: Memo }} context
 * @param {unknown[]} inputs  of the full sample
 * @param {() => Rows} compute  all of it, or what there is time for
 * @returns {Rows}
 */
export function lastWhole({ coarse, memo }, inputs, compute) {
  const known = memo('whole', inputs, () => ({
    rows: /** @type {Rows | undefined} */ (undefined),
  }));
  if (!coarse) known.rows ??= compute();
  return known.rows ?? compute();
}

/**
 * Results at several places, each remembered as long as the inputs stay the same.
 * @template {string | number} Place, Row
 * @param {Memo} memo
 * @param {string} name
 * @param {{ inputs: unknown[], places: readonly Place[] }} options
 * @param {(place: Place) => Row | readonly Row[]} compute
 * @returns {Row[]}
 */
export const byPlace = (memo, name, { inputs, places }, compute) =>
  places.flatMap((place) => memo(`${name} ${place}`, inputs, () => compute(place)));

/** @param {ReadoutRow} row  @returns {number} (measured − theory) / theory */
export const relativeError = ({ measured, theory, rare }) =>
  rare ? NaN : (measured - theory) / theory;
