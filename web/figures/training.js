// <attn-training>: loss against learning rate for every scale, trained on the reader's device.
//
// The scale of dot-product attention only renames the start and the learning rate of training, so a
// fair comparison sweeps the learning rate. Tasks and models: web/experiments/training.js.

import {
  finalLosses,
  measureTraining,
  train,
  trainingCourse,
  TRAINING_RATES,
  UNIFORM_LOSS,
} from '../experiments/index.js';
import {
  blueSeries,
  bottomAxis,
  dots,
  endLabels,
  greySeries,
  grid,
  handle,
  holds,
  inside,
  leftAxis,
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
import { en, RATE_NAMES, zh } from './training.messages.js';

/**
 * @typedef {import('../experiments/training.js').TrainingModel} Model
 * @typedef {import('./training.messages.js').Task} Task
 * @typedef {import('../experiments/training.js').TrainingRow} TrainingRow
 * @typedef {import('../experiments/training.js').CourseRow} CourseRow
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Scale} Scale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {import('./kit/scale.js').Ends} Ends
 */

/** @type {readonly Model[]} */
const DOT_MODELS = ['none', '1/√d', '1/d'];
/** @type {readonly Model[]} */
const MODELS = [...DOT_MODELS, 'additive'];

/** Before the run: so many steps from one start; fewer while the reader drags. */
const PREVIEW_STEPS = 30;
const DRAGGED_STEPS = 10;
/** Share of the run that the dot products take, about. */
const DOT_SHARE = 0.6;

/** Axes are fixed, by task. @type {Record<Task, { range: Ends, ticks: number[] }>} */
const LOSS_AXIS = {
  average: { range: [4e-4, 3], ticks: [0.001, 0.01, 0.1, 1] },
  retrieve: { range: [0.02, 4], ticks: [0.03, 0.1, 0.3, 1, 3] },
};
const NORM_AXIS = { range: /** @type {Ends} */ ([1e-3, 30]), ticks: [0.001, 0.01, 0.1, 1, 10] };

const fields = {
  dK: numberField({ initial: 64, min: 4, max: 64, step: 4 }),
  task: choiceField({ initial: 'average', options: ['average', 'retrieve'] }),
  rate: choiceField({ initial: '1', options: RATE_NAMES }),
  steps: numberField({ initial: 300, min: 100, max: 3000, step: 100, slider: false }),
  seed: numberField({ initial: 6, min: 0, max: 999_999, slider: false }),
};

/** @param {import('./kit/state.js').State} state */
const settingOf = ({ dK, task, seed }) => ({
  dK: Number(dK),
  task: /** @type {Task} */ (task),
  seed: Number(seed),
});

/**
 * @param {import('./kit/state.js').State} state
 * @param {import('./kit/spec.js').Context<TrainingRow[]>} context
 */
function compute(state, { coarse, memo, result }) {
  const setting = settingOf(state);
  const steps = coarse ? DRAGGED_STEPS : PREVIEW_STEPS;
  const preview = () => train({ ...setting, steps, repetitions: 1 }).rows;
  const trained = result !== undefined && result.length > 0;
  const rows = trained ? result : memo('preview', [setting, steps], preview);
  const place = RATE_NAMES.indexOf(String(state.rate));
  return {
    task: setting.task,
    trained,
    rate: TRAINING_RATES[place],
    rateName: RATE_NAMES[place],
    steps: Math.max(...rows.map(({ step }) => step)),
    stepsToDo: trained ? Number(state.steps) : steps,
    uniform: UNIFORM_LOSS[setting.task],
    final: finalLosses(rows),
    course: trainingCourse(rows, TRAINING_RATES[place]),
  };
}

/**
 * The dot products first, from three starts each; then additive attention, which takes longer, from one.
 * @type {import('./kit/spec.js').Run<TrainingRow[]>}
 */
async function run(state, { signal, onProgress }) {
  const setting = { ...settingOf(state), steps: Number(state.steps), signal };
  const dot = await measureTraining({
    ...setting,
    onProgress: ({ fraction, rows }) => onProgress(DOT_SHARE * fraction, rows),
  });
  if (signal.aborted) return dot;
  const additive = await measureTraining({
    ...setting,
    models: ['additive'],
    repetitions: 1,
    onProgress: ({ fraction, rows }) =>
      onProgress(DOT_SHARE + (1 - DOT_SHARE) * fraction, [...dot, ...rows]),
  });
  return [...dot, ...additive];
}

/** The lowest median loss of a model. @param {Model} model @param {Data} data */
function best(model, { final }) {
  const rows = final.filter((row) => row.model === model);
  const [first] = rows;
  return rows.reduce((low, row) => (row.loss < low.loss ? row : low), first);
}

// ---- panels ---------------------------------------------------------------------------------

/** @param {import('./kit/palette.js').Palette} palette  @returns {Series[]} */
const seriesOf = (palette) => [
  orangeSeries(palette, 'none'),
  blueSeries(palette, '1/√d'),
  greySeries(palette, '1/d'),
  { key: 'additive', colour: palette.ink, textColour: palette.ink, marker: 'diamond' },
];

/** @param {View} view  @returns {Series} */
const uniformSeries = ({ palette }) => ({
  ...{ key: 'uniform', colour: palette.muted, textColour: palette.muted, marker: 'square' },
});

/** @param {Panel} panel  @param {View} view */
function boxOf(panel, { text: words }) {
  const names = MODELS.map((model) => words.short[model]);
  return inside(panel, { left: 44, right: 14 + Math.max(...names.map((name) => textWidth(name))) });
}

/**
 * Attention that stays uniform: its exact loss.
 * @param {{ x: Scale, y: Scale, view: View }} options
 */
function uniformLine({ x, y, view }) {
  const ends = x.domain().map((at) => ({ x: at, y: view.data.uniform }));
  return theoryLine(ends, { x, y, series: uniformSeries(view), width: 1.25 });
}

/** @param {Panel} panel  @param {View} view */
function sweepScales(panel, view) {
  const box = boxOf(panel, view);
  const ends = /** @type {Ends} */ ([TRAINING_RATES[0] / 1.4, TRAINING_RATES[8] * 1.4]);
  const x = scaleLog(ends, [box.left, box.right]);
  const y = clamped(scaleLog(LOSS_AXIS[view.data.task].range, [box.bottom, box.top]));
  return { box, x, y };
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function sweepPanel(panel, view) {
  const { data, text: words, format, palette } = view;
  const { box, x, y } = sweepScales(panel, view);
  const { plain } = format;
  const all = seriesOf(palette).map((series) => {
    const rows = data.final.filter(({ model }) => model === series.key);
    return { series, points: rows.map(({ rate, ...row }) => ({ ...row, x: rate, y: row.loss })) };
  });
  const at = x(data.rate);
  return [
    panelTitle(panel, words.sweepPanel(plain(data.steps)), palette),
    leftAxis(box, y, { ticks: LOSS_AXIS[data.task].ticks, format: plain, palette }),
    bottomAxis(box, x, {
      ...{ ticks: [0.01, 0.1, 1, 10, 100], format: plain, name: words.rateAxis, palette },
    }),
    segment({ x1: at, x2: at, y1: box.top, y2: box.bottom }, palette.muted, { dash: '2 3' }),
    all.map(({ series, points }) => theoryLine(points, { x, y, series, width: 0.75 })),
    all.map(({ series, points }) => dots(points, { x, y, series })),
    uniformLine({ x, y, view }),
    text(box.right - 2, y(data.uniform) + 14, words.uniform, {
      ...{ fill: palette.muted, anchor: 'end', halo: palette.paper, series: 'uniform' },
    }),
    endLabels(
      box,
      all.map(({ series, points }) => ({
        y: points.length > 0 ? y(points[points.length - 1].y) : NaN,
        label: words.short[series.key],
        series,
      })),
    ),
    handle(box),
  ];
}

/**
 * One quantity against steps, at the chosen learning rate.
 * @param {Panel} panel
 * @param {View} view
 * @param {{ title: string, column: 'loss' | 'gradientNorm' | 'entropyRatio', scale: typeof scaleLog,
 *   range: Ends, ticks: number[] }} options
 */
function coursePanel(panel, view, { title, column, scale, range, ticks }) {
  const { data, text: words, format, palette } = view;
  const box = boxOf(panel, view);
  const x = scaleLinear([0, data.stepsToDo], [box.left, box.right]);
  const y = clamped(scale(range, [box.bottom, box.top]));
  const all = seriesOf(palette).map((series) => {
    const rows = data.course.filter(({ model }) => model === series.key);
    return { series, points: rows.map((row) => ({ x: row.step, y: row[column] })) };
  });
  return [
    panelTitle(panel, title, palette),
    leftAxis(box, y, { ticks, format: format.plain, palette }),
    bottomAxis(box, x, {
      ticks: [0, 1, 2, 3].map((part) => (part * data.stepsToDo) / 3),
      format: (step) => format.plain(Math.round(step)),
      name: words.stepAxis(data.rateName),
      palette,
    }),
    column === 'loss' && uniformLine({ x, y, view }),
    all.map(({ series, points }) => theoryLine(points, { x, y, series, width: 0.75 })),
    all.map(({ series, points }) => dots(points, { x, y, series, radius: 1.8 })),
    endLabels(
      box,
      all.map(({ series, points }) => ({
        y: points.length > 0 ? y(points[points.length - 1].y) : NaN,
        label: words.short[series.key],
        series,
      })),
    ),
  ];
}

const aspect = { wide: 0.7, narrow: 3 };

/** @param {number} width */
const layout = (width) => grid({ width, count: 4, columns: 2, aspect });

/** @param {View} view */
function draw(view) {
  const { width, data, text: words, palette } = view;
  const { panels, height } = layout(width);
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    sweepPanel(panels[0], view),
    coursePanel(panels[1], view, {
      ...{ title: words.lossPanel, column: 'loss', scale: scaleLog, ...LOSS_AXIS[data.task] },
    }),
    coursePanel(panels[2], view, {
      ...{ title: words.normPanel, column: 'gradientNorm', scale: scaleLog, ...NORM_AXIS },
    }),
    coursePanel(panels[3], view, {
      ...{ title: words.entropyPanel, column: 'entropyRatio', scale: scaleLinear },
      ...{ range: /** @type {Ends} */ ([0, 1.05]), ticks: [0, 0.5, 1] },
    }),
  );
}

/**
 * A click in the first panel chooses the learning rate.
 * @param {View} view
 * @param {{ x: number, y: number }} point
 */
function pick(view, point) {
  const { box, x } = sweepScales(layout(view.width).panels[0], view);
  if (!holds(box, point)) return undefined;
  const wanted = Math.log(x.invert(point.x));
  const distances = TRAINING_RATES.map((rate) => Math.abs(Math.log(rate) - wanted));
  return { rate: RATE_NAMES[distances.indexOf(Math.min(...distances))] };
}

// ---- words ----------------------------------------------------------------------------------

/** @param {View} view */
function said({ data, format }) {
  const loss = (/** @type {Model} */ model) => format.significant(best(model, data).loss, 2);
  return {
    task: data.task,
    trained: data.trained,
    steps: format.plain(data.steps),
    none: loss('none'),
    scaled: loss('1/√d'),
    uniform: format.significant(data.uniform),
  };
}

/** @param {View} view */
function title(view) {
  const sentence = view.text.title(said(view));
  return sentence[0].toUpperCase() + sentence.slice(1);
}

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout({ data, text: words, format, palette }) {
  const known = seriesOf(palette).filter(({ key }) =>
    data.final.some(({ model }) => model === key),
  );
  return known.map((series) => {
    const lowest = best(/** @type {Model} */ (series.key), data);
    const chosen = data.final.find(({ model, rate }) => model === series.key && rate === data.rate);
    const course = data.course.filter(({ model }) => model === series.key);
    const bestRate = RATE_NAMES[TRAINING_RATES.indexOf(lowest.rate)];
    const write = (/** @type {number} */ value) => format.significant(value, 3);
    return {
      series,
      label: words.models[series.key],
      formula: words.formulas[series.key],
      theoryAs: words.uniformAs,
      errorAs: words.differenceAs,
      rows: [
        {
          quantity: words.bestLoss(bestRate),
          ...{ measured: lowest.loss, theory: data.uniform, format: write },
        },
        {
          quantity: words.lossAt(data.rateName),
          ...{ measured: chosen?.loss ?? NaN, theory: data.uniform, format: write },
        },
        {
          quantity: words.entropyEnd,
          measured: course[course.length - 1]?.entropyRatio ?? NaN,
          theory: 1,
          format: (value) => format.fixed(value, 2),
        },
      ],
    };
  });
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words, format }) {
  const sweep = data.final.map(({ model, rate, loss, low, high }) => ({
    panel: `${words.sweepPanel(format.plain(data.steps))} (x: ${words.fields.rate})`,
    ...{ series: words.models[model], x: rate, measured: loss, low, high, theory: data.uniform },
  }));
  const columns = /** @type {const} */ (['loss', 'gradientNorm', 'entropyRatio']);
  const titles = [words.lossPanel, words.normPanel, words.entropyPanel];
  const course = columns.flatMap((column, index) =>
    data.course.map((row) => ({
      panel: `${titles[index]} (x: ${words.stepAxis(data.rateName)})`,
      ...{ series: words.models[row.model], x: row.step, measured: row[column] },
    })),
  );
  return [...sweep, ...course];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en, TrainingRow[]>} */
export const spec = {
  name: 'training',
  fields,
  visible: ['dK', 'task', 'rate'],
  keeps: ['rate'],
  messages: { en, zh },
  aspect,
  seeded: true,
  compute,
  run,
  draw,
  pick,
  title,
  readout,
  rows,
  status: (view) =>
    view.text.status({ ...said(view), d: view.format.plain(Number(view.state.dK)) }),
  caption: ({ text: words }) => words.caption,
  note: ({ data, text: words, format }) =>
    data.trained ? words.trainedNote[data.task] : words.sampledNote(format.plain(data.steps)),
};

/**
 * Final loss against learning rate for scores times 1, 1/√d, 1/d and for additive attention, trained
 * on the reader's device on two small tasks.
 *
 * @attr {number} d-k - length of queries and keys, hidden size of additive attention, 4 … 64 in steps of 4 (64)
 * @attr {'average' | 'retrieve'} task - average half of the tokens, or retrieve one (average)
 * @attr {'0.01' | '0.03' | '0.1' | '0.3' | '1' | '3' | '10' | '30' | '100'} rate - the learning rate whose course is shown (1)
 * @attr {number} steps - of training, 100 … 3000 in steps of 100 (300)
 * @attr {number} seed - of the first of three starts (6)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnTraining extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnTraining);

/**
 * The figure as self-contained SVG text, after a few steps; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
