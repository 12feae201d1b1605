// The description of a figure, from which kit/element/figure.js makes an element and kit/chart/static.js a picture.

/**
 * @import { CSSResult } from 'lit'
 * @import { Memo } from '../../shared/memo.js'
 * @import { Steps } from '../../shared/slices.js'
 * @import { Change } from './shell/controls.js'
 * @import { Aspect } from './chart/chart.js'
 * @import { Look } from './chart/looks.js'
 * @import { TidyRow } from './chart/tidy-row.js'
 * @import { Format, Language } from './state/language.js'
 * @import { Palette } from './chart/palette.js'
 * @import { Field } from './state/state.js'
 * @import { SvgNode } from './chart/svg.js'
 */

/**
 * The input of every function that draws a part of a figure.
 * @template Data, Words
 * @template [State=any]
 * @typedef {object} ViewOf
 * @property {State} state
 * @property {Data} data
 * @property {Words} text  in the figure's language
 * @property {Format} format
 * @property {Palette} palette
 * @property {number} width  of the picture, in CSS pixels
 * @property {readonly string[]} [panels]  names of those shown, else all
 * @property {boolean} [compact]  whether the page wants the figure small
 */

/**
 * A line of the read-out: measured · theory · relative error.
 * @typedef {object} ReadoutRow
 * @property {string} quantity
 * @property {number} measured
 * @property {number} theory
 * @property {(value: number) => string} format
 * @property {boolean} [rare] theory expects less than one in the sample, so there is no error to show
 */

/**
 * Lines about one series; its name is also the legend.
 * @typedef {object} ReadoutGroup
 * @property {Look} series
 * @property {string} label
 * @property {string} formula
 * @property {ReadoutRow[]} rows
 * @property {string} [measuredAs]  column heads, where the usual ones would mislead
 * @property {string} [theoryAs]
 * @property {string} [errorAs]
 */

/** @typedef {ViewOf<any, any, any>} AnyView */

/**
 * The circumstances of a computation.
 * @template [Result=undefined]
 * @template [Loaded=undefined]
 * @typedef {object} Context
 * @property {boolean} coarse the reader is dragging: a smaller sample is enough
 * @property {boolean} still   a picture made ahead of time: nothing may depend on this device
 * @property {Memo} memo
 * @property {Language} language
 * @property {Result | undefined} result  of the long work, as far as it got
 * @property {Loaded} loaded  what `load` has fetched for the state
 */

/**
 * The data that a `compute` returns.
 * @template {(...args: any) => Generator} Compute
 * @typedef {ReturnType<Compute> extends Generator<any, infer Data> ? Data : never} DataOf
 */

/**
 * Controls long work: `fraction` of it is done, 0 to 1, and gave `rows`.
 * @template Result
 * @typedef {{ signal: AbortSignal, language: Language,
 *   onProgress: (progress: { fraction: number, rows: Result }) => void }} Control
 */

/**
 * A film: `at` returns the fields that it shows at a time in milliseconds, or undefined after its end; `byItself`
 * plays it once, too, when a figure in its initial state, and wide enough for two panels, comes into view.
 * @typedef {{ at: (time: number) => Record<string, unknown> | undefined, byItself?: boolean }} Film
 */

/**
 * The fields that describe a state.
 * @template State
 * @typedef {{ [K in keyof State]: Field<State[K]> }} FieldsOf
 */

/**
 * @template Data, Words
 * @template [State=any]
 * @template [Result=any]
 * @template [Loaded=any]
 * @typedef {object} FigureSpec
 * @property {string} name  of the element without `attn-`
 * @property {FieldsOf<State>} fields  with one called `seed`, "New sample" is offered and changes it
 * @property {readonly string[]} visible  fields shown unless `controls` says otherwise; the rest is under "more"
 * @property {Record<Language, Words & { fields: Record<string, string>, options?: Record<string, string>,
 *   hints?: Record<string, string> }>} messages
 * @property {Aspect} aspect  height of the picture as a share of its width
 * @property {{ wide: number, narrow: number }} room  for all but the picture, in pixels: in a column of 960 and of 350
 * @property {(language: Language, state?: State) => Promise<Loaded>} [load]  fetches what compute needs in a
 *   language for a state, by default the initial one
 * @property {boolean} [isRecorded]  whether its first state needs nothing that load fetches
 * @property {(state: State, context: Context<Result, Loaded>) => Steps<Data>} compute  yields every few milliseconds
 * @property {Film} [film]  states that play one after another, on a button
 * @property {(state: State, control: Control<Result>) => Promise<Result>} [run]  long work that starts on a button
 * @property {readonly string[]} [keeps]  fields whose change leaves the result of the long work valid
 * @property {(view: ViewOf<Data, Words, State>) => SvgNode} draw
 * @property {(view: ViewOf<Data, Words, State>) => SvgNode[]} [pictures]  one a panel
 * @property {readonly string[]} [panels]  names of the panels that a page can choose
 * @property {string} [main]  the panel of a compact figure; without one, it is its whole picture, and no numbers
 * @property {boolean} [oneAtATime]  a narrow figure shows one panel, and buttons with the names of all, which
 *   are `panels` of its messages
 * @property {Record<string, string>} [controlOf]  the field that comes first while a narrow figure shows this panel
 *   alone, by panel
 * @property {(width: number, count: number) => { height: number }} [layout]  of that number of panels
 * @property {(view: ViewOf<Data, Words, State>, point: { x: number, y: number }) => Partial<State> | undefined} [pick]
 *   returns the fields that a pointer at this place of the picture sets; each must have a control
 * @property {(view: ViewOf<Data, Words, State>, key: string) => { left: number, right: number } | undefined} [axis]
 *   returns the ends of the axis of a field, in pixels, to which its slider is aligned
 * @property {boolean} [follows]  true: a mouse that merely passes over the picture picks too
 * @property {(view: ViewOf<Data | undefined, Words, State>, change: Change, language: Language) => unknown} [lead]
 *   elements above the picture that lead through it, before there are data, too
 * @property {(view: ViewOf<Data, Words, State>, change: Change) => unknown} [overlay]
 *   elements that lie over the picture and take focus and input
 * @property {(view: ViewOf<Data, Words, State>, change: Change) => unknown} [below]
 *   elements below the read-out
 * @property {CSSResult[]} [styles]  of these elements
 * @property {(view: ViewOf<Data, Words, State>) => string} title  the claim, with its live number
 * @property {(view: ViewOf<Data, Words, State>) => string} status  one sentence for screen readers
 * @property {(view: ViewOf<Data, Words, State>) => string} caption the assumptions
 * @property {(view: ViewOf<Data, Words, State>) => ReadoutGroup[]} readout
 * @property {(view: ViewOf<Data, Words, State>) => string} [note]  a line under the read-out
 * @property {(view: ViewOf<Data, Words, State>) => TidyRow[]} rows  everything drawn, as data
 */

/** @typedef {FigureSpec<any, any, any, any, any>} AnyFigureSpec */

/**
 * What manifest, types and documents of an element are made of, besides its fields and its reference.
 * @typedef {object} ElementFacts
 * @property {string[]} [assets]  what it loads besides the kernels: groups of the assets.js of rooms
 * @property {string[]} [needs]  those of them that it loads at its start
 * @property {Record<string, string>} [properties]  types of those without an attribute
 * @property {Record<string, string>} [events]  types of those beside the events of every figure
 *
 * What the reference says of an element in one language; types, ranges and defaults of attributes are those of its
 * fields.
 * @typedef {object} ElementReference
 * @property {string} summary  one sentence
 * @property {Record<string, string>} attributes  by property name; some are described for all figures (kit/element)
 * @property {Record<string, string>} [properties]  those without an attribute
 * @property {Record<string, string>} [events]  beside those of every figure
 * @property {Record<string, string>} [parts]  beside those of every figure
 * @property {Record<string, string>} [slots]  in place of those of every figure
 */

/** Returns the relative error of a line of the read-out: (measured − theory) / theory. @param {ReadoutRow} row */
export const relativeError = ({ measured, theory, rare }) =>
  rare ? NaN : (measured - theory) / theory;
