// <attn-gradient>: how much gradient comes through softmax as d_k grows.
//
// Above ‖∂L/∂q‖ and tr J against d_k for three scales: the mean holds up where the typical row dies.
// Below the Jacobian of a few logits, exact and as float32 computes it.

import {
  gradientCurve,
  gradientTheory,
  jacobianEntries,
  largestWeights,
} from '../experiments/index.js';
import {
  band,
  blueSeries,
  bottomAxis,
  endLabels,
  folkSeries,
  greySeries,
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
import { powerOfTen } from './kit/language.js';
import { clamped, scaleLog } from './kit/scale.js';
import { choiceField, listField, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { node } from './kit/svg.js';
import { en, zh } from './gradient.messages.js';

/**
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Box} Box
 * @typedef {import('./kit/chart.js').Scale} ChartScale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {Data['curve'][number]} Row
 * @typedef {'gradient' | 'trace'} Measure
 * @typedef {'exact' | 'float32'} Arithmetic
 */

const LARGEST_D = 1024;
const MEASURED_D = Array.from({ length: 11 }, (_, i) => 2 ** i);
const DRAWN_D = Array.from({ length: 21 }, (_, i) => 2 ** (i / 2));
/** Scores measured at each d_k while the reader drags. */
const COARSE_SCORES = 4096;
const SAMPLE_LOGITS = 8;

/** Lower ends of the axes: what lies below is drawn there. */
const RANGE = /** @type {Record<Measure, [number, number]>} */ ({
  gradient: [1e-6, 10],
  trace: [1e-6, 1],
});

/** Names of the series → names of the experiments, in the order of reading. */
const FACTORS = /** @type {const} */ ({ none: 'none', sqrt: '1/√d', linear: '1/d' });

/** @type {Record<string, string>} */
const PRESETS = { peak: '50, 1, 1, 1', rivals: '50, 49, 1, 1', even: '1, 1, 1, 1' };

const fields = {
  dK: numberField({ initial: 512, min: 1, max: LARGEST_D }),
  keys: numberField({ initial: 64, min: 2, max: 256 }),
  preset: choiceField({
    initial: 'peak',
    options: [...Object.keys(PRESETS), 'unscaled', 'scaled', 'own'],
    presets: Object.fromEntries(
      Object.entries(PRESETS).map(([name, logits]) => [name, { logits }]),
    ),
  }),
  logits: listField({
    initial: PRESETS.peak,
    min: -1000,
    max: 1000,
    most: SAMPLE_LOGITS,
    also: { preset: 'own' },
  }),
  queries: numberField({ initial: 512, min: 32, max: 2048, step: 32, slider: false }),
  seed: numberField({ initial: 9, min: 0, max: 999_999, slider: false }),
};

/**
 * The logits of the matrices: as preset, as typed, or the largest scores of the first query.
 * @param {import('./kit/state.js').State} state
 * @returns {number[]}
 */
function logitsOf({ preset, logits, dK, keys, seed }) {
  if (preset !== 'unscaled' && preset !== 'scaled') {
    return (PRESETS[preset] ?? String(logits)).split(',').map(Number);
  }
  return largestWeights({
    dK: Number(dK),
    keys: Number(keys),
    seed: Number(seed),
    count: SAMPLE_LOGITS,
  })
    .filter(({ scaling }) => scaling === preset)
    .map(({ score }) => Math.round(score * 10) / 10);
}

/**
 * @param {import('./kit/state.js').State} state
 * @param {{ coarse: boolean, memo: import('./kit/spec.js').Memo }} context
 */
function compute(state, { coarse, memo }) {
  const dK = Number(state.dK);
  const keys = Number(state.keys);
  const seed = Number(state.seed);
  const all = Number(state.queries);
  const queries = coarse ? Math.min(all, Math.ceil(COARSE_SCORES / keys)) : all;
  const logits = logitsOf(state);
  const known = memo('known', [keys, seed, all], () => ({
    curve: /** @type {ReturnType<typeof gradientCurve> | undefined} */ (undefined),
  }));
  const curve = (/** @type {number} */ sample) =>
    gradientCurve({ keys, queries: sample, seed, dimensions: MEASURED_D });
  if (!coarse) known.curve ??= curve(all);
  return {
    now: gradientCurve({ keys, queries, seed, dimensions: [dK] }),
    nowTheory: gradientTheory({ keys, dimensions: [dK] }),
    curve: known.curve ?? memo('curve', [keys, seed, queries], () => curve(queries)),
    theory: memo('theory', [keys], () => gradientTheory({ keys, dimensions: DRAWN_D })),
    logits,
    jacobian: memo('jacobian', logits, () => jacobianEntries({ logits })),
  };
}

/** @param {import('./kit/palette.js').Palette} palette  @returns {Series[]} */
const seriesOf = (palette) => [
  orangeSeries(palette, 'none'),
  blueSeries(palette, 'sqrt'),
  greySeries(palette, 'linear'),
];

/**
 * @template {{ scaling: string }} R
 * @param {readonly R[]} rows
 * @param {Series} series
 * @returns {R[]}
 */
const ofSeries = (rows, { key }) =>
  rows.filter(({ scaling }) => scaling === FACTORS[/** @type {keyof typeof FACTORS} */ (key)]);

// ---- the panels against d_k -------------------------------------------------------------------

/**
 * Double logarithmic axes, with room for labels at the ends of lines.
 * @param {Panel} panel
 * @param {View} view
 * @param {Measure} measure
 */
function curveFrame(panel, { text: words }, measure) {
  const names = [words.mean, words.median, words.folk];
  const right = 14 + Math.max(...names.map((name) => textWidth(name)));
  const box = inside(panel, { left: 36, right });
  const x = scaleLog([1, LARGEST_D], [box.left, box.right]);
  const y = clamped(scaleLog(RANGE[measure], [box.bottom, box.top]));
  return { box, x, y };
}

/**
 * Band, means and medians of one series, with a ring at the current d_k.
 * @param {Series} series
 * @param {Measure} measure
 * @param {{ x: ChartScale, y: ChartScale, view: View }} context
 */
function curveMarks(series, measure, { x, y, view: { data, palette } }) {
  const rows = ofSeries(data.curve, series);
  const [now] = ofSeries(data.now, series);
  const spread = rows.map((row) => ({
    x: row.dK,
    y: row[measure],
    low: row[`${measure}P10`],
    high: row[`${measure}P90`],
  }));
  const places = (/** @type {Measure | `${Measure}Median`} */ column) =>
    rows.map((row) => /** @type {[number, number]} */ ([x(row.dK), y(row[column])]));
  return [
    band(spread, { x, y, series }),
    measure === 'trace' && traceLines(series, { x, y, data }),
    marks(series, places(`${measure}Median`), 3, palette.paper),
    marks(series, places(measure), 3),
    [now[measure], now[`${measure}Median`]].map((value) =>
      node('circle', {
        ...{ cx: x(now.dK), cy: y(value), r: 7, fill: 'none', stroke: palette.ink },
        'stroke-width': 1.25,
        'data-series': series.key,
      }),
    ),
  ];
}

/**
 * The exact mean, and dotted the median where two keys share the weight.
 * @param {Series} series
 * @param {{ x: ChartScale, y: ChartScale, data: Data }} context
 */
function traceLines(series, { x, y, data }) {
  const rows = ofSeries(data.theory, series);
  const mean = rows.map((row) => ({ x: row.dK, y: row.trace }));
  const median = rows.map((row) => ({ x: row.dK, y: row.traceMedian ?? NaN }));
  return [theoryLine(mean, { x, y, series }), theoryLine(median, { x, y, series, dash: '1.5 3' })];
}

/**
 * What is commonly said: without the scale the gradient vanishes.
 * @param {Box} box
 * @param {{ x: ChartScale, keys: number, view: View }} context
 */
function folkLine(box, { x, keys, view: { palette } }) {
  const from = x(Math.max(1, Math.min(LARGEST_D, 2 * Math.log(keys))));
  const y = box.bottom - 1;
  return segment({ x1: from, x2: box.right, y1: y, y2: y }, palette.folk, {
    width: 1.5,
    dash: '6 4',
    series: 'folk',
  });
}

/** @param {Panel} panel  @param {View} view  @param {Measure} measure  @returns {SvgChild[]} */
function curvePanel(panel, view, measure) {
  const { state, data, text: words, format, palette } = view;
  const { box, x, y } = curveFrame(panel, view, measure);
  const all = seriesOf(palette);
  const now = x(Number(state.dK));
  const last = (/** @type {Series} */ series) =>
    ofSeries(data.curve, series)[MEASURED_D.length - 1];
  const [unscaled, ...others] = all;
  const ends = [
    { y: y(last(unscaled)[measure]), label: words.mean, series: unscaled },
    { y: y(last(unscaled)[`${measure}Median`]), label: words.median, series: unscaled },
    ...others.map((series) => ({
      y: y(last(series)[measure]),
      label: words.series[series.key],
      series,
    })),
    { y: box.bottom - 1, label: words.folk, series: folkSeries(palette) },
  ];
  const [low, high] = RANGE[measure];
  const decades = Math.round(Math.log10(high / low));
  const ticks = Array.from({ length: decades + 1 }, (_, i) => low * 10 ** i);
  return [
    handle(box),
    panelTitle(panel, measure === 'trace' ? words.tracePanel : words.gradientPanel, palette),
    leftAxis(box, y, {
      ticks: ticks.filter((_, i) => i % 2 === 0),
      format: (value) =>
        Math.abs(value - 1) < 0.5 ? '1' : powerOfTen(Math.round(Math.log10(value))),
      palette,
    }),
    segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.folk),
    folkLine(box, { x, keys: Number(state.keys), view }),
    all.map((series) => curveMarks(series, measure, { x, y, view })),
    endLabels(box, ends),
    bottomAxis(box, x, {
      ticks: [1, 4, 16, 64, 256, 1024],
      format: format.plain,
      name: words.dimensionAxis,
      palette,
    }),
  ];
}

// ---- the matrices -----------------------------------------------------------------------------

/** Colours reach from entries of this size to the largest possible, 1/4. */
const FAINTEST = 1e-24;
const shade = clamped(scaleLog([FAINTEST, 0.25], [0.1, 0.5]));
/** Room for a mantissa beside the power of ten, in pixels. */
const ROOMY = 66;
/** Below this width, in pixels, a minus sign and two digits do not fit. */
const NARROW = 42;

/** @param {number} value  @param {number} width of its cell  @param {View} view  @returns {string} */
function entryText(value, width, { format }) {
  if (value === 0) return '0';
  if (Math.abs(value) >= 0.05) return format.fixed(value, width > NARROW ? 2 : 1);
  if (width > ROOMY) return format.significant(value, 2);
  return powerOfTen(Math.floor(Math.log10(Math.abs(value))));
}

/**
 * One entry of a matrix.
 * @param {Data['jacobian'][number]} entry
 * @param {Arithmetic} arithmetic
 * @param {{ box: Box, count: number, view: View }} context
 */
function cell(entry, arithmetic, { box, count, view }) {
  const { palette } = view;
  const value = entry[arithmetic];
  const width = (box.right - box.left) / count;
  const height = (box.bottom - box.top) / count;
  const x = box.left + entry.logit * width;
  const y = box.top + entry.weight * height;
  const lost = value === 0 && entry.exact !== 0;
  return [
    node('rect', {
      ...{ x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3 },
      fill: value > 0 ? palette.scaled : palette.unscaled,
      'fill-opacity': value === 0 ? 0 : shade(Math.abs(value)),
      stroke: lost && palette.ink,
      'stroke-dasharray': lost && '3 3',
    }),
    text(x + width / 2, y + height / 2 + 4, entryText(value, width, view), { anchor: 'middle' }),
  ];
}

/** @param {Panel} panel  @param {View} view  @param {Arithmetic} arithmetic  @returns {SvgChild[]} */
function matrixPanel(panel, view, arithmetic) {
  const { data, text: words, format, palette } = view;
  const { logits, jacobian } = data;
  const box = inside(panel, { left: 26, right: 2 });
  const count = logits.length;
  const width = (box.right - box.left) / count;
  const height = (box.bottom - box.top) / count;
  const title = arithmetic === 'exact' ? words.exactPanel : words.float32Panel;
  return [
    panelTitle(panel, title, palette),
    node(
      'g',
      { fill: palette.muted, 'text-anchor': 'middle' },
      logits.map((logit, index) => [
        text(box.left + (index + 0.5) * width, box.bottom + 16, format.plain(logit)),
        text(box.left - 14, box.top + (index + 0.5) * height + 4, `p_${index + 1}`),
      ]),
      text((box.left + box.right) / 2, box.bottom + 34, words.logitAxis),
    ),
    jacobian.map((entry) => cell(entry, arithmetic, { box, count, view })),
  ];
}

// ---- the figure -------------------------------------------------------------------------------

const aspect = { wide: 0.72, narrow: 3.1 };

/** @param {number} width */
const layout = (width) => grid({ width, count: 4, columns: 2, aspect });

/** @type {readonly Measure[]} */
const MEASURES = ['gradient', 'trace'];

/** @type {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} */
function pick(view, point) {
  const { panels } = layout(view.width);
  for (const [index, measure] of MEASURES.entries()) {
    const { box, x } = curveFrame(panels[index], view, measure);
    if (holds(box, point)) return { dK: Math.round(x.invert(point.x)) };
  }
  return undefined;
}

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const { panels, height } = layout(width);
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    MEASURES.map((measure, index) => curvePanel(panels[index], view, measure)),
    matrixPanel(panels[2], view, 'exact'),
    matrixPanel(panels[3], view, 'float32'),
  );
}

/** @param {View} view  the numbers that are said */
function said({ state, data, format }) {
  const [unscaled, scaled] = data.now;
  return {
    dK: format.plain(Number(state.dK)),
    mean: format.significant(unscaled.gradient, 2),
    median: format.significant(unscaled.gradientMedian, 2),
    scaled: format.significant(scaled.gradientMedian, 2),
    share: format.percent(unscaled.topShare),
  };
}

/** @param {View} view  @returns {string} */
const title = (view) => view.text.title(said(view));

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout({ data, text: words, format, palette }) {
  const number = (/** @type {number} */ value) => format.significant(value);
  return seriesOf(palette).map((series) => {
    const [row] = ofSeries(data.now, series);
    const [theory] = ofSeries(data.nowTheory, series);
    /** @param {string} quantity  @param {number} measured  @param {number} [expected] */
    const line = (quantity, measured, expected = NaN) => ({
      ...{ quantity, measured, theory: expected, format: number },
    });
    return {
      series,
      label: words.series[series.key],
      formula: words.factors[series.key],
      rows: [
        line(words.traceMean, row.trace, theory.trace),
        line(words.traceMedian, row.traceMedian, theory.traceMedian),
        line(words.gradientMean, row.gradient),
        line(words.gradientMedian, row.gradientMedian),
        { ...line(words.topShare, row.topShare), format: format.percent },
      ],
    };
  });
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words, palette }) {
  const against = (/** @type {Measure} */ measure, /** @type {'' | 'Median'} */ kind) =>
    seriesOf(palette).flatMap((series) =>
      ofSeries(data.curve, series).map((row) => ({
        panel: words[`${measure}${kind || 'Mean'}`],
        series: words.series[series.key],
        x: row.dK,
        measured: row[`${measure}${kind}`],
        low: row[`${measure}P10`],
        high: row[`${measure}P90`],
        theory:
          measure === 'gradient'
            ? undefined
            : ofSeries(data.theory, series).find(({ dK }) => dK === row.dK)?.[`trace${kind}`],
      })),
    );
  const matrix = data.jacobian.map(({ weight, logit, exact, float32 }) => ({
    panel: words.exactPanel,
    series: words.entry(weight + 1, logit + 1),
    x: logit + 1,
    measured: float32,
    theory: exact,
  }));
  return [
    ...MEASURES.flatMap((measure) => [...against(measure, ''), ...against(measure, 'Median')]),
    ...matrix,
  ];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en>} */
export const spec = {
  name: 'gradient',
  fields,
  visible: ['dK', 'keys', 'preset'],
  messages: { en, zh },
  aspect,
  seeded: true,
  compute,
  draw,
  pick,
  title,
  readout,
  rows,
  status: (view) => view.text.status(said(view)),
  caption: ({ state, text: words, format }) =>
    words.caption({ queries: format.plain(Number(state.queries)) }),
  note: ({ data, text: words, format }) =>
    words.note({
      exact: format.significant(data.jacobian[0].exact, 2),
      float32:
        data.jacobian[0].float32 === 0 ? '0' : format.significant(data.jacobian[0].float32, 2),
    }),
};

/**
 * How much gradient softmax lets through as d_k grows, for three scales, and the Jacobian of a few logits.
 *
 * @attr {number} d-k - length of queries and keys, 1 … 1024 (512)
 * @attr {number} keys - how many keys a query chooses from, 2 … 256 (64)
 * @attr {'peak' | 'rivals' | 'even' | 'unscaled' | 'scaled' | 'own'} preset - logits of the matrices (peak)
 * @attr {string} logits - two to eight numbers, used where preset is own
 * @attr {number} queries - sample size, 32 … 2048 (512)
 * @attr {number} seed - of the random numbers (9)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnGradient extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnGradient);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
