// <attn-values>: why values are not the keys. One vector that is both the address of a memory and its
// content is pulled two ways; with few dimensions it cannot serve both.

import { measureRecall, RECALL_GUESS } from '../../experiments/index.js';
import { inWorker } from '../../experiments/in-worker.js';
import { recallRuns } from '../../experiments/recall.js';
import { partsOf } from '../../shared/slices.js';
import { dots, levelLine, marks, segment, text, theoryLine } from '../kit/chart/chart.js';
import { folkSeries } from '../kit/chart/series.js';
import { grid } from '../kit/chart/layout.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled, ring } from '../kit/chart/panels.js';
import { bySteps, medianOf, MODELS, seriesOf, spread } from '../common/tied-runs.js';
import { linear } from '../kit/chart/mapping.js';
import { isInterpreted, numberField, seedField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './words.js';
import { times } from '../../shared/times.js';

/**
 * @import { RecallRow } from '../../experiments/recall.js'
 * @import { Axis, Frame, Panel } from '../kit/chart/panels.js'
 * @import { Point, TextLook } from '../kit/chart/chart.js'
 * @import { Model, Spread } from '../common/tied-runs.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { Memo } from '../../shared/memo.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { TidyRow } from '../kit/shell/download.js'
 * @import { StaticOptions } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

const LARGEST_D = 8;
const DIMENSIONS = times(LARGEST_D, (i) => i + 1);
const STEPS = 1000;
const QUICK_STEPS = isInterpreted ? 100 : 200;
/** The steps of the short run. */
const QUICK_DIMENSIONS = isInterpreted ? [2, 3] : [2, 3, 4];
const EARLY = { first: 100, last: 200 };
const GAUGE_HEIGHT = 92;

const fields = {
  dK: numberField({ initial: 3, min: 1, max: LARGEST_D }),
  seed: seedField(1),
};

/**
 * Returns the course of one model at one d.
 * @param {readonly RecallRow[]} rows
 * @param {Model} series
 * @param {number} d
 */
const courseOf = (rows, series, d) =>
  bySteps(rows.filter((row) => row.series === series && row.d === d)).map(({ step, runs, at }) => ({
    series,
    d,
    step,
    runs,
    loss: spread(at.map(({ loss }) => loss)),
  }));

/**
 * Computes the rows of short runs at a few d, the chosen one among them.
 * @param {Memo} memo
 * @param {number} d
 * @param {number} seed
 */
function* quickRows(memo, d, seed) {
  const rows = [];
  for (const each of new Set([...QUICK_DIMENSIONS, d])) {
    const options = { dimensions: [each], seed, seeds: 1, steps: QUICK_STEPS };
    rows.push(...(yield* partsOf(yield* memo(`quick ${each}`, [seed], () => recallRuns(options)))));
  }
  return rows;
}

/**
 * Computes the data of a state.
 * @param {State} state
 * @param {Context<RecallRow[]>} context
 */
function* compute({ dK: d, seed }, { memo, result = [] }) {
  // Before the early steps are over, a run shows no more than the short one.
  const measured = MODELS.every((key) =>
    courseOf(result, key, d).some(({ step }) => step >= EARLY.first),
  );
  const rows = measured ? result : yield* quickRows(memo, d, seed);
  const courses = MODELS.flatMap((key) =>
    DIMENSIONS.map((each) => courseOf(rows, key, each)),
  ).filter((course) => course.length > 0);
  const early = rows.filter(
    (row) =>
      row.series === 'tied' && row.d === d && row.step >= EARLY.first && row.step <= EARLY.last,
  );
  const last = Math.max(...early.map(({ step }) => step));
  return { d, courses, measured, last, cosine: spread(early.map(({ cosine }) => cosine)) };
}

/** @param {Data} data  @param {Model} key */
const chosen = ({ courses, d }, key) =>
  courses.find(([first]) => first.series === key && first.d === d) ?? [];

/** @template T  @param {readonly T[]} course */
const endOf = (course) => course[course.length - 1];

// ---- the panels -------------------------------------------------------------------------------

const aspect = { wide: 0.5, narrow: 1.74 };

/** Places two panels, and a strip for the gauge below them. @param {number} width */
function layout(width) {
  const { panels, height } = grid({ width, count: 2, columns: 2, aspect });
  const share = (height - GAUGE_HEIGHT) / height;
  const above = panels.map((panel) => ({
    ...panel,
    y: panel.y * share,
    height: panel.height * share,
  }));
  const gauge = { x: 0, y: height - GAUGE_HEIGHT, width, height: GAUGE_HEIGHT };
  return { panels: [...above, gauge], height };
}

/** The axis of the loss, and the loss of a guess across the panel. */
const LOSS = {
  /** @type {Axis} */
  axis: { ends: [0, 2.2], ticks: [0, 1, 2] },
  /** @param {View} view  @param {Frame} frame */
  guess: ({ text: words, palette }, { box, x, y }) => [
    levelLine(RECALL_GUESS, { x, y, series: folkSeries(palette), width: 1.25 }),
    text(box.right, y(RECALL_GUESS) - 6, words.guess, { fill: palette.muted, anchor: 'end' }),
  ],
};

/** Describes the panel of dimensions. @param {View} view  @returns {Panel} */
function dimensionPanel(view) {
  const { data, text: words, palette } = view;
  const all = seriesOf(palette);
  const points = MODELS.map((key) =>
    data.courses
      .filter(([first]) => first.series === key)
      .map((course) => ({ x: course[0].d, ...endOf(course).loss })),
  );
  return {
    title: words.dimensionPanel,
    x: { ends: [0.8, LARGEST_D], ticks: DIMENSIONS, name: 'd' },
    y: LOSS.axis,
    now: data.d,
    picks: (dK) => ({ dK }),
    margin: { right: 10 },
    // At d = 3 and 2, where the two differ.
    ends: MODELS.map((key, i) => {
      const { x, y } = /** @type {Point} */ (points[i].find((point) => point.x === 3 - i) ?? {});
      // Clear of the ring, too.
      return { x, y: y + 0.07, label: words[key], series: all[key] };
    }),
    marks: (frame) => {
      const { x, y } = frame;
      return [
        LOSS.guess(view, frame),
        MODELS.map((key, i) => [
          theoryLine(points[i], { x, y, series: all[key], width: 1 }),
          dots(points[i], { x, y, series: all[key], radius: 4 }),
          ring([x(data.d), y(endOf(chosen(data, key)).loss.y)], palette, { series: key }),
        ]),
      ];
    },
  };
}

/** Describes the panel of steps. @param {View} view  @returns {Panel} */
function stepPanel(view) {
  const { data, text: words, palette } = view;
  const all = seriesOf(palette);
  const courses = MODELS.map((key) => ({
    series: all[key],
    points: chosen(data, key).map(({ step, loss }) => ({ x: step, ...loss })),
  }));
  return {
    title: say(view, words.stepPanel),
    x: { ends: [0, STEPS], ticks: [0, 500, 1000], name: words.stepAxis },
    y: LOSS.axis,
    ends: courses.map(({ series, points }) => ({
      ...endOf(points),
      label: words[/** @type {Model} */ (series.key)],
      series,
    })),
    marks: (frame) => {
      const { x, y } = frame;
      return [
        LOSS.guess(view, frame),
        courses.map(({ series, points }) => dots(points, { x, y, series, radius: 3 })),
      ];
    },
  };
}

/** Describes the panel of the gauge. @param {View} view  @returns {Panel} */
function gaugePanel({ data, text: words, format, palette }) {
  return {
    title: words.gaugePanel,
    marks({ place }) {
      const series = seriesOf(palette).tied;
      const x = linear([-1, 1], [place.x + 14, place.x + place.width - 14]);
      const across = place.y + 52;
      const { y: value, low, high } = data.cosine;
      /** @type {TextLook} */
      const look = { fill: palette.muted, anchor: 'middle' };
      const bar = (/** @type {number} */ from, /** @type {number} */ to) => ({
        x1: x(from),
        x2: x(to),
        y1: across,
        y2: across,
      });
      return [
        segment(bar(-1, 1), palette.folk),
        [-1, 0, 1].map((tick) => [
          segment({ ...bar(tick, tick), y1: across - 5, y2: across + 5 }, palette.folk),
          text(x(tick), across + 22, format.plain(tick), look),
        ]),
        text(x(-0.5), across + 22, words.against, look),
        text(x(0.5), across + 22, words.together, look),
        segment(bar(low, high), series.colour, { width: 5 }),
        marks(series, [[x(value), across]], 6),
        text(x(value), across - 13, format.fixed(value, 2), {
          fill: series.textColour,
          anchor: 'middle',
          weight: 600,
        }),
      ];
    },
  };
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the format of a loss: two decimals are enough. @param {View} view */
const lossFormat =
  ({ format }) =>
  (/** @type {number} */ value) =>
    value < 0.01 ? format.significant(value, 2) : format.fixed(value, 2);

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words } = view;
  const write = lossFormat(view);
  const [tied, untied] = MODELS.map((key) => endOf(chosen(data, key)));
  return say(view, words.title, {
    tied: write(tied.loss.y),
    untied: write(untied.loss.y),
    steps: Math.min(tied.step, untied.step),
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette } = view;
  const all = seriesOf(palette);
  return MODELS.map((key) => {
    const { loss, runs } = endOf(chosen(data, key));
    const cosine = line(words.cosine, (value) => format.fixed(value, 2), data.cosine.y);
    return {
      series: all[key],
      label: words[key],
      formula: words.vectors[key],
      measuredAs: medianOf(view, runs),
      rows: [line(words.loss, lossFormat(view), loss.y), ...(key === 'tied' ? [cosine] : [])],
    };
  });
}

/** Returns the drawn data as rows of a table. @param {View} view  @returns {TidyRow[]} */
function rows(view) {
  const { data, text: words } = view;
  const row = (
    /** @type {string} */ panel,
    /** @type {Model} */ series,
    /** @type {number} */ x,
    /** @type {Spread} */ { y, low, high },
  ) => ({ panel, series: words[series], x, measured: y, low, high });
  const ends = data.courses.map(endOf);
  return [
    ...ends.map(({ series, d, loss }) => ({
      ...row(words.dimensionPanel, series, d, loss),
      across: 'd',
    })),
    row(words.gaugePanel, 'tied', data.d, data.cosine),
    ...data.courses
      .flat()
      .map(({ series, d, step, loss }) =>
        row(say(view, words.stepPanel, { dK: d }), series, step, loss),
      ),
  ];
}

/** @type {FigureSpec<Data, typeof messages.en, State, RecallRow[]>} */
export const spec = {
  name: 'values',
  fields,
  visible: ['dK'],
  messages,
  compute,
  run: ({ seed }, control) => inWorker('recall', measureRecall, { seed, steps: STEPS }, control),
  keeps: ['dK'],
  ...panelled({
    title,
    aspect,
    layout,
    panels: { dimensions: dimensionPanel, steps: stepPanel, gradients: gaugePanel },
  }),
  // It is there before the data are.
  caption: (view) => say(view, view.text.caption, { last: view.data?.last ?? EARLY.last }),
  readout,
  rows,
  note: ({ data, text: words }) => (data.measured ? words.longNote : words.quickNote),
};

/** Recall with keys that serve as values, and with separate values. */
export class AttnValues extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnValues);

/**
 * Returns the figure as self-contained SVG text; needs no document.
 * @param {StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
