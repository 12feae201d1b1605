// <attn-cost>: time and memory of dot-product against additive attention, on the reader's device.
//
// Additive attention: Bahdanau, Cho & Bengio, "Neural machine translation by jointly learning to
// align and translate", 2015. The claim looked at: Vaswani et al., "Attention is all you need",
// 2017, §3.2.1, "dot-product attention is much faster and more space-efficient in practice".

import { costPrediction, measureCost, memoryRows, quickCost } from '../experiments/index.js';
import { costModel, TANH_FLOPS } from '../theory/index.js';
import { en, zh } from './cost.messages.js';
import {
  blueSeries,
  bottomAxis,
  dots,
  endLabels,
  folkSeries,
  greySeries,
  grid,
  inside,
  leftAxis,
  orangeSeries,
  panelTitle,
  picture,
  textWidth,
  theoryLine,
} from './kit/chart.js';
import { FigureElement } from './kit/figure.js';
import { scaleLog } from './kit/scale.js';
import { choiceField, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';

/**
 * @typedef {import('./cost.messages.js').Method} Method
 * @typedef {import('../experiments/cost.js').Tanh} Tanh
 * @typedef {{ method: Method, keys: number, milliseconds: number, fastest?: number, slowest?: number }} Timing
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {import('./kit/scale.js').Ends} Ends
 */

const SIZES = [64, 128, 256, 512, 1024, 2048];
/** @type {readonly Method[]} */
const METHODS = ['dot', 'factored', 'pairwise'];
const MEMORY = /** @type {const} */ (['dot', 'broadcast', 'fused']);

/** "Orders of magnitude" are at least two. */
const FOLK_FACTOR = 100;

/** Axes are fixed: from 10 µs to 100 s, from 10 kB to 10 GB. */
const TIME_RANGE = /** @type {Ends} */ ([1e-2, 1e5]);
const MEMORY_RANGE = /** @type {Ends} */ ([1e4, 1e10]);

/** Where nothing can be timed (a picture made ahead of time): dot product at 35 GFLOP/s. */
const REFERENCE = { rate: 35e6, keys: 512 };

const fields = {
  dK: numberField({ initial: 64, min: 16, max: 256, step: 16 }),
  hiddenSize: numberField({ initial: 64, min: 16, max: 256, step: 16 }),
  tanh: choiceField({ initial: 'vectorised', options: ['vectorised', 'scalar'] }),
};

/** @param {import('./kit/state.js').State} state */
const settingOf = (state) => ({
  dK: Number(state.dK),
  hidden: Number(state.hiddenSize),
  tanh: /** @type {Tanh} */ (state.tanh),
});

/** @typedef {ReturnType<typeof settingOf>} Setting */

/** @param {Method} method  @param {number} keys  @param {Setting} setting  @returns {number} */
const operations = (method, keys, { dK, hidden, tanh }) =>
  costModel({ method, keys, dK, dV: dK, hidden, tanhFlops: TANH_FLOPS[tanh] });

/**
 * Times taken at one setting as they would be at another, by the count of operations.
 * @param {readonly Timing[]} timings
 * @param {Setting} from
 * @param {Setting} to
 * @returns {Timing[]}
 */
const transferred = (timings, from, to) =>
  timings.map(({ method, keys, milliseconds }) => ({
    method,
    keys,
    milliseconds: (milliseconds * operations(method, keys, to)) / operations(method, keys, from),
  }));

/**
 * A first idea of the device's speed; while the reader drags, the last one is carried over.
 * @param {Setting} setting
 * @param {{ coarse: boolean, memo: import('./kit/spec.js').Memo }} context
 * @returns {Timing[]}
 */
function quickSample(setting, { coarse, memo }) {
  const last = memo('last sample', [], () => ({
    setting,
    timings: /** @type {Timing[]} */ ([]),
  }));
  if (coarse && last.timings.length > 0 && last.setting.tanh === setting.tanh) {
    return transferred(last.timings, last.setting, setting);
  }
  last.timings = memo('sample', [setting], () => quickCost(setting));
  last.setting = setting;
  return last.timings;
}

/** @param {Setting} setting  @returns {Timing[]} by the count of operations alone */
const reference = (setting) =>
  METHODS.map((method) => ({
    method,
    keys: REFERENCE.keys,
    milliseconds: operations(method, REFERENCE.keys, setting) / REFERENCE.rate,
  }));

/**
 * @param {import('./kit/state.js').State} state
 * @param {import('./kit/spec.js').Context<Timing[]>} context
 */
function compute(state, context) {
  const setting = settingOf(state);
  const measured = /** @type {Timing[]} */ (context.result ?? []);
  const known = measured.length > 0 ? 'measured' : 'sampled';
  const origin = /** @type {'predicted' | 'measured' | 'sampled'} */ (
    context.still ? 'predicted' : known
  );
  const timings = {
    measured: () => measured,
    sampled: () => quickSample(setting, context),
    predicted: () => reference(setting),
  }[origin]();
  return {
    setting,
    origin,
    timings,
    predictions: costPrediction({ ...setting, sizes: SIZES, calibration: timings }),
    memory: memoryRows({ ...setting, sizes: SIZES }),
  };
}

/**
 * How many times as long as the dot product a method takes, at the largest size known for both.
 * @param {Method} method
 * @param {Data} data
 */
function ratioOf(method, { setting, timings }) {
  const known = timings.filter((row) => row.method === method).sort((a, b) => b.keys - a.keys);
  const dot = timings.filter((row) => row.method === 'dot');
  const both = known.find((row) => dot.some(({ keys }) => keys === row.keys)) ?? known[0];
  if (!both || dot.length === 0) return { measured: NaN, theory: NaN };
  const [{ milliseconds }] = costPrediction({
    ...setting,
    methods: ['dot'],
    sizes: [both.keys],
    calibrationKeys: both.keys,
    calibration: dot,
  });
  const theory = operations(method, both.keys, setting) / operations('dot', both.keys, setting);
  return { measured: both.milliseconds / milliseconds, theory };
}

// ---- the two panels -------------------------------------------------------------------------

/** @param {import('./kit/palette.js').Palette} palette  @returns {Series[]} dot, factored, per pair */
const seriesOf = (palette) => [
  blueSeries(palette, 'dot'),
  orangeSeries(palette, 'factored'),
  greySeries(palette, 'pairwise'),
];

/**
 * The part of a line that lies on the axis.
 * @param {readonly { x: number, y: number }[]} points
 * @param {Ends} range
 */
const within = (points, [low, high]) => points.filter(({ y }) => y >= low && y <= high);

/**
 * Double logarithmic axes against the number of keys, with room for labels at the ends of lines.
 * @param {Panel} panel
 * @param {{ view: View, title: string, range: Ends, names: string[],
 *   format: (value: number) => string }} options
 */
function logPanel(
  panel,
  { view: { text: words, format: numbers, palette }, title, range, names, format },
) {
  const ends = Math.max(...names.map((name) => textWidth(name)));
  const box = inside(panel, { left: 52, right: 14 + ends });
  const x = scaleLog([SIZES[0], SIZES[SIZES.length - 1]], [box.left, box.right]);
  const y = scaleLog(range, [box.bottom, box.top]);
  const decades = Math.round(Math.log10(range[1] / range[0]));
  const ticks = Array.from({ length: decades + 1 }, (_, i) => range[0] * 10 ** i);
  const axes = [
    panelTitle(panel, title, palette),
    leftAxis(box, y, { ticks: ticks.filter((_, i) => i % 2 === 0), format, palette }),
    bottomAxis(box, x, {
      ticks: [64, 256, 1024],
      format: numbers.plain,
      name: words.keysAxis,
      palette,
    }),
  ];
  return { box, x, y, axes };
}

/**
 * A model line, and where its label goes.
 * @param {readonly { x: number, y: number }[]} points
 * @param {{ x: import('./kit/chart.js').Scale, y: import('./kit/chart.js').Scale, range: Ends,
 *   series: Series, label: string, dash?: string }} options
 */
function labelledLine(points, { x, y, range, series, label, dash }) {
  const shown = within(points, range);
  const last = shown[shown.length - 1];
  return {
    line: theoryLine(shown, { x, y, series, dash }),
    end: { y: last ? y(last.y) : NaN, label, series },
  };
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function timePanel(panel, view) {
  const { data, text: words, format, palette } = view;
  const names = [...METHODS.map((method) => words.short[method]), words.folk];
  const range = TIME_RANGE;
  const plot = logPanel(panel, { view, title: words.timePanel, range, names, format: format.time });
  const { box, x, y, axes } = plot;
  const all = seriesOf(palette);
  const predicted = (/** @type {string} */ method) =>
    data.predictions
      .filter((row) => row.method === method)
      .map((row) => ({ x: row.keys, y: row.milliseconds }));
  const lines = all.map((series) =>
    labelledLine(predicted(series.key), {
      ...{ x, y, range, series },
      label: words.short[/** @type {Method} */ (series.key)],
    }),
  );
  const claimed = predicted('dot').map((point) => ({ x: point.x, y: FOLK_FACTOR * point.y }));
  const folk = labelledLine(claimed, {
    ...{ x, y, range, series: folkSeries(palette) },
    label: words.folk,
    dash: '6 4',
  });
  return [
    axes,
    folk.line,
    lines.map(({ line }) => line),
    data.origin !== 'predicted' && all.map((series) => timingDots(series, { x, y, data })),
    endLabels(
      box,
      [...lines, folk].map(({ end }) => end),
    ),
  ];
}

/**
 * @param {Series} series
 * @param {{ x: import('./kit/chart.js').Scale, y: import('./kit/chart.js').Scale, data: Data }} context
 */
function timingDots(series, { x, y, data }) {
  const points = data.timings
    .filter((row) => row.method === series.key && row.keys >= SIZES[0])
    .map(({ keys, milliseconds, fastest, slowest }) => ({
      x: keys,
      y: milliseconds,
      low: fastest,
      high: slowest,
    }));
  return dots(points, { x, y, series });
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function memoryPanel(panel, view) {
  const { data, text: words, format, palette } = view;
  const range = MEMORY_RANGE;
  const names = MEMORY.map((method) => words.memory[method]);
  const plot = logPanel(panel, {
    view,
    title: words.memoryPanel,
    range,
    names,
    format: format.bytes,
  });
  const { box, x, y, axes } = plot;
  const [dot, additive, plain] = seriesOf(palette);
  const looks = { dot, broadcast: additive, fused: plain };
  const lines = MEMORY.map((method) => {
    const rows = data.memory.filter((row) => row.method === method);
    const points = rows.map((row) => ({ x: row.keys, y: row.bytes }));
    const series = { ...looks[method], key: looks[method].key };
    return labelledLine(points, { x, y, range, series, label: words.memory[method] });
  });
  return [
    axes,
    lines.map(({ line }) => line),
    endLabels(
      box,
      lines.map(({ end }) => end),
    ),
  ];
}

// ---- the figure -----------------------------------------------------------------------------

const aspect = { wide: 0.42, narrow: 1.7 };

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const { panels, height } = grid({ width, count: 2, columns: 2, aspect });
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    timePanel(panels[0], view),
    memoryPanel(panels[1], view),
  );
}

/** @param {View} view */
function ratios({ data, format }) {
  const write = (/** @type {Method} */ method) =>
    format.significant(ratioOf(method, data).measured, 2);
  return { factored: write('factored'), pairwise: write('pairwise') };
}

/** @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words } = view;
  if (data.origin === 'predicted') return words.predicted(ratios(view));
  return words.title({
    sampled: data.origin === 'sampled',
    scalar: data.setting.tanh === 'scalar',
    ...ratios(view),
  });
}

/** @param {Method} method  @param {View} view  @returns {import('./kit/spec.js').ReadoutRow} */
function timeRow(method, { data, text: words, format }) {
  const rows = data.timings.filter((row) => row.method === method);
  const largest = rows.reduce((best, row) => (row.keys > best.keys ? row : best), rows[0]);
  const keys = largest?.keys ?? REFERENCE.keys;
  const [model] = costPrediction({
    ...data.setting,
    methods: [method],
    sizes: [keys],
    calibration: data.timings,
  });
  return {
    quantity: words.time(format.plain(keys)),
    measured: largest?.milliseconds ?? NaN,
    theory: model?.milliseconds ?? NaN,
    format: format.time,
  };
}

/** @param {Method} method  @param {View} view  @returns {import('./kit/spec.js').ReadoutRow} */
function ratioRow(method, { data, text: words, format }) {
  const { measured, theory } = ratioOf(method, data);
  return {
    quantity: words.ratio,
    measured,
    theory,
    format: (value) => `${format.significant(value, 2)}×`,
  };
}

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, palette } = view;
  return seriesOf(palette).map((series) => {
    const method = /** @type {Method} */ (series.key);
    const rows = method === 'dot' ? [] : [ratioRow(method, view)];
    return {
      series,
      label: words.methods[method],
      formula: words.formulas[method],
      rows: [...rows, timeRow(method, view)],
      measuredAs: { predicted: words.predictedAs, sampled: words.sampledAs, measured: undefined }[
        data.origin
      ],
      theoryAs: words.operationsAs,
    };
  });
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words }) {
  const timing = data.predictions.map(({ method, keys, milliseconds }) => {
    const known = data.timings.find((row) => row.method === method && row.keys === keys);
    return {
      panel: `${words.timePanel} (ms)`,
      series: words.methods[method],
      x: keys,
      measured: known?.milliseconds,
      low: known?.fastest,
      high: known?.slowest,
      theory: milliseconds,
    };
  });
  const memory = data.memory.map(({ method, keys, bytes }) => ({
    panel: `${words.memoryPanel} (B)`,
    series: words.memory[method],
    x: keys,
    theory: bytes,
  }));
  return [...timing, ...memory];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en, Timing[]>} */
export const spec = {
  name: 'cost',
  fields,
  visible: ['dK', 'hiddenSize', 'tanh'],
  messages: { en, zh },
  aspect,
  compute,
  draw,
  title,
  readout,
  rows,
  run: (state, { signal, onProgress }) =>
    measureCost({
      ...settingOf(state),
      sizes: SIZES,
      signal,
      onProgress: ({ fraction, rows: timings }) => onProgress(fraction, timings),
    }),
  status: (view) =>
    view.text.status({
      sampled: view.data.origin !== 'measured',
      d: view.format.plain(Number(view.state.dK)),
      h: view.format.plain(Number(view.state.hiddenSize)),
      ...ratios(view),
    }),
  caption: ({ text: words }) => words.caption,
  note: ({ data, text: words }) =>
    ({
      predicted: words.predictedNote,
      sampled: words.sampledNote,
      measured: words.measuredNote,
    })[data.origin],
};

/**
 * Time and memory of dot-product against additive attention, measured on the reader's device.
 *
 * @attr {number} d-k - length of queries, keys and values, 16 … 256 in steps of 16 (64)
 * @attr {number} hidden-size - hidden size of additive attention, 16 … 256 in steps of 16 (64)
 * @attr {'vectorised' | 'scalar'} tanh - additive attention by the kernel, or in plain JavaScript (vectorised)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnCost extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnCost);

/**
 * The figure as self-contained SVG text, with predicted times; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
