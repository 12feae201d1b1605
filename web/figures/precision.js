// <attn-precision>: what number formats do to attention as d_k grows. Subtracting the maximum prevents
// overflow; the scale prevents lost weights.

import { precisionCurve, precisionTheory } from '../experiments/index.js';
import { FORMATS } from '../theory/index.js';
import {
  blueSeries,
  bottomAxis,
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
import { scaleLinear, scaleLog } from './kit/scale.js';
import { choiceField, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { node } from './kit/svg.js';
import { en, zh } from './precision.messages.js';

/**
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Scale} ChartScale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {import('../theory/precision.js').Format} Format
 * @typedef {'productOverflow' | 'expOverflow' | 'expOverflowRows' | 'zeroWeights'} Measure
 */

const LARGEST_D = 1024;
const MEASURED_D = Array.from({ length: 11 }, (_, i) => 2 ** i);
const DRAWN_D = Array.from({ length: 21 }, (_, i) => 2 ** (i / 2));
/** Scores counted at each d_k while the reader drags. */
const COARSE_SCORES = 2048;
/** So many deviations from 0, a score is as far out as any in 16,000. */
const DEVIATIONS = 4;

/** Names in attributes and links → names of the experiments. */
const FACTORS = /** @type {const} */ ({
  sqrt: '1/√d',
  none: 'none',
  'half-sqrt': '1/(2√d)',
  linear: '1/d',
});

/** @type {readonly Measure[]} */
const MEASURES = ['productOverflow', 'expOverflow', 'expOverflowRows', 'zeroWeights'];

const fields = {
  dK: numberField({ initial: 64, min: 1, max: LARGEST_D }),
  format: choiceField({ initial: 'fp16', options: Object.keys(FORMATS) }),
  entrySize: numberField({ initial: 1, min: 0.25, max: 64, step: 0.25 }),
  scale: choiceField({ initial: 'sqrt', options: Object.keys(FACTORS) }),
  keys: numberField({ initial: 64, min: 2, max: 256 }),
  queries: numberField({ initial: 256, min: 16, max: 1024, step: 16, slider: false }),
  seed: numberField({ initial: 1, min: 0, max: 999_999, slider: false }),
};

/**
 * @param {import('./kit/state.js').State} state
 * @param {{ coarse: boolean, memo: import('./kit/spec.js').Memo }} context
 */
function compute(state, { coarse, memo }) {
  const dK = Number(state.dK);
  const keys = Number(state.keys);
  const all = Number(state.queries);
  const setting = {
    keys,
    format: /** @type {Format} */ (state.format),
    entrySize: Number(state.entrySize),
    factor: FACTORS[/** @type {keyof typeof FACTORS} */ (state.scale)],
  };
  const sample = { ...setting, seed: Number(state.seed) };
  const queries = coarse ? Math.min(all, Math.ceil(COARSE_SCORES / keys)) : all;
  // While d_k alone is dragged, the full sample stays on show.
  const known = memo('known', [sample, all], () => ({
    curve: /** @type {ReturnType<typeof precisionCurve> | undefined} */ (undefined),
  }));
  const curve = () => precisionCurve({ ...sample, queries, dimensions: MEASURED_D });
  if (!coarse) known.curve ??= curve();
  return {
    format: setting.format,
    now: precisionCurve({ ...sample, queries: all, dimensions: [dK] }),
    nowTheory: precisionTheory({ ...setting, dimensions: [dK] }),
    curve: known.curve ?? memo('curve', [sample, queries], curve),
    theory: memo('theory', [setting], () => precisionTheory({ ...setting, dimensions: DRAWN_D })),
  };
}

/** @param {import('./kit/palette.js').Palette} palette  @returns {Series[]} */
const seriesOf = (palette) => [orangeSeries(palette, 'unscaled'), blueSeries(palette, 'scaled')];

/**
 * @template {{ scaling: string }} Row
 * @param {readonly Row[]} rows
 * @param {Series} series
 * @returns {Row[]}
 */
const ofSeries = (rows, { key }) => rows.filter(({ scaling }) => scaling === key);

/** @param {View} view  @param {Series} series  @returns {string} */
const nameOf = ({ text: words }, { key }) => (key === 'scaled' ? words.scaled : words.unscaled);

// ---- the panels -------------------------------------------------------------------------------

/** What each panel counts, in order. @type {readonly Measure[][]} */
const PANELS = [['productOverflow'], ['expOverflow', 'expOverflowRows'], ['zeroWeights']];

/**
 * @param {Panel} panel
 * @param {View} view
 * @param {number} index
 */
function frame(panel, { text: words }, index) {
  const names = [
    [words.folk, words.unscaled],
    [words.unscaled, words.entries],
    [words.unscaled, words.scaled],
  ][index];
  const right = 14 + Math.max(...names.map((name) => textWidth(name)));
  const box = inside(panel, { left: 42, right, top: 52 });
  const x = scaleLog([1, LARGEST_D], [box.left, box.right]);
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  return { box, x, y };
}

/**
 * One count of one series: line, marks, and a ring at the current d_k. Rows are hollow and dashed.
 * @param {Series} series
 * @param {Measure} measure
 * @param {{ x: ChartScale, y: ChartScale, view: View }} context
 */
function countMarks(series, measure, { x, y, view: { data, palette } }) {
  const rows = measure === 'expOverflowRows';
  const exact = ofSeries(data.theory, series).map((row) => ({ x: row.dK, y: row[measure] }));
  const counted = ofSeries(data.curve, series).filter((row) => Number.isFinite(row[measure]));
  const [now] = ofSeries(data.now, series);
  return [
    theoryLine(exact, { x, y, series, dash: rows ? '4 3' : undefined }),
    marks(
      series,
      counted.map((row) => [x(row.dK), y(row[measure])]),
      3,
      rows ? palette.paper : undefined,
    ),
    Number.isFinite(now[measure]) &&
      node('circle', {
        ...{ cx: x(now.dK), cy: y(now[measure]), r: 7, fill: 'none', stroke: palette.ink },
        'stroke-width': 1.25,
        'data-series': series.key,
      }),
  ];
}

/**
 * The title of a panel, where the format ends, and the labels at the ends of its lines.
 * @param {number} index
 * @param {View} view
 */
function wordsOf(index, { data, text: words, format }) {
  const limits = FORMATS[data.format];
  const largest = limits.overflow < 1e6 ? '65504' : format.significant(limits.overflow, 2);
  return [
    { title: words.productPanel, limit: words.above(largest) },
    { title: words.expPanel, limit: words.above(format.fixed(limits.expOverflow, 2)) },
    { title: words.zeroPanel, limit: words.below(format.fixed(-limits.zeroBelow, 2)) },
  ][index];
}

/** @param {Panel} panel  @param {View} view  @param {number} index  @returns {SvgChild[]} */
function countPanel(panel, view, index) {
  const { state, data, text: words, format, palette } = view;
  const { box, x, y } = frame(panel, view, index);
  const { title: name, limit } = wordsOf(index, view);
  const all = seriesOf(palette);
  const now = x(Number(state.dK));
  const last = (/** @type {Series} */ series, /** @type {Measure} */ measure) =>
    y(ofSeries(data.theory, series)[DRAWN_D.length - 1][measure]);
  const ends = all.map((series) => ({
    y: last(series, PANELS[index][0]),
    label: nameOf(view, series),
    series,
  }));
  if (index === 0) ends.push({ y: y(1), label: words.folk, series: folkSeries(palette) });
  if (index === 1) {
    ends[0].label = words.entries;
    ends.push({ y: last(all[0], 'expOverflowRows'), label: words.rows, series: all[0] });
  }
  return [
    handle(box),
    panelTitle(panel, name, palette),
    text(panel.x, panel.y + 35, limit, { fill: palette.muted }),
    leftAxis(box, y, { ticks: [0, 0.5, 1], format: format.percent, palette }),
    segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.folk),
    index === 0 &&
      segment({ x1: box.left, x2: box.right, y1: y(1), y2: y(1) }, palette.folk, {
        ...{ width: 1.5, dash: '6 4', series: 'folk' },
      }),
    all.map((series) =>
      PANELS[index].map((measure) => countMarks(series, measure, { x, y, view })),
    ),
    endLabels(box, ends),
    bottomAxis(box, x, {
      ticks: [1, 8, 64, 512],
      format: format.plain,
      name: words.dimensionAxis,
      palette,
    }),
  ];
}

// ---- the figure -------------------------------------------------------------------------------

const aspect = { wide: 0.34, narrow: 2.1 };

/** @param {number} width */
const layout = (width) => grid({ width, count: PANELS.length, columns: 3, gutter: 20, aspect });

/** @type {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} */
function pick(view, point) {
  for (const [index, panel] of layout(view.width).panels.entries()) {
    const { box, x } = frame(panel, view, index);
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
    panels.map((panel, index) => countPanel(panel, view, index)),
  );
}

/** @param {View} view  the numbers that are said */
function said({ state, data, text: words, format }) {
  const [unscaled, scaled] = data.now;
  return {
    format: words.options[data.format],
    dK: format.plain(Number(state.dK)),
    product: unscaled.productOverflow > 0 ? format.percent(unscaled.productOverflow) : '',
    exp: format.percent(unscaled.expOverflow),
    zero: format.percent(unscaled.zeroWeights),
    scaledZero: scaled.zeroWeights > 0 ? format.percent(scaled.zeroWeights) : '',
  };
}

/** @param {View} view  @returns {string} */
const title = (view) => view.text.title(said(view));

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout(view) {
  const { state, data, text: words, format, palette } = view;
  return seriesOf(palette).map((series) => {
    const [row] = ofSeries(data.now, series);
    const [theory] = ofSeries(data.nowTheory, series);
    const scale = series.key === 'scaled' ? String(state.scale) : 'none';
    return {
      series,
      label: nameOf(view, series),
      formula: words.formulas[/** @type {keyof typeof FACTORS} */ (scale)],
      rows: MEASURES.map((measure) => ({
        quantity: words[measure],
        measured: row[measure],
        theory: theory[measure] < NEVER ? 0 : theory[measure],
        format: format.percent,
      })),
    };
  });
}

/** A probability that no reader will see come true. */
const NEVER = 1e-7;

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows(view) {
  const { data, text: words, palette } = view;
  return MEASURES.flatMap((measure) =>
    seriesOf(palette).flatMap((series) =>
      ofSeries(data.curve, series).map((row) => ({
        panel: words[measure],
        series: nameOf(view, series),
        x: row.dK,
        measured: Number.isFinite(row[measure]) ? row[measure] : undefined,
        theory: ofSeries(data.theory, series).find(({ dK }) => dK === row.dK)?.[measure],
      })),
    ),
  );
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en>} */
export const spec = {
  name: 'precision',
  fields,
  visible: ['format', 'scale', 'entrySize'],
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
    words.caption({
      size: format.plain(Number(state.entrySize)),
      queries: format.plain(Number(state.queries)),
      keys: format.plain(Number(state.keys)),
    }),
  note: ({ state, data, text: words, format }) => {
    const deviation = Math.sqrt(Number(state.dK));
    const size = Math.sqrt(FORMATS[data.format].overflow / (DEVIATIONS * deviation));
    return words.note({
      size: format.significant(size, 2),
      dK: format.plain(Number(state.dK)),
    });
  },
};

/**
 * What 16-bit formats do to attention as d_k grows: overflow, and weights lost to 0.
 *
 * @attr {number} d-k - length of queries and keys, 1 … 1024 (64)
 * @attr {'fp16' | 'bf16' | 'fp32'} format - number format of entries, scores and softmax (fp16)
 * @attr {number} entry-size - standard deviation of the entries, 0.25 … 64 (1)
 * @attr {'sqrt' | 'none' | 'half-sqrt' | 'linear'} scale - factor of the scaled series (sqrt)
 * @attr {number} keys - how many keys a query chooses from, 2 … 256 (64)
 * @attr {number} queries - sample size, 16 … 1024 (256)
 * @attr {number} seed - of the random numbers (1)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnPrecision extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnPrecision);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
