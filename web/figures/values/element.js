// <attn-values>: why values are not the keys. One vector that is both the address of a memory and its
// content is pulled two ways; with few dimensions it cannot serve both.

import { measureRecall, RECALL_GUESS, recallRuns } from '../../experiments/recall.js';
import { inWorker } from '../../experiments/in-worker.js';
import { partsOf } from '../../shared/slices.js';
import { PAIR_FROM, segment, text } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { folkLook } from '../kit/chart/looks.js';
import { rowsOf } from '../kit/chart/series.js';
import { grid } from '../kit/chart/layout.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { bySteps, medianOf, MODELS, seriesOf, spread } from '../common/tied-runs.js';
import { linear } from '../kit/chart/mapping.js';
import { isInterpreted, numberField, seedField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './generated/words.js';
import { times } from '../../shared/times.js';

/**
 * @import { RecallRow } from '../../experiments/recall.js'
 * @import { Axis, Panel } from '../kit/chart/panels.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { TextLook } from '../kit/chart/chart.js'
 * @import { Model } from '../common/tied-runs.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { Memo } from '../../shared/memo.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
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

/** Computes the data of a state. @param {State} state @param {Context<RecallRow[]>} context */
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

const aspect = { wide: 0.5, narrow: 1.74, below: PAIR_FROM };

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

/** @type {Axis} */
const LOSS_AXIS = { ends: [0, 2.2], ticks: [0, 1, 2] };

/** Declares the loss of a guess. @param {View} view  @returns {Series} */
const guess = ({ text: words, palette }) => ({
  look: { ...folkLook(palette), key: 'guess', textColour: palette.muted },
  label: words.guess,
  level: RECALL_GUESS,
  inside: true,
  width: 1.25,
});

/** Describes the panel of dimensions. @param {View} view  @returns {Panel} */
function dimensionPanel(view) {
  const { data, text: words, palette } = view;
  const all = seriesOf(palette);
  return {
    title: words.dimensionPanel,
    x: { ends: [0.8, LARGEST_D], ticks: DIMENSIONS, name: 'd' },
    y: LOSS_AXIS,
    now: data.d,
    picks: (dK) => ({ dK }),
    margin: { right: 10 },
    series: [
      guess(view),
      ...MODELS.map((key, i) => {
        const measured = data.courses
          .filter(([first]) => first.series === key)
          .map((course) => ({ x: course[0].d, ...endOf(course).loss }));
        // At d = 3 and 2, where the two differ; clear of the ring, too.
        const { x, y = NaN } = measured.find((point) => point.x === 3 - i) ?? {};
        return {
          look: all[key],
          label: words[key],
          end: { x, y: y + 0.07 },
          measured,
          size: 4,
          joined: true,
          width: 1,
          chosen: { x: data.d, y: endOf(chosen(data, key)).loss.y },
        };
      }),
    ],
  };
}

/** Declares the course of a model. @param {View} view  @param {Data['courses'][0]} course  @returns {Series} */
function courseSeries({ text: words, palette }, course) {
  const [{ series: key }] = course;
  const measured = course.map(({ step, loss }) => ({ x: step, ...loss }));
  const look = seriesOf(palette)[key];
  return { look, label: words[key], end: endOf(measured), measured, size: 3 };
}

/** Describes the panel of steps. @param {View} view  @returns {Panel} */
function stepPanel(view) {
  const { data, text: words } = view;
  /** @type {NonNullable<Panel['x']>} */
  const x = { ends: [0, STEPS], ticks: [0, 500, 1000], name: words.stepAxis };
  const others = data.courses.filter(([{ d }]) => d !== data.d);
  return {
    title: say(view, words.stepPanel),
    x,
    y: LOSS_AXIS,
    series: [guess(view), ...MODELS.map((key) => courseSeries(view, chosen(data, key)))],
    // The table has the other dimensions, too.
    rows: others.flatMap((course) =>
      rowsOf({
        title: say(view, words.stepPanel, { dK: course[0].d }),
        x,
        series: [courseSeries(view, course)],
      }),
    ),
  };
}

/** Describes the panel of the gauge. @param {View} view  @returns {Panel} */
function gaugePanel({ data, text: words, format, palette }) {
  const { y: value, low, high } = data.cosine;
  return {
    title: words.gaugePanel,
    rows: [
      {
        panel: words.gaugePanel,
        series: words.tied,
        x: data.d,
        across: 'd',
        measured: value,
        low,
        high,
      },
    ],
    marks({ place }) {
      const series = seriesOf(palette).tied;
      const x = linear([-1, 1], [place.x + 14, place.x + place.width - 14]);
      const across = place.y + 52;
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
        symbols(series, [[x(value), across]], 6),
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

/** @type {FigureSpec<Data, typeof messages.en, State, RecallRow[]>} */
export const spec = {
  name: 'values',
  room: { wide: 420, narrow: 490 },
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
  note: ({ data, text: words }) => (data.measured ? words.longNote : words.quickNote),
};

/** Recall with keys that serve as values, and with separate values. */
export class AttnValues extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnValues);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
