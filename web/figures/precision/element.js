// <attn-precision>: the effect of number formats on attention as d_k grows. Subtracting the maximum
// prevents overflow; the scale prevents lost weights. Where the format is int8, the panels show errors (int8.js).

import { keysOf } from '../../shared/keys.js';
import { precisionCurve, precisionTheory } from '../../experiments/precision.js';
import { DIMENSIONS } from '../../experiments/factors.js';
import { FORMATS } from '../../theory/precision.js';
import { renderStatic } from '../kit/chart/static.js';
import { points } from '../kit/chart/series.js';
import { folkLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { dkScale } from '../../shared/dk-scales.js';
import { FACTOR_KEYS, nameOf, ofSeries, seriesOf } from '../common/factors.js';
import { byPlace, lastWhole, queriesNow } from '../common/sampling.js';
import { choiceField, numberField, queriesField, seedField } from '../kit/state/state.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './generated/words.js';
import { computeInt8, INT8_PANELS, int8Caption, int8Note, int8Readout, int8Title } from './int8.js';
import { times } from '../../shared/times.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Exclude<Data, { int8: unknown }>, typeof messages.en, State>} View  of a floating format
 * @typedef {ViewOf<Data, typeof messages.en, State>} AnyFormat
 * @typedef {import('./int8.js').View} Int8View
 * @typedef {'productOverflow' | 'expOverflow' | 'expOverflowRows' | 'zeroWeights'} Measure
 */

const LARGEST_D = 1024;
const DRAWN_D = times(21, (i) => 2 ** (i / 2));
/** Scores counted at each d_k while the reader drags. */
const COARSE_SCORES = 2048;
/** The deviations from 0 of the largest of 16,000 scores. */
const DEVIATIONS = 4;

/** The first is the one that a folded read-out shows. @type {readonly Measure[]} */
const MEASURES = ['zeroWeights', 'productOverflow', 'expOverflow', 'expOverflowRows'];

/** The attention that a factor makes, which scales q before the product. */
const FORMULAS = {
  none: 'softmax(q·k)',
  sqrt: 'softmax((q / √d_k)·k)',
  'half-sqrt': 'softmax((q / 2√d_k)·k)',
  linear: 'softmax((q / d_k)·k)',
};

const fields = {
  dK: numberField({ initial: 64, min: 1, max: LARGEST_D }),
  format: choiceField({ initial: 'fp16', options: [...keysOf(FORMATS), 'int8'] }),
  entrySize: numberField({ initial: 1, min: 0.25, max: 64, step: 0.25 }),
  scale: choiceField({ initial: 'sqrt', options: FACTOR_KEYS }),
  keys: numberField({ initial: 64, min: 2, max: 256 }),
  queries: queriesField({ initial: 256, interpreted: 16, max: 1024 }),
  seed: seedField(1),
};

/** Computes the data of a state. @param {State} state @param {Context} context */
function* compute(state, context) {
  const { memo } = context;
  const { dK, keys, entrySize, seed, queries: all } = state;
  const { format } = state;
  if (format === 'int8') return { int8: yield* computeInt8(state, context) };
  const factor = dkScale(state.scale).name;
  const setting = { keys, format, entrySize, factor };
  const sample = { ...setting, seed, rounded: !context.coarse };
  const queries = queriesNow(state, context, COARSE_SCORES);
  // The numbers of the title are counted in more scores.
  const here = { ...sample, queries: queriesNow(state, context) };
  const curve = () =>
    byPlace(memo, 'curve', { inputs: [sample, queries], places: DIMENSIONS }, (at) =>
      precisionCurve({ ...sample, queries, dimensions: [at] }),
    );
  return {
    format,
    now: yield* memo('now', [here, dK], () => precisionCurve({ ...here, dimensions: [dK] })),
    nowTheory: precisionTheory({ ...setting, dimensions: [dK] }),
    curve: yield* lastWhole(context, { name: 'curve', inputs: [setting, seed, all] }, curve),
    theory: yield* memo('theory', [setting], () =>
      precisionTheory({ ...setting, dimensions: DRAWN_D }),
    ),
  };
}

// ---- the panels -------------------------------------------------------------------------------

/**
 * Declares one count of one series. Rows are hollow and dashed.
 * @param {Measure} measure
 * @param {View} view
 * @param {{ look: Look, label?: string }} series
 * @returns {Series}
 */
function countSeries(measure, view, { look, label }) {
  const { data, text: words } = view;
  const ofRows = measure === 'expOverflowRows';
  const [measured, theory, [chosen]] = [data.curve, data.theory, data.now].map((rows) =>
    points(ofSeries(rows, look), { x: 'dK', y: measure }),
  );
  return {
    look,
    label,
    name: nameOf(view, look.key),
    table: words[measure],
    measured,
    theory,
    chosen,
    size: 3,
    hollow: ofRows,
    dash: ofRows ? '4 3' : undefined,
  };
}

/**
 * Describes the share that overflows or is lost, with the limit of the format beside it.
 * @param {{ title: string, note: string, measures: Measure[], names: string[], folk?: boolean }} options
 *   names: of the unscaled series, the scaled one, and the second measure
 * @param {View} view
 * @returns {Panel}
 */
function countPanel({ title, note, measures, names, folk = false }, view) {
  const { state, text: words, format, palette } = view;
  const all = seriesOf(palette);
  const counts = measures.flatMap((measure, i) =>
    all.map((look, j) => countSeries(measure, view, { look, label: names[2 * i + j] })),
  );
  return {
    title,
    note,
    x: {
      mapping: logarithmic,
      ends: [1, LARGEST_D],
      ticks: [1, 16, 256],
      name: 'd_k',
    },
    y: { ends: [0, 1], ticks: [0, 0.5, 1], format: format.percent },
    margin: { left: 42, top: 52 },
    now: state.dK,
    picks: (dK) => ({ dK }),
    series: folk ? [...counts, { look: folkLook(palette), label: words.folk, level: 1 }] : counts,
  };
}

/** Says which values do not fit. @param {View} view  @param {string} limit */
const above = (view, limit) => say(view, view.text.above, { limit });

/** Describes the panel of products. @param {View} view */
function productPanel(view) {
  const { data, text: words, format } = view;
  const { overflow } = FORMATS[data.format];
  const limit = overflow < 1e6 ? '65504' : format.significant(overflow, 2);
  return countPanel(
    {
      title: words.productOverflow,
      note: above(view, limit),
      measures: ['productOverflow'],
      names: [words.unscaled, nameOf(view, 'scaled')],
      folk: true,
    },
    view,
  );
}

/** Describes the panel of exponentials. @param {View} view */
function expPanel(view) {
  const { data, text: words, format } = view;
  return countPanel(
    {
      title: words.expPanel,
      note: above(view, format.fixed(FORMATS[data.format].expOverflow, 2)),
      measures: ['expOverflow', 'expOverflowRows'],
      names: [words.entries, nameOf(view, 'scaled'), words.rows],
    },
    view,
  );
}

/** Describes the panel of lost weights. @param {View} view */
function zeroPanel(view) {
  const { data, text: words, format } = view;
  const limit = format.fixed(-FORMATS[data.format].zeroBelow, 2);
  return countPanel(
    {
      title: words.zeroPanel,
      note: say(view, words.below, { limit }),
      measures: ['zeroWeights'],
      names: [words.unscaled, nameOf(view, 'scaled')],
    },
    view,
  );
}

/**
 * Chooses what int8 shows, or a floating format.
 * @template T
 * @param {(view: Int8View) => T} ofInt8
 * @param {(view: View) => T} ofFloats
 * @returns {(view: AnyFormat) => T}
 */
const byFormat = (ofInt8, ofFloats) => (view) =>
  'int8' in view.data
    ? ofInt8(/** @type {Int8View} */ (view))
    : ofFloats(/** @type {View} */ (view));

// ---- the figure -------------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { state, data, text: words, format } = view;
  const [unscaled, scaled] = data.now;
  // Weights are counted in rows without an overflow, if there are any.
  return say(view, unscaled.zeroWeights >= 0 ? words.title : words.spoilt, {
    format: words.options[data.format],
    product: format.percent(unscaled.productOverflow),
    zero: format.percent(unscaled.zeroWeights),
    scaled:
      state.scale === 'none'
        ? ''
        : say(view, words.withScale, { scaledZero: format.percent(scaled.zeroWeights) }),
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { state, data, text: words, format, palette } = view;
  return seriesOf(palette).map((series) => {
    const [row] = ofSeries(data.now, series);
    const [theory] = ofSeries(data.nowTheory, series);
    const scale = series.key === 'scaled' ? state.scale : 'none';
    return {
      series,
      label: nameOf(view, series.key),
      formula: FORMULAS[scale],
      rows: MEASURES.map((measure) => {
        const counted = state.queries * (measure === 'expOverflowRows' ? 1 : state.keys);
        // A share too small for any sample counts as 0.
        const expected = Number(theory[measure].toFixed(7));
        return {
          ...line(words[measure], format.percent, row[measure], expected),
          rare: expected * counted < 1,
        };
      }),
    };
  });
}

/** Says how large entries may be. @param {View} view */
function note(view) {
  const { state, data, text: words, format } = view;
  const deviation = Math.sqrt(state.dK);
  const size = Math.sqrt(FORMATS[data.format].overflow / (DEVIATIONS * deviation));
  return say(view, words.note, { size: format.significant(size, 2) });
}

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'precision',
  room: { wide: 420, narrow: 500 },
  fields,
  visible: ['format', 'scale', 'entrySize'],
  messages,
  compute,
  ...panelled({
    title: byFormat(int8Title, title),
    panels: {
      products: byFormat(INT8_PANELS.products, productPanel),
      exponentials: byFormat(INT8_PANELS.exponentials, expPanel),
      weights: byFormat(INT8_PANELS.weights, zeroPanel),
    },
    main: 'weights',
    columns: 3,
    gutter: 20,
    // Two side by side would leave the third alone; one is also enough to read what the title says.
    aspect: { wide: 0.34, narrow: 0.72 },
    oneAtATime: true,
  }),
  // It stands there before there are data.
  caption: (view) =>
    view.state.format === 'int8'
      ? int8Caption(/** @type {Int8View} */ (view))
      : say(view, view.text.caption),
  readout: byFormat((view) => int8Readout(view, FORMULAS), readout),
  note: byFormat(int8Note, note),
};

/** The effect of 16-bit formats on attention as d_k grows: overflow, and weights lost to 0. */
export class AttnPrecision extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnPrecision);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
