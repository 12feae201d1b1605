// The panels of <attn-training>: the loss against the learning rate, and the course of training at one.

import { TRAINING_RATES } from '../../experiments/training.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { blueLook, folkLook, greyLook, orangeLook } from '../kit/chart/looks.js';
import { points } from '../kit/chart/series.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { Axis as PanelAxis, Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 * @typedef {Pick<PanelAxis, 'ends' | 'ticks' | 'mapping'>} Axis
 * @typedef {'average' | 'retrieve'} Task
 */

/** The learning rates by name: half-decades. */
export const RATE_NAMES = ['0.01', '0.03', '0.1', '0.3', '1', '3', '10', '30', '100'];

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

/** Returns the looks of the series. @param {View} view  @returns {Look[]} */
export function seriesOf({ state, palette }) {
  const classic = state.scales === 'classic';
  const orange = orangeLook(palette, classic ? 'none' : 'clip');
  const blue = blueLook(palette, '1/√d');
  return [
    ...(classic ? [orange, blue] : [blue, orange]),
    greyLook(palette, classic ? '1/d' : 'softcap'),
    {
      ...greyLook(palette, classic ? 'additive' : 'norm'),
      colour: palette.ink,
      marker: 'triangle',
    },
  ];
}

/**
 * Widths of lines and relative sizes of dots, in the order of the series. The cap and the clip change nothing
 * while scores are small: where three of today's series coincide, each shows around the next.
 */
const NESTED = { widths: [7, 4, 0.75, 0.75], sizes: [2, 1.2, 0.6, 1] };

/**
 * Declares the numbers of each model, as dots joined by thin lines.
 * @template {{ model: string }} Row
 * @param {View} view
 * @param {readonly Row[]} rows
 * @param {Parameters<typeof points<Row>>[1]} channels
 * @param {number} dot  radius
 * @returns {Series[]}
 */
const modelSeries = (view, rows, channels, dot) =>
  seriesOf(view).map((look, index) => {
    const name = view.text.models[look.key];
    const measured = points(
      rows.filter(({ model }) => model === look.key),
      channels,
    );
    const label = view.text.short[look.key] ?? name;
    const [width, size] =
      view.state.scales === 'today'
        ? [NESTED.widths[index], dot * NESTED.sizes[index]]
        : [0.75, dot];
    return { look, name, label, measured, joined: true, size, width };
  });

/** Declares the exact loss of attention that stays uniform. @param {View} view  @returns {Series} */
const uniform = ({ data, text: words, palette }) => ({
  look: { ...folkLook(palette), key: 'uniform' },
  label: words.uniformAs,
  level: data.uniform,
  width: 1.25,
});

/** Returns the axis of the loss. @param {View} view */
export const lossAxis = ({ state, data }) =>
  LOSS_AXIS[state.scales === 'today' && data.task === 'retrieve' ? 'deep' : data.task];

/** Returns the learning rate nearest to a click. @param {number} rate */
const nearest = (rate) => ({ rate: RATE_NAMES[4 + Math.round(2 * Math.log10(rate))] });

/** Describes the panel of learning rates. @param {View} view  @returns {Panel} */
export function sweepPanel(view) {
  const { state, data, text: words, format } = view;
  const title = say(view, words.sweepPanel, { steps: data.steps });
  return {
    title,
    table: `${title} (${format.axis(words.rateAxis)})`,
    x: {
      mapping: logarithmic,
      ends: [TRAINING_RATES[0] / 1.4, TRAINING_RATES[8] * 1.4],
      ticks: [0.01, 0.1, 1, 10, 100],
      name: words.rateAxis,
    },
    y: lossAxis(view),
    margin: { left: 44 },
    rule: data.rate,
    picks: nearest,
    series: [
      ...modelSeries(
        view,
        data.final,
        { x: 'rate', y: 'loss', low: 'low', high: 'high', theory: () => data.uniform },
        3.5,
      ),
      uniform(view),
    ],
    rows: data.sensitivity.map(({ model, sensitivity: measured }) => ({
      panel: words.sensitivity,
      series: words.models[model],
      x: state.dK,
      across: 'd_k',
      measured,
    })),
  };
}

/**
 * Describes one quantity against steps, at the chosen learning rate.
 * @param {View} view
 * @param {string} title
 * @param {'loss' | 'gradientNorm' | 'entropyRatio'} column
 * @param {Axis} axis
 * @returns {Panel}
 */
export function coursePanel(view, title, column, axis) {
  const { data, text: words, format } = view;
  const name = say(view, words.stepAxis);
  const models = modelSeries(view, data.course, { x: 'step', y: column }, 1.8);
  return {
    title,
    table: `${title} (${format.axis(name)})`,
    x: {
      ends: [0, data.stepsToDo],
      ticks: [0, 1, 2, 3].map((part) => (part * data.stepsToDo) / 3),
      format: (step) => format.plain(Math.round(step)),
      name,
    },
    y: axis,
    margin: { left: 44 },
    series: column === 'loss' ? [...models, uniform(view)] : models,
  };
}
