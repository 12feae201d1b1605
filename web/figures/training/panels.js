// The panels of <attn-training>: the loss against the learning rate, and the course of training at one.

import { TRAINING_RATES } from '../../experiments/index.js';
import { dots, levelLine, segment, theoryLine } from '../kit/chart/chart.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { blueSeries, folkSeries, greySeries, orangeSeries } from '../kit/chart/series.js';
import { say } from '../kit/state/words.js';
import { RATE_NAMES } from './words.js';

/**
 * @import { Task } from './words.js'
 * @import { Point, Series } from '../kit/chart/chart.js'
 * @import { Axis as PanelAxis, Frame, Panel } from '../kit/chart/panels.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { View } from './element.js'
 * @typedef {Pick<PanelAxis, 'ends' | 'ticks' | 'mapping'>} Axis
 */

/** Axes are fixed, that of the loss for each task; normalised queries and keys retrieve better. @type {Record<Task | 'deep', Axis>} */
const LOSS_AXIS = {
  average: { mapping: logarithmic, ends: [4e-4, 3], ticks: [0.001, 0.01, 0.1, 1] },
  retrieve: { mapping: logarithmic, ends: [0.02, 4], ticks: [0.03, 0.1, 0.3, 1, 3] },
  deep: { mapping: logarithmic, ends: [0.004, 4], ticks: [0.01, 0.1, 1] },
};
/** @type {Axis} */
export const NORM_AXIS = {
  mapping: logarithmic,
  ends: [1e-3, 30],
  ticks: [0.001, 0.01, 0.1, 1, 10],
};
/** @type {Axis} */
export const ENTROPY_AXIS = { ends: [0, 1.05], ticks: [0, 0.5, 1] };

/** Returns the looks of the series. @param {View} view  @returns {Series[]} */
export function seriesOf({ state, palette }) {
  const [third, fourth] = state.scales === 'classic' ? ['1/d', 'additive'] : ['softcap', 'norm'];
  return [
    orangeSeries(palette, state.scales === 'classic' ? 'none' : 'clip'),
    blueSeries(palette, '1/√d'),
    greySeries(palette, third),
    { ...greySeries(palette, fourth), colour: palette.ink, marker: 'triangle' },
  ];
}

/** Attention that stays uniform.  @param {Palette} palette  @returns {Series} */
const uniformSeries = (palette) => ({ ...folkSeries(palette), key: 'uniform' });

/**
 * Returns the values of each model at every place of the horizontal axis, and the names at the ends.
 * @template {{ model: string }} Row
 * @param {View} view
 * @param {readonly Row[]} rows
 * @param {(row: Row) => Point} point
 * @param {boolean} ofLoss the place of the line of uniform attention
 */
function coursesOf(view, rows, point, ofLoss) {
  const { data, text: words, palette } = view;
  const courses = seriesOf(view).map((series) => ({
    series,
    points: rows.filter(({ model }) => model === series.key).map(point),
  }));
  const ends = courses.map(({ series, points }) => ({
    y: points[points.length - 1]?.y ?? NaN,
    label: words.short[series.key] ?? words.models[series.key],
    series,
  }));
  if (ofLoss)
    ends.push({ y: data.uniform, label: words.uniformAs, series: uniformSeries(palette) });
  return { courses, ends };
}

/**
 * Draws dots joined by thin lines.
 * @param {ReturnType<typeof coursesOf>['courses']} courses
 * @param {Frame} frame
 * @param {number} [radius]
 */
const joined = (courses, { x, y }, radius) => [
  courses.map(({ series, points }) => theoryLine(points, { x, y, series, width: 0.75 })),
  courses.map(({ series, points }) => dots(points, { x, y, series, radius })),
];

/**
 * Draws the exact loss of attention that stays uniform.
 * @param {View} view
 * @param {Frame} frame
 */
const uniformLine = ({ data, palette }, { x, y }) =>
  levelLine(data.uniform, { x, y, series: uniformSeries(palette), width: 1.25 });

/** Returns the axis of the loss. @param {View} view */
export const lossAxis = ({ state, data }) =>
  LOSS_AXIS[state.scales === 'today' && data.task === 'retrieve' ? 'deep' : data.task];

/** Returns the learning rate nearest to a click. @param {number} rate */
const nearest = (rate) => ({ rate: RATE_NAMES[4 + Math.round(2 * Math.log10(rate))] });

/** Describes the panel of learning rates. @param {View} view  @returns {Panel} */
export function sweepPanel(view) {
  const { data, text: words, palette } = view;
  const { courses, ends } = coursesOf(
    view,
    data.final,
    ({ rate, loss, low, high }) => ({ x: rate, y: loss, low, high }),
    true,
  );
  return {
    title: say(view, words.sweepPanel, { steps: data.steps }),
    x: {
      mapping: logarithmic,
      ends: [TRAINING_RATES[0] / 1.4, TRAINING_RATES[8] * 1.4],
      ticks: [0.01, 0.1, 1, 10, 100],
      name: words.rateAxis,
    },
    y: lossAxis(view),
    margin: { left: 44 },
    picks: nearest,
    ends,
    marks(frame) {
      const { box, x } = frame;
      const at = x(data.rate);
      return [
        segment({ x1: at, x2: at, y1: box.top, y2: box.bottom }, palette.muted, { dash: '2 3' }),
        joined(courses, frame),
        uniformLine(view, frame),
      ];
    },
  };
}

/**
 * Draws one quantity against steps, at the chosen learning rate.
 * @param {View} view
 * @param {string} title
 * @param {'loss' | 'gradientNorm' | 'entropyRatio'} column
 * @param {Axis} axis
 * @returns {Panel}
 */
export function coursePanel(view, title, column, axis) {
  const { data, text: words, format } = view;
  const ofLoss = column === 'loss';
  const { courses, ends } = coursesOf(
    view,
    data.course,
    (row) => ({ x: row.step, y: row[column] }),
    ofLoss,
  );
  return {
    title,
    x: {
      ends: [0, data.stepsToDo],
      ticks: [0, 1, 2, 3].map((part) => (part * data.stepsToDo) / 3),
      format: (step) => format.plain(Math.round(step)),
      name: say(view, words.stepAxis),
    },
    y: axis,
    margin: { left: 44 },
    ends,
    marks: (frame) => [ofLoss && uniformLine(view, frame), joined(courses, frame, 1.8)],
  };
}
