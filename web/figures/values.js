// <attn-values>: why values are not the keys. One vector that is to be found by its address and to
// tell its content is pulled two ways; with few dimensions it cannot serve both.

import { measureRecall, quickRecall, RECALL_GUESS } from '../experiments/index.js';
import {
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
import { scaleLinear } from './kit/scale.js';
import { numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { node } from './kit/svg.js';
import { en, zh } from './values.messages.js';

/**
 * @typedef {import('../experiments/recall.js').RecallRow} RecallRow
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {'tied' | 'untied'} SeriesKey
 */

const SERIES = /** @type {const} */ (['tied', 'untied']);
const LARGEST_D = 8;
const STEPS = 1000;
const QUICK_STEPS = 200;
const EARLY = { first: 100, last: 200 };
const TOP = 2.2;
const GAUGE_HEIGHT = 92;

const fields = {
  dK: numberField({ initial: 3, min: 1, max: LARGEST_D }),
  seed: numberField({ initial: 1, min: 0, max: 999_999, slider: false }),
};

/** Median, smallest and largest. @param {number[]} values */
function spread(values) {
  const sorted = values.slice().sort((a, b) => a - b);
  const last = sorted.length - 1;
  return {
    y: (sorted[last >> 1] + sorted[(last + 1) >> 1]) / 2,
    low: sorted[0],
    high: sorted[last],
  };
}

/**
 * The course of one series at one d, over its runs, as far as all of them have come.
 * @param {readonly RecallRow[]} rows
 * @param {SeriesKey} series
 * @param {number} d
 */
function courseOf(rows, series, d) {
  const own = rows.filter((row) => row.series === series && row.d === d);
  const runs = new Set(own.map(({ seed }) => seed)).size;
  return [...new Set(own.map(({ step }) => step))].flatMap((step) => {
    const at = own.filter((row) => row.step === step);
    return at.length < runs ? [] : [{ series, d, step, runs, loss: spread(at.map((r) => r.loss)) }];
  });
}

/**
 * @param {import('./kit/state.js').State} state
 * @param {import('./kit/spec.js').Context<RecallRow[]>} context
 */
function compute(state, { memo, result = [] }) {
  const d = Number(state.dK);
  const seed = Number(state.seed);
  // Before the early steps are over, a run has nothing to show that the short one has not.
  const measured = SERIES.every((key) =>
    courseOf(result, key, d).some(({ step }) => step >= EARLY.first),
  );
  const quick = () => quickRecall({ dimensions: [d], seed, steps: QUICK_STEPS });
  const rows = measured ? result : memo('quick', [d, seed], quick);
  const courses = SERIES.flatMap((key) =>
    Array.from({ length: LARGEST_D }, (_, i) => courseOf(rows, key, i + 1)),
  ).filter((course) => course.length > 0);
  const early = rows.filter(
    (row) =>
      row.series === 'tied' && row.d === d && row.step >= EARLY.first && row.step <= EARLY.last,
  );
  return { d, courses, measured, cosine: spread(early.map(({ cosine }) => cosine)) };
}

/** @param {Data} data  @param {SeriesKey} key */
const chosen = ({ courses, d }, key) =>
  courses.find(([first]) => first.series === key && first.d === d) ?? [];

/** @param {Data} data  @param {SeriesKey} key */
function endOf(data, key) {
  const course = chosen(data, key);
  return course[course.length - 1];
}

/** @param {import('./kit/palette.js').Palette} palette  @returns {Record<SeriesKey, Series>} */
const seriesOf = (palette) => ({
  tied: orangeSeries(palette, 'tied'),
  untied: blueSeries(palette, 'untied'),
});

// ---- the panels -------------------------------------------------------------------------------

const aspect = { wide: 0.5, narrow: 1.74 };

/** Two panels, and a strip for the gauge below them. @param {number} width */
function layoutOf(width) {
  const { panels, height } = grid({ width, count: 2, columns: 2, aspect });
  const share = (height - GAUGE_HEIGHT) / height;
  const shrunk = panels.map((panel) => ({
    ...panel,
    y: panel.y * share,
    height: panel.height * share,
  }));
  return { panels: shrunk, height, gauge: { x: 0, y: height - GAUGE_HEIGHT, width } };
}

/**
 * Loss from 0 to 2.2, with the line of a guess; against whatever the panel is about.
 * @param {Panel} panel
 * @param {View} view
 * @param {[number, number]} domain
 */
function lossFrame(panel, { text: words }, domain) {
  const room = Math.max(textWidth(words.tied), textWidth(words.untied));
  const box = inside(panel, { right: 16 + room });
  const x = scaleLinear(domain, [box.left + 6, box.right]);
  return { box, x, y: scaleLinear([0, TOP], [box.bottom, box.top]) };
}

/** @param {ReturnType<typeof lossFrame>} frame  @param {View} view  @returns {SvgChild[]} */
const guess = ({ box, x, y }, { text: words, palette }) => [
  theoryLine(
    x.domain().map((at) => ({ x: at, y: RECALL_GUESS })),
    { x, y, series: folkSeries(palette), width: 1.25 },
  ),
  text(box.right, y(RECALL_GUESS) - 6, words.guess, { fill: palette.muted, anchor: 'end' }),
];

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function dimensionPanel(panel, view) {
  const { data, text: words, format, palette } = view;
  const frame = lossFrame(panel, view, [1, LARGEST_D]);
  const { box, x, y } = frame;
  const all = seriesOf(palette);
  const points = SERIES.map((key) =>
    data.courses
      .filter(([first]) => first.series === key)
      .map((course) => ({ x: course[0].d, ...course[course.length - 1].loss })),
  );
  return [
    handle(box),
    panelTitle(panel, words.dimensionPanel, palette),
    leftAxis(box, y, { ticks: [0, 1, 2], format: format.plain, palette }),
    segment({ x1: x(data.d), x2: x(data.d), y1: box.top, y2: box.bottom }, palette.folk),
    guess(frame, view),
    SERIES.map((key, i) => [
      theoryLine(points[i], { x, y, series: all[key], width: 1 }),
      dots(points[i], { x, y, series: all[key], radius: 4 }),
    ]),
    SERIES.map((key) =>
      node('circle', {
        ...{ cx: x(data.d), cy: y(endOf(data, key).loss.y), r: 8, fill: 'none' },
        ...{ stroke: palette.ink, 'stroke-width': 1.25, 'data-series': key },
      }),
    ),
    data.courses.length > 2 &&
      endLabels(
        box,
        SERIES.map((key, i) => ({
          y: y(points[i][points[i].length - 1].y),
          label: words[key],
          series: all[key],
        })),
      ),
    bottomAxis(box, x, {
      ticks: Array.from({ length: LARGEST_D }, (_, i) => i + 1),
      format: format.plain,
      name: words.dimensionAxis,
      palette,
    }),
  ];
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function stepPanel(panel, view) {
  const { data, text: words, format, palette } = view;
  const frame = lossFrame(panel, view, [0, STEPS]);
  const { box, x, y } = frame;
  const all = seriesOf(palette);
  return [
    panelTitle(panel, words.stepPanel(format.plain(data.d)), palette),
    leftAxis(box, y, { ticks: [0, 1, 2], format: format.plain, palette }),
    guess(frame, view),
    SERIES.map((key) =>
      dots(
        chosen(data, key).map(({ step, loss }) => ({ x: step, ...loss })),
        { x, y, series: all[key], radius: 3 },
      ),
    ),
    endLabels(
      box,
      SERIES.map((key) => ({
        y: y(endOf(data, key).loss.y),
        label: words[key],
        series: all[key],
      })),
    ),
    bottomAxis(box, x, {
      ticks: [0, 500, 1000],
      format: format.plain,
      name: words.stepAxis,
      palette,
    }),
  ];
}

/** @param {{ x: number, y: number, width: number }} place  @param {View} view  @returns {SvgChild[]} */
function gauge(place, { data, text: words, format, palette }) {
  const series = seriesOf(palette).tied;
  const x = scaleLinear([-1, 1], [place.x + 14, place.x + place.width - 14]);
  const line = place.y + 52;
  const { y: value, low, high } = data.cosine;
  const look = { fill: palette.muted, anchor: /** @type {const} */ ('middle') };
  return [
    panelTitle(place, words.gaugePanel, palette),
    segment({ x1: x(-1), x2: x(1), y1: line, y2: line }, palette.folk),
    [-1, 0, 1].map((tick) => [
      segment({ x1: x(tick), x2: x(tick), y1: line - 5, y2: line + 5 }, palette.folk),
      text(x(tick), line + 22, format.plain(tick), look),
    ]),
    text(x(-0.5), line + 22, words.against, look),
    text(x(0.5), line + 22, words.together, look),
    segment({ x1: x(low), x2: x(high), y1: line, y2: line }, series.colour, { width: 5 }),
    marks(series, [[x(value), line]], 6),
    text(x(value), line - 13, format.fixed(value, 2), {
      ...{ fill: series.textColour, anchor: 'middle', weight: 600 },
    }),
  ];
}

// ---- the figure -----------------------------------------------------------------------------

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const { panels, height, gauge: strip } = layoutOf(width);
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    dimensionPanel(panels[0], view),
    stepPanel(panels[1], view),
    gauge(strip, view),
  );
}

/** @type {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} */
function pick(view, point) {
  const { box, x } = lossFrame(layoutOf(view.width).panels[0], view, [1, LARGEST_D]);
  return holds(box, point) ? { dK: Math.round(x.invert(point.x)) } : undefined;
}

/** A loss: four decimals say enough. @param {View} view */
const written =
  ({ format }) =>
  (/** @type {number} */ value) =>
    value < 0.01 ? format.significant(value, 2) : format.fixed(value, 2);

/** @param {View} view */
function ends(view) {
  const { data, text: words, format } = view;
  const [tied, untied] = SERIES.map((key) => endOf(data, key));
  return {
    d: format.plain(data.d),
    tied: written(view)(tied.loss.y),
    untied: written(view)(untied.loss.y),
    steps: format.plain(Math.min(tied.step, untied.step)),
    runs: words.runs(tied.runs),
    cosine: format.fixed(data.cosine.y, 2),
  };
}

/** @param {View} view  @returns {string} */
const title = (view) => view.text.title(ends(view));

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette } = view;
  const all = seriesOf(palette);
  return SERIES.map((key) => {
    const loss = {
      quantity: words.loss,
      measured: endOf(data, key).loss.y,
      theory: NaN,
      format: written(view),
    };
    const cosine = {
      quantity: words.cosine,
      measured: data.cosine.y,
      theory: NaN,
      format: (/** @type {number} */ value) => format.fixed(value, 2),
    };
    return {
      series: all[key],
      label: words[key],
      formula: key === 'tied' ? words.tiedFormula : words.untiedFormula,
      rows: key === 'tied' ? [loss, cosine] : [loss],
    };
  });
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words, format }) {
  const row = (/** @type {{ y: number, low: number, high: number }} */ { y, low, high }) => ({
    ...{ measured: y, low, high },
  });
  const courses = data.courses.flatMap((course) =>
    course.map(({ series, d, step, loss }) => ({
      panel: words.stepPanel(format.plain(d)),
      series: words[series],
      x: step,
      ...row(loss),
    })),
  );
  const final = data.courses.map((course) => {
    const { series, d, loss } = course[course.length - 1];
    return { panel: words.dimensionPanel, series: words[series], x: d, ...row(loss) };
  });
  const angle = { panel: words.gaugePanel, series: words.tied, x: data.d, ...row(data.cosine) };
  return [...final, angle, ...courses];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en, RecallRow[]>} */
export const spec = {
  name: 'values',
  fields,
  visible: ['dK'],
  messages: { en, zh },
  aspect,
  seeded: true,
  compute,
  run: (state, { signal, onProgress }) =>
    measureRecall({
      seed: Number(state.seed),
      steps: STEPS,
      signal,
      onProgress: ({ fraction, rows: found }) => onProgress(fraction, found),
    }),
  keeps: ['dK'],
  draw,
  pick,
  title,
  readout,
  rows,
  status: (view) => view.text.status(ends(view)),
  note: ({ data, text: words }) => (data.measured ? words.longNote : words.quickNote),
  caption: ({ text: words }) => words.caption,
};

/**
 * Recall with keys that serve as values, and with values of their own.
 *
 * @attr {number} d-k - length of queries, keys and values, 1 … 8 (3)
 * @attr {number} seed - of the first run (1)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnValues extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnValues);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
