// <attn-gradient>: the gradient that softmax passes as d_k grows.
//
// Above ‖∂L/∂q‖ and tr J against d_k for three scales: the mean stays up where that of the typical
// row vanishes. Below the reason, with two keys: what passes as the gap of their logits grows.

import {
  gapCurve,
  gradientCurve,
  gradientTheory,
  jacobianEntries,
} from '../../experiments/gradient.js';
import { largestWeights } from '../../experiments/saturation.js';
import { DIMENSIONS } from '../../experiments/factors.js';
import { PAIR_FROM } from '../kit/chart/chart.js';
import { renderStatic } from '../kit/chart/static.js';
import { points } from '../kit/chart/series.js';
import { folkLook, scaleLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { asPower } from '../kit/state/language.js';
import { twoAboveOne } from '../kit/chart/layout.js';
import { panelled } from '../kit/chart/panels.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { dkScale } from '../../shared/dk-scales.js';
import { byPlace, lastWhole, queriesNow } from '../common/sampling.js';
import {
  choiceField,
  listField,
  numberField,
  queriesField,
  seedField,
} from '../kit/state/state.js';
import { formulas, line, say } from '../kit/state/words.js';
import { DRAWN_GAPS, gapOf, gapPanel, GAPS } from './gap.js';
import { messages } from './generated/words.js';
import { PRESETS } from './presets.js';
import { times } from '../../shared/times.js';
import { keysOf } from '../../shared/keys.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { Ends } from '../kit/chart/mapping.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 * @typedef {'gradient' | 'trace'} Measure
 */

/** The scales that are compared. @type {readonly ('none' | 'sqrt' | 'linear')[]} */
const KEYS = ['none', 'sqrt', 'linear'];
const LARGEST_D = 1024;
const DRAWN_D = times(21, (i) => 2 ** (i / 2));
/** Scores measured at each d_k while the reader drags. */
const COARSE_SCORES = 4096;
const SAMPLE_LOGITS = 8;
/** The largest distance of logits at which products of their weights are above the least float64. */
const LARGEST_LOGIT = 170;

/** Lower ends of the axes; smaller values are drawn there. */
/** @satisfies {Record<Measure, Ends>} */
const RANGE = {
  gradient: [1e-6, 10],
  trace: [1e-6, 1],
};

/** Reads a list of logits. @param {string} text */
const read = (text) => text.split(',').map(Number);

const fields = {
  dK: numberField({ initial: 512, min: 1, max: LARGEST_D }),
  keys: numberField({ initial: 64, min: 2, max: 256 }),
  gap: numberField({ initial: 47.9, ...GAPS, step: 0.1, also: { preset: 'gap' } }),
  preset: choiceField({
    initial: 'peak',
    options: [...keysOf(PRESETS), 'gap', 'unscaled', 'scaled', 'own'],
    presets: Object.fromEntries(
      Object.entries(PRESETS).map(([name, logits]) => [name, { logits, gap: gapOf(read(logits)) }]),
    ),
  }),
  logits: listField({
    initial: PRESETS.peak,
    min: -LARGEST_LOGIT,
    max: LARGEST_LOGIT,
    most: SAMPLE_LOGITS,
    also: { preset: 'own' },
  }),
  queries: queriesField({ initial: 512, interpreted: 16, max: 2048 }),
  seed: seedField(46),
};

/**
 * Returns the logits of a query: two a gap apart, as preset, as typed, or the largest scores of the first query.
 * @param {State} state
 */
function logitsOf({ preset, gap, logits, dK, keys, seed }) {
  if (preset === 'gap') return [gap, 0];
  if (preset === 'own') return read(logits);
  if (preset !== 'unscaled' && preset !== 'scaled') return read(PRESETS[preset]);
  return largestWeights({ dK, keys, seed, count: SAMPLE_LOGITS })
    .filter(({ scaling }) => scaling === preset)
    .map(({ score }) => Math.round(score * 10) / 10);
}

/** Computes the data of a state. @param {State} state @param {Context} context */
function* compute(state, context) {
  const { memo } = context;
  const { dK, keys, seed } = state;
  const queries = queriesNow(state, context, COARSE_SCORES);
  const logits = logitsOf(state);
  const sample = { keys, seed, queries };
  const measured = (/** @type {number} */ at) => gradientCurve({ ...sample, dimensions: [at] });
  const curve = () => byPlace(memo, 'curve', { inputs: [sample], places: DIMENSIONS }, measured);
  const gaps = yield* memo('gaps', [], () => gapCurve({ gaps: DRAWN_GAPS }));
  const now = () => memo('now', [sample, dK], () => measured(dK));
  return {
    // Dragging the gap leaves both curves against d_k as they are.
    now: yield* lastWhole(context, { name: 'now', inputs: [dK, keys, seed, state.queries] }, now),
    nowTheory: gradientTheory({ keys, dimensions: [dK] }),
    curve: yield* lastWhole(context, { name: 'curve', inputs: [keys, seed, state.queries] }, curve),
    theory: yield* byPlace(memo, 'theory', { inputs: [keys], places: DRAWN_D }, (at) =>
      gradientTheory({ keys, dimensions: [at] }),
    ),
    logits,
    jacobian: jacobianEntries({ logits }),
    gap: gapCurve({ gaps: [gapOf(logits)] })[0],
    gaps,
    computed: gaps.filter((_, index) => index % 2 === 0),
  };
}

/** Returns the looks of the series. @param {Palette} palette  @returns {Look<typeof KEYS[number]>[]} */
const seriesOf = (palette) => KEYS.map((key) => scaleLook(palette, key));

/**
 * @template {{ scaling: string }} R
 * @param {readonly R[]} rows
 * @param {Look<typeof KEYS[number]>} series
 * @returns {R[]}
 */
const ofSeries = (rows, { key }) => rows.filter(({ scaling }) => scaling === dkScale(key).name);

// ---- the panels against d_k -------------------------------------------------------------------

/**
 * Declares the medians of one series, with the exact one where two keys share the weight; and its means on
 * the range of its queries, with the exact mean.
 * @param {Look<typeof KEYS[number]>} look
 * @param {Measure} measure
 * @param {View} view
 * @returns {Series[]}
 */
function curveSeries(look, measure, { data, text: words }) {
  const name = words.series[look.key];
  const isUnscaled = look.key === 'none';
  /** @param {Measure | `${Measure}Median`} column */
  const drawn = (column) => ({
    look,
    name,
    measured: points(ofSeries(data.curve, look), {
      x: 'dK',
      y: column,
      low: `${measure}P10`,
      high: `${measure}P90`,
    }),
    size: 3,
    chosen: points(ofSeries(data.now, look), { x: 'dK', y: column })[0],
  });
  const exact = (/** @type {'trace' | 'traceMedian'} */ column) =>
    measure === 'trace' ? points(ofSeries(data.theory, look), { x: 'dK', y: column }) : undefined;
  return [
    {
      ...drawn(`${measure}Median`),
      table: words[`${measure}Median`],
      label: isUnscaled ? words.median : undefined,
      short: words.short.median,
      hollow: true,
      range: 'none',
      theory: exact('traceMedian'),
      dash: '1.5 3',
    },
    {
      ...drawn(measure),
      table: words[`${measure}Mean`],
      label: isUnscaled ? words.mean : name,
      short: isUnscaled ? words.short.mean : undefined,
      range: 'area',
      theory: exact('trace'),
    },
  ];
}

/** Describes the panel of a curve. @param {Measure} measure @param {View} view @returns {Panel} */
function curvePanel(measure, view) {
  const { state, text: words, palette } = view;
  const [low] = RANGE[measure];
  return {
    title: measure === 'trace' ? words.tracePanel : words.gradientPanel,
    x: {
      mapping: logarithmic,
      ends: [1, LARGEST_D],
      ticks: [1, 4, 16, 64, 256, 1024],
      name: 'd_k',
    },
    y: {
      mapping: logarithmic,
      ends: RANGE[measure],
      ticks: [1e-6, 1e-4, 1e-2, 1],
      format: asPower,
    },
    margin: { left: 36 },
    now: state.dK,
    picks: (dK) => ({ dK }),
    series: [
      ...seriesOf(palette).flatMap((look) => curveSeries(look, measure, view)),
      // The line from which on softmax is frozen.
      {
        look: folkLook(palette),
        label: words.folk,
        short: words.short.folk,
        level: low,
        start: 2 * Math.log(state.keys),
      },
    ],
  };
}

/** The heights of the curves against d_k and of that against the gap, as shares of the width. */
const SHARES = {
  upper: { wide: 0.36, narrow: 1.55 },
  lower: { wide: 0.32, narrow: 0.8 },
  below: PAIR_FROM,
};

// ---- the figure -------------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  const [{ gradient, gradientMedian, topShare }] = data.now;
  return say(view, words.title, {
    mean: format.significant(gradient, 2),
    median: format.significant(gradientMedian, 1),
    share: format.percent(topShare),
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout({ data, text: words, format, palette }) {
  // Frozen queries differ by powers of ten. Where a few dominate, another seed changes the second
  // digit.
  const two = (/** @type {number} */ value) => format.significant(value, 2);
  return seriesOf(palette).map((series) => {
    const [row] = ofSeries(data.now, series);
    const [theory] = ofSeries(data.nowTheory, series);
    return {
      series,
      label: words.series[series.key],
      formula: formulas[series.key],
      rows: [
        line(words.traceMean, two, row.trace, theory.trace),
        line(words.traceMedian, two, row.traceMedian),
        line(words.gradientMean, two, row.gradient),
        line(words.gradientMedian, two, row.gradientMedian),
        line(words.topShare, format.percent, row.topShare),
      ],
    };
  });
}

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'gradient',
  room: { wide: 500, narrow: 710 },
  fields,
  visible: ['dK', 'gap', 'preset'],
  messages,
  compute,
  ...panelled({
    title,
    panels: {
      gradient: (/** @type {View} */ view) => curvePanel('gradient', view),
      trace: (/** @type {View} */ view) => curvePanel('trace', view),
      gap: gapPanel,
    },
    layout: (width) => twoAboveOne(width, SHARES),
    aspect: { wide: 0.68, narrow: 2.35, below: PAIR_FROM },
  }),
  readout,
  note: (view) => {
    const { data, text: words, format } = view;
    const { logits } = data;
    const largest = logits.indexOf(Math.max(...logits));
    const { exact, float32 } = data.jacobian[largest * (logits.length + 1)];
    const write = (/** @type {number} */ value) =>
      value === 0 ? '0' : format.significant(value, 2);
    return say(view, words.note, {
      logits: logits.map(format.plain).join(', '),
      exact: write(exact),
      float32: write(float32),
    });
  },
};

/** How much gradient softmax lets through as d_k grows, for three scales, and what passes between two keys a gap apart. */
export class AttnGradient extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnGradient);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
