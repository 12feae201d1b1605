// <attn-saturation>: how softmax saturates as d_k grows, with and without the scale.
//
// Left the scores, right the largest weights of one query, below the largest weight and the entropy
// against d_k: measured dots on exact finite-n curves, and the freezing point d* = 2 ln n
// (Derrida 1981, the random energy model).

import {
  largestWeights,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
} from '../../experiments/index.js';
import { freezingDimension, scoreProbability } from '../../theory/index.js';
import { bars, dots, marks, segment, text, textWidth, theoryLine } from '../kit/chart.js';
import { apart, LINE } from '../kit/labels.js';
import { FigureElement } from '../kit/figure.js';
import { panelled, ring } from '../kit/panels.js';
import { logarithmic } from '../kit/mapping.js';
import { FACTOR_NAMES, FACTORS, nameOf, ofSeries, seriesOf } from '../common/factors.js';
import { byPlace, queriesNow } from '../common/sampling.js';
import { choiceField, numberField, queriesField, seedField } from '../kit/state.js';
import { renderStatic } from '../kit/static.js';
import { line, say } from '../kit/words.js';
import { en, zh } from './words.js';
import { times } from '../../shared/times.js';

/**
 * @import { Series } from '../kit/chart.js'
 * @import { Frame, Panel } from '../kit/panels.js'
 * @import { Context, DataOf, FigureSpec, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state.js'
 * @import { TidyRow } from '../kit/download.js'
 * @import { StaticOptions } from '../kit/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof en, State>} View
 * @typedef {'maxWeight' | 'entropyRatio'} Measure
 */

const LARGEST_D = 512;
/** Half the width of the score axis: 30 shows nearly four deviations at d_k = 64. */
const SCORE_LIMIT = 30;
const BINS = 121;
/** The points of the curve of a density, and the deviations that it spans. */
const CURVE_POINTS = 80;
const CURVE_REACH = 4;
const WEIGHTS = 16;
const MEASURED_D = times(10, (i) => 2 ** i);
const DRAWN_D = times(28, (i) => 2 ** (i / 3));

/**
 * Top of the density axis for entries of size 1, fixed for each scale so that dragging d_k never
 * moves it; higher densities are cut off there.
 */
const DENSITY_TOP = { sqrt: 0.44, none: 0.44, 'half-sqrt': 0.88, linear: 2.2 };

const fields = {
  dK: numberField({ initial: 64, min: 1, max: LARGEST_D }),
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  scale: choiceField({ initial: 'sqrt', options: FACTOR_NAMES }),
  entrySize: numberField({ initial: 1, min: 0.25, max: 3, step: 0.05 }),
  queries: queriesField({ initial: 256, interpreted: 64, max: 1024 }),
  seed: seedField(5),
};

/**
 * Computes the data of a state.
 * @param {State} state
 * @param {Context} context
 */
function* compute(state, context) {
  const { memo } = context;
  const { dK, keys, seed, entrySize } = state;
  const exact = { keys, entrySize, factor: FACTORS[state.scale] };
  const setting = { ...exact, seed, queries: queriesNow(state, context) };
  const now = { ...setting, dK };
  const curve = yield* byPlace(memo, 'measured', { inputs: [setting], places: MEASURED_D }, (at) =>
    saturationCurve({ ...setting, dimensions: [at] }),
  );
  return {
    histogram: yield* memo('histogram', [now], () =>
      scoreHistogram({ ...now, bins: BINS, limit: SCORE_LIMIT }),
    ),
    weights: yield* memo('weights', [now], () => largestWeights({ ...now, count: WEIGHTS })),
    summary: yield* memo('summary', [now], () => saturationSummary(now)),
    // One series after the other, as in the table.
    curve: ['unscaled', 'scaled'].flatMap((key) => curve.filter(({ scaling }) => scaling === key)),
    theory: yield* byPlace(memo, 'expected', { inputs: [exact], places: DRAWN_D }, (at) =>
      saturationTheory({ ...exact, dimensions: [at] }),
    ),
    freezing: freezingDimension(keys) / entrySize ** 4,
  };
}

// ---- the panels -----------------------------------------------------------------------------

/**
 * Returns histogram and exact density of one series, with the deviation that stands beside it.
 * @param {Series} series
 * @param {number} aside the place of the label on the curve, in deviations
 * @param {View} view
 * @param {Frame} frame
 */
function distribution(series, aside, view, { box, x, y }) {
  const rows = ofSeries(view.data.histogram, series);
  const values = rows.map(({ low, high, density }) => ({ low, high, value: density }));
  const [{ dK, scoreDeviation, scoreDeviationTheory: sigma }] = ofSeries(view.data.summary, series);
  const cell = sigma / 20;
  const density = (/** @type {number} */ at) =>
    scoreProbability(at, at + cell, dK, { factor: sigma / Math.sqrt(dK) }) / cell;
  const reach = Math.min(CURVE_REACH * sigma, SCORE_LIMIT);
  const half = times(CURVE_POINTS / 2, (i) => {
    const at = reach * (1 - (2 * i) / (CURVE_POINTS - 1));
    return { x: at, y: density(at - cell / 2) };
  });
  const exact = [...half.map(({ x: at, y: value }) => ({ x: -at, y: value })), ...half.reverse()];
  const label = `${nameOf(view, series.key)} σ = ${view.format.significant(scoreDeviation)}`;
  // Right of the curve, or where there is no room, above it.
  const left = Math.min(x(aside * sigma) + 8, box.right - textWidth(label));
  const at = y(density(Math.max(0, x.invert(left - 8)))) - 2;
  return {
    lines: [
      bars(box, values, { x, y, series, opacity: 0.38 }),
      theoryLine(exact, { x, y, series }),
    ],
    label: { left, at, label, series, size: LINE },
  };
}

/**
 * Draws the labels of both distributions, which may be the same.
 * @param {ReturnType<typeof distribution>['label'][]} labels
 * @param {Frame} frame
 */
function deviations(labels, { box }) {
  const sorted = [...labels].sort((a, b) => a.at - b.at);
  const [first, second] = sorted;
  const [left, right] = first.left < second.left ? [first, second] : [second, first];
  const meet = left.left + textWidth(left.label) > right.left;
  const places = meet ? apart(sorted, [box.top, box.bottom - 4]) : sorted.map(({ at }) => at);
  return sorted.map(({ left: x, label, series }, i) =>
    text(x, places[i], label, { fill: series.textColour, series: series.key, weight: 500 }),
  );
}

/** Describes the panel of scores. @param {View} view  @returns {Panel} */
function scorePanel(view) {
  const { state, text: words, palette } = view;
  const top = DENSITY_TOP[state.scale] / state.entrySize ** 2;
  const [unscaled, scaled] = seriesOf(palette);
  return {
    title: words.scorePanel,
    x: {
      ends: [-SCORE_LIMIT, SCORE_LIMIT],
      ticks: [-30, -15, 0, 15, 30],
      name: words.scoreAxis,
    },
    margin: { left: 42 },
    y: {
      ends: [0, top],
      ticks: [0, top / 2.2, top / 1.1].map((tick) => Number(tick.toPrecision(2))),
    },
    marks(frame) {
      const both = [
        distribution(unscaled, 1.5, view, frame),
        distribution(scaled, 0.5, view, frame),
      ];
      const labels = deviations(
        both.map(({ label }) => label),
        frame,
      );
      return [...both.map(({ lines }) => lines), labels];
    },
  };
}

/**
 * Draws the largest weights of one series as bars; the two series share each rank's place.
 * @param {Series} series
 * @param {number} index  0 for the left bar of a pair, 1 for the right one
 * @param {View} view
 * @param {Frame} frame
 */
function weightBars(series, index, view, { box, x, y }) {
  const values = ofSeries(view.data.weights, series).map(({ rank, weight }) => {
    const low = rank + 0.38 * (index - 1);
    return { low, high: low + 0.36, value: weight };
  });
  return [
    bars(box, values, { x, y, series, opacity: 0.9 }),
    marks(series, [[x(values[0].low + 0.18), y(values[0].value)]]),
  ];
}

/** Describes the panel of weights. @param {View} view  @returns {Panel} */
function weightPanel(view) {
  const { state, text: words, palette } = view;
  return {
    title: words.weightPanel,
    x: { ends: [0.5, WEIGHTS + 0.5], ticks: [1, 4, 8, 12, WEIGHTS], name: words.weightAxis },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    marks(frame) {
      const { left, right, bottom } = frame.box;
      const uniform = frame.y(1 / state.keys);
      return [
        seriesOf(palette).map((series, index) => weightBars(series, index, view, frame)),
        segment({ x1: left, x2: right, y1: uniform, y2: uniform }, palette.muted, { dash: '1 3' }),
        text(right, Math.min(uniform - 7, bottom - 12), words.uniform, {
          fill: palette.muted,
          anchor: 'end',
          halo: palette.paper,
        }),
      ];
    },
  };
}

/**
 * Draws one series against d_k: exact curve, measured dots with their 10–90 % range, a ring at the
 * current d_k.
 * @param {Series} series
 * @param {Measure} measure
 * @param {View} view
 * @param {Frame} frame
 */
function curveMarks(series, measure, { data, palette }, { x, y }) {
  const exact = ofSeries(data.theory, series).map((row) => ({ x: row.dK, y: row[measure] }));
  const measured = ofSeries(data.curve, series).map((row) => ({
    x: row.dK,
    y: row[measure],
    low: row[`${measure}P10`],
    high: row[`${measure}P90`],
  }));
  const [now] = ofSeries(data.summary, series);
  return [
    theoryLine(exact, { x, y, series }),
    dots(measured, { x, y, series, radius: 3 }),
    marks(series, [[x(now.dK), y(now[measure])]], 4),
    ring([x(now.dK), y(now[measure])], palette, { series: series.key }),
  ];
}

/**
 * Draws a panel against d_k, with the beginning of saturation, and the common claim that the softmax
 * is one-hot beyond it.
 * @param {Measure} measure
 * @param {View} view
 * @returns {Panel}
 */
function curvePanel(measure, view) {
  const { state, data, text: words, format, palette } = view;
  const largest = measure === 'maxWeight';
  const all = seriesOf(palette);
  const { freezing } = data;
  const freezes = freezing >= 1 && freezing <= LARGEST_D;
  return {
    title: largest ? words.weightCurve : words.entropyCurve,
    note: freezes
      ? say(view, words.freezing, {
          size: state.entrySize === 1 ? '' : words.bySize,
          value: format.significant(freezing, 2),
        })
      : '',
    noteAt: freezing,
    x: {
      mapping: logarithmic,
      ends: [1, LARGEST_D],
      ticks: [1, 4, 16, 64, 256],
      name: 'd_k',
    },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    margin: { top: 48 },
    now: state.dK,
    picks: (dK) => ({ dK }),
    ends: all.map((series) => ({
      y: ofSeries(data.theory, series)[DRAWN_D.length - 1][measure],
      label: nameOf(view, series.key),
      series,
    })),
    folk: { y: largest ? 1 : NaN, from: freezing, label: words.oneHot },
    marks: (frame) => {
      const { box, x } = frame;
      const from = x(freezing);
      return [
        freezes &&
          segment({ x1: from, x2: from, y1: box.top - 8, y2: box.bottom }, palette.muted, {
            dash: '2 3',
          }),
        all.map((series) => curveMarks(series, measure, view, frame)),
      ];
    },
  };
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { state, data, text: words, format } = view;
  const [unscaled, scaled] = data.summary.map(({ maxWeight }) => format.percent(maxWeight));
  const factor = state.scale === 'none' ? '' : words.factors[state.scale];
  return say(view, words.title, {
    unscaled,
    then: factor ? say(view, words.then, { factor, scaled }) : words.same,
  });
}

/** Returns the numbers beside theory. @param {View} view */
function readout(view) {
  const { state, data, text: words, format, palette } = view;
  const three = (/** @type {number} */ value) => format.fixed(value, 3);
  return seriesOf(palette).map((series) => {
    const [row] = ofSeries(data.summary, series);
    const scale = series.key === 'scaled' ? state.scale : 'none';
    return {
      series,
      label: nameOf(view, series.key),
      formula: words.formulas[scale],
      rows: [
        line(words.maxWeight, three, row.maxWeight, row.maxWeightTheory),
        line(words.entropyRatio, three, row.entropyRatio, row.entropyRatioTheory),
        line(words.deviation, format.significant, row.scoreDeviation, row.scoreDeviationTheory),
        line(words.competitors, format.significant, row.competitors, row.competitorsTheory),
      ],
    };
  });
}

/** Returns the drawn data as rows of a table. @param {View} view  @returns {TidyRow[]} */
function rows(view) {
  const { data, text: words } = view;
  const against = (/** @type {Measure} */ measure, /** @type {string} */ panel) =>
    data.curve.map((row) => ({
      panel,
      series: nameOf(view, row.scaling),
      x: row.dK,
      across: 'd_k',
      measured: row[measure],
      low: row[`${measure}P10`],
      high: row[`${measure}P90`],
      theory: data.theory.find(({ scaling, dK }) => scaling === row.scaling && dK === row.dK)?.[
        measure
      ],
    }));
  return [
    ...against('maxWeight', words.weightCurve),
    ...against('entropyRatio', words.entropyCurve),
    ...data.weights.map(({ scaling, rank, weight }) => ({
      panel: words.weightPanel,
      series: nameOf(view, scaling),
      x: rank,
      measured: weight,
    })),
    ...data.histogram.map(({ scaling, low, high, density, theory }) => ({
      panel: words.scorePanel,
      series: nameOf(view, scaling),
      x: (low + high) / 2,
      measured: density,
      theory,
    })),
  ];
}

/** @type {FigureSpec<Data, typeof en, State>} */
export const spec = {
  name: 'saturation',
  fields,
  visible: ['dK', 'keys', 'scale'],
  messages: { en, zh },
  compute,
  ...panelled({
    title,
    panels: {
      scores: scorePanel,
      weights: weightPanel,
      'largest-weight': (/** @type {View} */ view) => curvePanel('maxWeight', view),
      entropy: (/** @type {View} */ view) => curvePanel('entropyRatio', view),
    },
    main: 'largest-weight',
    aspect: { wide: 0.74, narrow: 2.72 },
  }),
  readout,
  rows,
};

/** How softmax saturates as d_k grows, with and without the scale. */
export class AttnSaturation extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnSaturation);

/**
 * Returns the figure as self-contained SVG text; needs no document.
 * @param {StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
