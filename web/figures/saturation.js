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
  scaleFactor,
  scoreHistogram,
} from '../experiments/index.js';
import { freezingDimension, prepareSaturation } from '../theory/index.js';
import {
  bars,
  blueSeries,
  bottomAxis,
  dots,
  endLabels,
  folkSeries,
  grid,
  handle,
  holds,
  inside,
  leftAxis,
  marks,
  orangeSeries,
  panelTitle,
  picture,
  segment,
  text,
  textWidth,
  theoryLine,
} from './kit/chart.js';
import { FigureElement } from './kit/figure.js';
import { clamped, scaleLinear, scaleLog } from './kit/scale.js';
import { choiceField, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { en, zh } from './saturation.messages.js';
import { node } from './kit/svg.js';

/**
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Box} Box
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Scale} ChartScale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} Pick
 * @typedef {'maxWeight' | 'entropyRatio'} Measure
 */

const LARGEST_D = 512;
/** Half the width of the score axis: 30 shows nearly four deviations at d_k = 64. */
const SCORE_LIMIT = 30;
const BINS = 120;
/** A density below this lies on the axis. */
const VISIBLE_DENSITY = 1e-4;
const WEIGHTS = 16;
const MEASURED_D = Array.from({ length: 10 }, (_, i) => 2 ** i);
const DRAWN_D = Array.from({ length: 28 }, (_, i) => 2 ** (i / 3));
/** Scores measured at each d_k while the reader drags: all at the defaults, fewer where keys are many. */
const COARSE_SCORES = 16_384;

/** Names in attributes and links → names of the experiments. */
const FACTORS = /** @type {const} */ ({
  sqrt: '1/√d',
  none: 'none',
  'half-sqrt': '1/(2√d)',
  linear: '1/d',
});

/** Top of the density axis, fixed for each scale so that dragging d_k never moves it. */
const DENSITY_TOP = { sqrt: 0.44, none: 0.44, 'half-sqrt': 0.88, linear: 2.2 };

/** @typedef {keyof typeof FACTORS} Scale */

const fields = {
  dK: numberField({ initial: 64, min: 1, max: LARGEST_D }),
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  scale: choiceField({ initial: 'sqrt', options: Object.keys(FACTORS) }),
  entrySize: numberField({ initial: 1, min: 0.25, max: 3, step: 0.05 }),
  queries: numberField({ initial: 256, min: 16, max: 1024, step: 16, slider: false }),
  seed: numberField({ initial: 5, min: 0, max: 999_999, slider: false }),
};

/**
 * @param {import('./kit/state.js').State} state
 * @param {{ coarse: boolean, memo: import('./kit/spec.js').Memo }} context
 */
function compute(state, { coarse, memo }) {
  const all = Number(state.queries);
  const setting = settingOf(state);
  const { keys, entrySize } = setting;
  const queries = coarse ? Math.min(all, Math.ceil(COARSE_SCORES / keys)) : all;
  const now = { ...setting, dK: Number(state.dK), queries };
  return {
    histogram: histogramOf(now, memo),
    weights: weightsOf(now, memo),
    summary: summaryAt(now, memo),
    curve: bySeries(MEASURED_D.flatMap((d) => measuredAt(d, setting, queries, memo))),
    theory: bySeries(DRAWN_D.flatMap((d) => expectedAt(d, setting, memo))),
    freezing: freezingDimension(keys) / entrySize ** 4,
  };
}

/**
 * What `compute` will find remembered, in parts.
 * @param {import('./kit/state.js').State} state
 * @param {{ memo: import('./kit/spec.js').Memo }} context
 */
function* prepare(state, { memo }) {
  const setting = settingOf(state);
  for (const dK of DRAWN_D) {
    for (const factor of [1, scaleFactor(setting.factor, dK)]) {
      yield* prepareSaturation({ ...setting, dK, factor });
    }
    yield expectedAt(dK, setting, memo);
  }
  const queries = Number(state.queries);
  for (const d of MEASURED_D) yield measuredAt(d, setting, queries, memo);
  const now = { ...setting, dK: Number(state.dK), queries };
  yield histogramOf(now, memo);
  yield weightsOf(now, memo);
  yield summaryAt(now, memo);
}

/** @param {import('./kit/state.js').State} state */
const settingOf = (state) => ({
  keys: Number(state.keys),
  seed: Number(state.seed),
  entrySize: Number(state.entrySize),
  factor: FACTORS[/** @type {Scale} */ (state.scale)],
});

/**
 * @typedef {ReturnType<typeof settingOf>} Setting
 * @typedef {import('./kit/spec.js').Memo} Memo
 */

/**
 * Rows ordered by series.
 * @template {{ scaling: string }} Row
 * @param {readonly Row[]} rows
 * @returns {Row[]}
 */
const bySeries = (rows) =>
  ['unscaled', 'scaled'].flatMap((series) => rows.filter(({ scaling }) => scaling === series));

/** @typedef {Setting & { dK: number, queries: number }} Now */

/** @param {Now} now  @param {Memo} memo */
const histogramOf = (now, memo) =>
  memo('histogram', [now], () => scoreHistogram({ ...now, bins: BINS, limit: SCORE_LIMIT }));

/** @param {Now} now  @param {Memo} memo */
const weightsOf = (now, memo) =>
  memo('weights', [now], () => largestWeights({ ...now, count: WEIGHTS }));

/** @param {Now} now  @param {Memo} memo */
const summaryAt = (now, memo) => memo('summary', [now], () => saturationSummary(now));

/** @param {number} dimension  @param {Setting} setting  @param {number} queries  @param {Memo} memo */
const measuredAt = (dimension, setting, queries, memo) =>
  memo(`measured ${dimension}`, [setting, queries], () =>
    saturationCurve({ ...setting, queries, dimensions: [dimension] }),
  );

/** @param {number} dimension  @param {Setting} setting  @param {Memo} memo */
const expectedAt = (dimension, { keys, factor, entrySize }, memo) =>
  memo(`expected ${dimension}`, [keys, factor, entrySize], () =>
    saturationTheory({ keys, factor, entrySize, dimensions: [dimension] }),
  );

/** @param {import('./kit/palette.js').Palette} palette  @returns {Series[]} */
const seriesOf = (palette) => [orangeSeries(palette, 'unscaled'), blueSeries(palette, 'scaled')];

/**
 * @template {{ scaling: string }} Row
 * @param {readonly Row[]} rows
 * @param {Series} series
 * @returns {Row[]}
 */
const ofSeries = (rows, series) => rows.filter((row) => row.scaling === series.key);

// ---- the four panels ------------------------------------------------------------------------

/** @param {View} view  @param {Series} series  @returns {string} */
const nameOf = ({ text: words }, series) =>
  series.key === 'scaled' ? words.scaled : words.unscaled;

/**
 * Histogram and exact density of one series, with its deviation beside it.
 * @param {Series} series
 * @param {{ box: Box, x: ChartScale, y: ChartScale, view: View, share: number }} context
 *   share: how high the label stands, as a share of the panel
 */
function distribution(series, { box, x, y, view, share }) {
  const rows = ofSeries(view.data.histogram, series);
  const values = rows.map(({ low, high, density }) => ({ low, high, value: density }));
  const exact = rows
    .filter(({ theory }) => theory > VISIBLE_DENSITY)
    .map(({ low, high, theory }) => ({ x: (low + high) / 2, y: theory }));
  const deviation = ofSeries(view.data.summary, series)[0].scoreDeviation;
  const label = view.text.deviation(nameOf(view, series), view.format.significant(deviation));
  return [
    bars(box, values, { x, y, series, opacity: 0.38 }),
    theoryLine(exact, { x, y, series }),
    text(box.right, box.bottom - share * (box.bottom - box.top), label, {
      fill: series.textColour,
      series: series.key,
      anchor: 'end',
      weight: 500,
    }),
  ];
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function scorePanel(panel, view) {
  const { state, text: words, format, palette } = view;
  const box = inside(panel);
  const top = DENSITY_TOP[/** @type {Scale} */ (state.scale)];
  const x = scaleLinear([-SCORE_LIMIT, SCORE_LIMIT], [box.left, box.right]);
  const y = clamped(scaleLinear([0, top], [box.bottom, box.top]));
  const [unscaled, scaled] = seriesOf(palette);
  return [
    panelTitle(panel, words.scorePanel, palette),
    leftAxis(box, y, { ticks: [0, top / 2.2, top / 1.1], format: format.plain, palette }),
    distribution(unscaled, { box, x, y, view, share: 0.24 }),
    distribution(scaled, { box, x, y, view, share: 0.86 }),
    bottomAxis(box, x, {
      ticks: [-30, -15, 0, 15, 30],
      format: format.plain,
      name: words.scoreAxis,
      palette,
    }),
  ];
}

/**
 * The largest weights of one series as bars; the two series share each rank's place.
 * @param {Series} series
 * @param {number} index  0 for the left bar of a pair, 1 for the right one
 * @param {{ box: Box, x: ChartScale, y: ChartScale, view: View }} context
 */
function weightBars(series, index, { box, x, y, view }) {
  const values = ofSeries(view.data.weights, series).map(({ rank, weight }) => {
    const low = rank + 0.38 * (index - 1);
    return { low, high: low + 0.36, value: weight };
  });
  return [
    bars(box, values, { x, y, series, opacity: 0.9 }),
    marks(series, [[x(values[0].low + 0.18), y(values[0].value)]]),
  ];
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function weightPanel(panel, view) {
  const { state, text: words, format, palette } = view;
  const box = inside(panel);
  const x = scaleLinear([0.5, WEIGHTS + 0.5], [box.left, box.right]);
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  const uniform = y(1 / Number(state.keys));
  return [
    panelTitle(panel, words.weightPanel, palette),
    leftAxis(box, y, { ticks: [0, 0.5, 1], format: format.plain, palette }),
    seriesOf(palette).map((series, index) => weightBars(series, index, { box, x, y, view })),
    segment({ x1: box.left, x2: box.right, y1: uniform, y2: uniform }, palette.muted, {
      dash: '1 3',
    }),
    text(box.right, Math.min(uniform - 7, box.bottom - 12), words.uniform, {
      fill: palette.muted,
      anchor: 'end',
      halo: palette.paper,
    }),
    bottomAxis(box, x, {
      ticks: [1, 4, 8, 12, WEIGHTS],
      format: format.plain,
      name: words.weightAxis,
      palette,
    }),
  ];
}

/**
 * Where saturation begins, marked across a panel, with the words above it.
 * @param {Box} box
 * @param {{ x: ChartScale, view: View, room: number }} context  room: right end for the words
 */
function freezingMark(box, { x, view: { state, data, text: words, format, palette }, room }) {
  if (data.freezing < 1 || data.freezing > LARGEST_D) return null;
  const at = x(data.freezing);
  const sized = Number(state.entrySize) !== 1;
  const label = words.freezing(format.significant(data.freezing, 2), sized);
  const start = Math.max(box.left, Math.min(at - 6, room - textWidth(label)));
  return [
    segment({ x1: at, x2: at, y1: box.top - 8, y2: box.bottom }, palette.muted, { dash: '2 3' }),
    text(start, box.top - 13, label, { fill: palette.muted }),
  ];
}

/**
 * One series against d_k: exact curve, measured dots with their 10–90 % range, a ring at the current d_k.
 * @param {Series} series
 * @param {Measure} measure
 * @param {{ x: ChartScale, y: ChartScale, view: View }} context
 */
function curveMarks(series, measure, { x, y, view: { data, palette } }) {
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
    node('circle', {
      cx: x(now.dK),
      cy: y(now[measure]),
      r: 7,
      fill: 'none',
      stroke: palette.ink,
      'stroke-width': 1.25,
      'data-series': series.key,
    }),
  ];
}

/**
 * What is commonly said: beyond the freezing point the softmax is one-hot.
 * @param {Box} box
 * @param {{ x: ChartScale, y: ChartScale, view: View }} context
 */
function folkLine(box, { x, y, view: { data, palette } }) {
  const from = x(Math.min(LARGEST_D, Math.max(1, data.freezing)));
  return segment({ x1: from, x2: box.right, y1: y(1), y2: y(1) }, palette.folk, {
    width: 1.5,
    dash: '6 4',
    series: 'folk',
  });
}

/**
 * The axes of the panels against d_k, with room for labels at the ends of lines.
 * @param {Panel} panel
 * @param {View} view
 */
function curveFrame(panel, { text: words }) {
  const names = [words.unscaled, words.scaled, words.oneHot];
  const box = inside(panel, { top: 48, right: 14 + Math.max(...names.map((n) => textWidth(n))) });
  const x = scaleLog([1, LARGEST_D], [box.left, box.right]);
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  return { box, x, y };
}

/**
 * @param {Panel} panel
 * @param {View} view
 * @param {Measure} measure
 * @returns {SvgChild[]}
 */
function curvePanel(panel, view, measure) {
  const { state, data, text: words, format, palette } = view;
  const largest = measure === 'maxWeight';
  const all = seriesOf(palette);
  const { box, x, y } = curveFrame(panel, view);
  const now = x(Number(state.dK));
  const ends = all.map((series) => ({
    y: y(ofSeries(data.theory, series)[DRAWN_D.length - 1][measure]),
    label: nameOf(view, series),
    series,
  }));
  if (largest) ends.push({ y: y(1), label: words.oneHot, series: folkSeries(palette) });
  return [
    handle(box),
    panelTitle(panel, largest ? words.weightCurve : words.entropyCurve, palette),
    leftAxis(box, y, { ticks: [0, 0.5, 1], format: format.plain, palette }),
    segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.folk),
    largest && folkLine(box, { x, y, view }),
    freezingMark(box, { x, view, room: panel.x + panel.width }),
    all.map((series) => curveMarks(series, measure, { x, y, view })),
    endLabels(box, ends),
    bottomAxis(box, x, {
      ticks: [1, 4, 16, 64, 256],
      format: format.plain,
      name: words.dimensionAxis,
      palette,
    }),
  ];
}

// ---- the figure -----------------------------------------------------------------------------

const aspect = { wide: 0.74, narrow: 2.72 };

/** @param {number} width */
const layout = (width) => grid({ width, count: 4, columns: 2, aspect });

/** The panels against d_k are a second way to set it, as fine at small d_k as at large. @type {Pick} */
function pick(view, point) {
  for (const panel of layout(view.width).panels.slice(2)) {
    const { box, x } = curveFrame(panel, view);
    if (holds(box, point)) return { dK: Math.round(x.invert(point.x)) };
  }
  return undefined;
}

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const { panels, height } = layout(width);
  const [scores, weights, largest, entropy] = panels;
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    scorePanel(scores, view),
    weightPanel(weights, view),
    curvePanel(largest, view, 'maxWeight'),
    curvePanel(entropy, view, 'entropyRatio'),
  );
}

/** @param {View} view  @returns {{ unscaled: Data['summary'][0], scaled: Data['summary'][0] }} */
const summaryOf = ({ data }) => ({ unscaled: data.summary[0], scaled: data.summary[1] });

/** @param {View} view  @returns {string} */
function title(view) {
  const { state, text: words, format } = view;
  const { unscaled, scaled } = summaryOf(view);
  return words.title({
    dK: format.plain(Number(state.dK)),
    keys: format.plain(Number(state.keys)),
    unscaled: format.share(unscaled.maxWeight),
    scaled: format.share(scaled.maxWeight),
    factor: words.factors[String(state.scale)] ?? '',
  });
}

/** @param {View} view */
function readout(view) {
  const { state, text: words, format, palette } = view;
  const rows = view.data.summary;
  return seriesOf(palette).map((series, index) => {
    const row = rows[index];
    const three = (/** @type {number} */ value) => format.fixed(value, 3);
    return {
      series,
      label: index === 0 ? words.unscaled : words.scaled,
      formula:
        index === 0 ? words.formulas.none : words.formulas[/** @type {Scale} */ (state.scale)],
      rows: [
        {
          quantity: words.maxWeight,
          measured: row.maxWeight,
          theory: row.maxWeightTheory,
          format: three,
        },
        {
          quantity: words.entropyRatio,
          measured: row.entropyRatio,
          theory: row.entropyRatioTheory,
          format: three,
        },
        {
          quantity: words.scoreDeviation,
          measured: row.scoreDeviation,
          theory: row.scoreDeviationTheory,
          format: (/** @type {number} */ value) => format.significant(value),
        },
      ],
    };
  });
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words }) {
  const name = (/** @type {{ scaling: string }} */ { scaling }) =>
    scaling === 'scaled' ? words.scaled : words.unscaled;
  const scores = data.histogram.map((row) => ({
    panel: words.scorePanel,
    series: name(row),
    x: (row.low + row.high) / 2,
    measured: row.density,
    theory: row.theory,
  }));
  const weights = data.weights.map((row) => ({
    panel: words.weightPanel,
    series: name(row),
    x: row.rank,
    measured: row.weight,
  }));
  const against = (/** @type {Measure} */ measure) => [
    ...data.curve.map((row) => ({
      panel: measure === 'maxWeight' ? words.weightCurve : words.entropyCurve,
      series: name(row),
      x: row.dK,
      measured: row[measure],
      low: row[`${measure}P10`],
      high: row[`${measure}P90`],
      theory: data.theory.find((exact) => exact.scaling === row.scaling && exact.dK === row.dK)?.[
        measure
      ],
    })),
  ];
  return [...against('maxWeight'), ...against('entropyRatio'), ...weights, ...scores];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en>} */
export const spec = {
  name: 'saturation',
  fields,
  visible: ['dK', 'keys', 'scale'],
  messages: { en, zh },
  aspect,
  seeded: true,
  prepare,
  compute,
  draw,
  pick,
  title,
  readout,
  rows,
  status: (view) => {
    const { unscaled, scaled } = summaryOf(view);
    const { state, format, text: words } = view;
    return words.status({
      dK: format.plain(Number(state.dK)),
      keys: format.plain(Number(state.keys)),
      unscaled: format.share(unscaled.maxWeight),
      scaled: format.share(scaled.maxWeight),
      freezing: format.significant(view.data.freezing, 2),
    });
  },
  caption: ({ state, text: words, format }) =>
    words.caption({
      entry: format.plain(Number(state.entrySize) ** 2),
      queries: format.plain(Number(state.queries)),
    }),
};

/**
 * How softmax saturates as d_k grows, with and without the scale.
 *
 * @attr {number} d-k - length of queries and keys, 1 … 512 (64)
 * @attr {number} keys - how many keys a query chooses from, 2 … 512 (64)
 * @attr {'sqrt' | 'none' | 'half-sqrt' | 'linear'} scale - factor of the scaled series (sqrt)
 * @attr {number} entry-size - standard deviation of the entries, 0.25 … 3 (1)
 * @attr {number} queries - sample size, 16 … 1024 (256)
 * @attr {number} seed - of the random numbers (5)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnSaturation extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnSaturation);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
