// The panels of <attn-language>: weights, dot products, and the course of training.

import { normalDensity } from '../../theory/special.js';
import { times } from '../../shared/times.js';
import { points } from '../kit/chart/series.js';
import { heightBase, PAIR_FROM, text, textWidth } from '../kit/chart/chart.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { folkLook, scaleLook } from '../kit/chart/looks.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';
import { STEPS } from './steps.js';

/**
 * @import { ScaleName } from '../../experiments/language.js'
 * @import { Panel as Place } from '../kit/chart/chart.js'
 * @import { Axis, Frame, Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 * @typedef {'loss' | 'role' | 'entropyRatio' | 'largestScore' | 'factor' | 'effectiveDimension'} Column
 * @typedef {{ step: number } & Partial<Record<Column, number>>} CourseRow
 * @typedef {{ scale: ScaleName, seed: number, head?: string, rows: readonly CourseRow[] }} Line  a run, or a head of a variant
 */

const GUTTER = 28;
/** Heights as shares of the width: of the first two panels, and of the others. */
const TALL = { wide: 0.5, narrow: 1.06 };
const LOW = { wide: 0.32, narrow: 0.66 };

export const aspect = {
  wide: TALL.wide + 2 * LOW.wide,
  narrow: TALL.narrow + 5 * LOW.narrow,
  below: PAIR_FROM,
};

/** Places all panels. @param {number} width  @returns {{ panels: Place[], height: number }} */
export function layout(width) {
  const isWide = width >= PAIR_FROM;
  const key = isWide ? 'wide' : 'narrow';
  const columns = isWide ? 2 : 1;
  const base = heightBase(width, PAIR_FROM);
  const [tall, low] = [base * TALL[key], base * LOW[key]];
  const across = (width - GUTTER * (columns - 1)) / columns;
  const panels = times(6, (i) => {
    const row = Math.floor(i / columns);
    return {
      x: (i % columns) * (across + GUTTER),
      y: row === 0 ? 0 : tall + (row - 1) * low,
      width: across,
      height: row === 0 ? tall : low,
    };
  });
  return { panels, height: base * aspect[key] };
}

/** The scales in the order of the read-out. @type {readonly ScaleName[]} */
export const SCALES = ['sqrt', 'none', 'linear'];

/** Returns the short names of the scales, with which the runs of a variant began. @param {View} view */
export const namesOf = ({ data, text: words }) => (data.variant ? words.starts : words.short);

/** The largest side of a cell of the heat map, in pixels, and the room below it. */
const LARGEST_CELL = 24;
const BELOW = 6;
const LABEL = 12.5;

/**
 * Draws the weights: rows are the words that look, and a word stands where its row ends, since it cannot
 * look at those that come later.
 * @param {View} view
 * @param {Frame} frame
 */
function heatMap({ data, palette, state }, { place, box }) {
  const { words, weights } = data;
  const n = words.length;
  const room = Math.min(
    LARGEST_CELL,
    (place.y + place.height - BELOW - box.top) / n,
    ...words.map((word, i) => (place.width - textWidth(word, LABEL) - 6) / (i + 1)),
  );
  const cell = Math.floor(2 * room) / 2;
  const { colour, key } = scaleLook(palette, state.scale);
  return words.map((word, i) => {
    const y = box.top + i * cell;
    const square = (/** @type {number} */ j) => ({ x: place.x + j * cell, y });
    return [
      times(i + 1, (j) =>
        node('rect', {
          ...square(j),
          width: cell - 1,
          height: cell - 1,
          fill: colour,
          // The root of a weight lets small ones be seen.
          'fill-opacity': Number((0.04 + 0.96 * Math.sqrt(weights[i][j])).toFixed(3)),
          'data-series': key,
        }),
      ),
      text(Math.ceil(place.x + (i + 1) * cell + 3), Math.round(y + cell / 2 + 4), word, {
        fill: palette.ink,
        size: LABEL,
      }),
    ];
  });
}

/** Returns the name of the head that is shown. @param {View} view */
export const headOf = ({ data: { head }, text: words }) =>
  words.options[/** @type {'1.1'} */ (head)];

/** Describes the panel of weights. @param {View} view  @returns {Panel} */
export function attentionPanel(view) {
  const { data, text: words } = view;
  const title = say(view, words.attentionPanel, { head: headOf(view), step: data.shown });
  return {
    title,
    note: words.attentionNote,
    margin: { top: 46 },
    marks: (frame) => heatMap(view, frame),
    rows: data.weights.flatMap((row, i) =>
      row.map((weight, j) => ({
        panel: title,
        across: words.place,
        series: `${data.words[i]} ${i + 1}`,
        x: j + 1,
        measured: weight,
      })),
    ),
  };
}

/** Points of a curve. */
const POINTS = 121;

/**
 * Returns the curve of a normal density.
 * @param {number} mean
 * @param {number} deviation
 * @param {number} reach
 */
const normalCurve = (mean, deviation, reach) =>
  times(POINTS, (i) => {
    const x = reach * ((2 * i) / (POINTS - 1) - 1);
    return { x, y: normalDensity((x - mean) / deviation) / deviation };
  });

/** Describes the panel of dot products. @param {View} view  @returns {Panel} */
export function scoresPanel(view) {
  const { data, text: words, palette, state, format } = view;
  const { histogram, reach } = data;
  const root = Math.sqrt(histogram.dKey);
  const { mean, deviation } = histogram;
  const peak = 0.4 / root;
  return {
    title: say(view, words.scoresPanel, { step: data.shown }),
    x: {
      ends: [-reach, reach],
      ticks: [-1, -0.5, 0, 0.5, 1].map((x) => x * reach),
      name: words.dotAxis,
    },
    y: {
      ends: [0, 1.1 * peak],
      ticks: [0, peak / 2, peak],
      format: (y) => format.plain(Number(y.toPrecision(2))),
    },
    margin: { left: 44, right: 10, top: 46 },
    series: [
      {
        look: folkLook(palette),
        label: words.folk,
        end: { x: 1.3 * root, y: 0.7 * peak },
        theory: normalCurve(0, root, reach),
      },
      {
        look: scaleLook(palette, state.scale),
        label: `σ = ${format.significant(deviation, 3)}`,
        end: {
          x: Math.max(mean + 1.2 * deviation, 1.8 * root),
          y: (0.4 * peak * root) / deviation,
        },
        name: words.dotAxis,
        measured: points(histogram.rows, {
          x: ({ low, high }) => (low + high) / 2,
          y: 'density',
          low: 'low',
          high: 'high',
          from: 'low',
          to: 'high',
        }),
        bars: 0.35,
        theory: normalCurve(mean, deviation, reach),
      },
    ],
  };
}

/** Returns the fields that a pointer at a step sets. @param {number} at */
const nearestStep = (at) => ({
  step: String(
    STEPS.reduce((best, step) => (Math.abs(step - at) < Math.abs(best - at) ? step : best)),
  ),
});

/** Returns the median, of an even number the upper one, which is a value. @param {number[]} values */
export const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Describes a panel against steps: every run, or each head of a variant's, as a thin line, and the chosen head of the
 * first run as dots.
 * @param {View} view
 * @param {string} title
 * @param {Column} column
 * @param {Axis} axis
 * @returns {Panel}
 */
export function coursePanel(view, title, column, axis) {
  const { data, text: words, palette, state } = view;
  const { last, start } = data;
  const names = namesOf(view);
  const now = data.variant ? Number(state.step) : data.shown;
  // A run has one loss, whichever of its heads is asked.
  const lines = data.lines.filter(({ head = '1.1' }) => column !== 'loss' || head === '1.1');
  /** Names a scale at the end of its median line. @param {ScaleName} scale */
  const named = (scale) => ({
    look: scaleLook(palette, scale),
    label: names[scale],
    end: {
      y: middle(
        lines
          .filter((line) => line.scale === scale)
          .map(({ rows }) => rows[rows.length - 1][column] ?? NaN),
      ),
    },
  });
  /** @type {readonly CourseRow[]} */
  const ofHead = data.variantHead ?? data.headCourse;
  const own = column === 'loss' ? [] : points(ofHead, { x: 'step', y: column });
  return {
    title,
    x: { ends: [0, last], ticks: times(4, (i) => (i * last) / 3), name: words.stepAxis },
    y: axis,
    margin: { left: 44 },
    now,
    picks: nearestStep,
    series: [
      ...data.scales.map(named),
      ...lines.map(({ scale, seed, head, rows }) => ({
        look: scaleLook(palette, scale),
        name:
          say(view, words.run, { scale: names[scale], seed }) +
          (head && column !== 'loss' ? `, ${head}` : ''),
        measured: points(rows, { x: 'step', y: column }),
        joined: true,
        size: 0,
        width: 1,
      })),
      {
        look: scaleLook(palette, start),
        name: data.head,
        measured: own,
        size: 2.2,
        chosen: own.find(({ x }) => x === now),
      },
    ],
  };
}

/** Returns the title of a panel, which may be another for a variant. @param {View} view  @param {'lossPanel' | 'entropyPanel'} panel */
const titleOf = ({ data, text: words }, panel) =>
  data.variant ? words.variantPanels[panel] : words[panel];

/** From the loss of guessing down, in nats. */
const SPAN = 4;

/**
 * Describes the losses of the models that the reader trains.
 * @param {View} view
 * @param {NonNullable<View['data']['trained']>} trained
 * @returns {Panel}
 */
function trainedPanel({ text: words, palette }, { rows, steps, largest }) {
  const series = SCALES.map((scale) => ({
    look: scaleLook(palette, scale),
    label: words.short[scale],
    measured: points(
      rows.filter((row) => row.scale === scale),
      { x: 'step', y: 'loss' },
    ),
    joined: true,
    size: 1.8,
    width: 0.75,
  }));
  const top = Math.max(SPAN, Math.ceil(largest));
  return {
    title: words.trainedPanel,
    x: { ends: [0, steps], ticks: [0, steps / 2, steps], name: words.stepAxis },
    y: { ends: [top - SPAN, top], ticks: times(SPAN + 1, (i) => top - SPAN + i) },
    margin: { left: 44 },
    series: series.filter(({ measured }) => measured.length > 0),
  };
}

/** @param {View} view */
export const lossPanel = (view) =>
  view.data.trained
    ? trainedPanel(view, view.data.trained)
    : coursePanel(view, titleOf(view, 'lossPanel'), 'loss', {
        ends: [3.8, 7.6],
        ticks: [4, 5, 6, 7],
      });

/** @param {View} view */
export function rolePanel(view) {
  const { data, text: words } = view;
  const top = Math.max(...data.lines.flatMap(({ rows }) => rows.map(({ role = 0 }) => role)));
  const end = top > 0.3 ? 1 : 0.3;
  return coursePanel(view, words.rolePanel, 'role', { ends: [0, end], ticks: [0, end / 2, end] });
}

/** @param {View} view */
export const entropyPanel = (view) =>
  coursePanel(view, titleOf(view, 'entropyPanel'), 'entropyRatio', {
    ends: [0, 1.02],
    ticks: [0, 0.5, 1],
  });

/** @param {View} view */
export const logitPanel = (view) =>
  coursePanel(view, view.text.logitPanel, 'largestScore', {
    mapping: logarithmic,
    ends: [0.5, 500],
    ticks: [1, 10, 100],
  });
