// <attn-cost>: time and memory of dot-product against additive attention, on the reader's device.
//
// Additive attention: Bahdanau, Cho & Bengio, "Neural machine translation by jointly learning to
// align and translate", 2015. The claim looked at: Vaswani et al., "Attention is all you need",
// 2017, §3.2.1, "dot-product attention is much faster and more space-efficient in practice".

import { costPrediction, memoryRows } from '../../experiments/cost-lines.js';
import { measureCost, quickSample } from '../../experiments/cost.js';
import { flopOf, METHODS, SIZES } from '../../experiments/cost-methods.js';
import { partsOf } from '../../shared/slices.js';
import { TANH_FLOPS } from '../../theory/cost.js';
import { PAIR_FROM } from '../kit/chart/chart.js';
import { points } from '../kit/chart/series.js';
import { blueLook, folkLook, greyLook, orangeLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { choiceField, numberField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './generated/words.js';

/**
 * @import { MemoryRow } from '../../experiments/cost-lines.js'
 * @import { CostRow } from '../../experiments/cost.js'
 * @import { Method } from '../../experiments/cost-methods.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Ends } from '../kit/chart/mapping.js'
 * @import { Steps } from '../../shared/slices.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {{ method: Method, keys: number, milliseconds: number } & Partial<CostRow>} Timing of the
 *   fastest of several samples, since other work on the device can only slow them down
 * @typedef {'predicted' | 'sampled' | 'measured'} Origin  of the times
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** @type {readonly MemoryRow['method'][]} */
const MEMORY = ['dot', 'broadcast', 'fused'];

/** "Orders of magnitude" are at least two. */
const FOLK_FACTOR = 100;

/** A device counts as busy where the slowest sample of a call takes this many times as long as the fastest. */
const BUSY = 1.5;

/** Axes are fixed: from 10 µs to 100 s, from 10 kB to 10 GB. */
/** @type {Ends} */
const TIME_RANGE = [1e-2, 1e5];
/** @type {Ends} */
const MEMORY_RANGE = [1e4, 1e10];

/** The speed of a picture made ahead of time, which measures none: a dot product at 35 GFLOP/s. */
const REFERENCE = { rate: 35e6, keys: 512 };

const fields = {
  dK: numberField({ initial: 64, min: 16, max: 256, step: 16 }),
  hiddenSize: numberField({ initial: 64, min: 16, max: 256, step: 16 }),
  tanh: choiceField({ initial: 'vectorised', options: ['vectorised', 'scalar'] }),
};

/** Returns the options of the experiment. @param {State} state */
const settingOf = ({ dK, hiddenSize: hidden, tanh }) => ({ dK, hidden, tanh });

/** @typedef {ReturnType<typeof settingOf>} Setting */

/**
 * Converts times of one setting to another, by the count of operations.
 * @param {readonly Timing[]} timings
 * @param {Setting} from
 * @param {Setting} to
 * @returns {Timing[]}
 */
const transferred = (timings, from, to) =>
  timings.map(({ method, keys, milliseconds }) => ({
    method,
    keys,
    milliseconds: (milliseconds * flopOf(method, keys, to)) / flopOf(method, keys, from),
  }));

/**
 * Measures a first estimate of the device's speed; while the reader drags, converts the last one.
 * @param {Setting} setting
 * @param {Context<CostRow[]>} context
 * @returns {Steps<Timing[]>}
 */
function* sampled(setting, { coarse, memo }) {
  /** @type {{ setting: Setting, timings: Timing[] }} */
  const last = yield* memo('last sample', [], () => ({ setting, timings: [] }));
  if (coarse && last.timings.length > 0 && last.setting.tanh === setting.tanh) {
    return transferred(last.timings, last.setting, setting);
  }
  last.timings = yield* partsOf(yield* memo('sample', [setting], () => quickSample(setting)));
  last.setting = setting;
  return last.timings;
}

/** @param {Setting} setting  @returns {Timing[]} by the count of operations alone */
const reference = (setting) =>
  METHODS.map((method) => ({
    method,
    keys: REFERENCE.keys,
    milliseconds: flopOf(method, REFERENCE.keys, setting) / REFERENCE.rate,
  }));

/** Computes the data of a state. @param {State} state @param {Context<CostRow[]>} context */
function* compute(state, context) {
  const setting = settingOf(state);
  const measured = (context.result ?? []).map((row) => ({ ...row, milliseconds: row.fastest }));
  // After the smallest size there is a row of every method that is fast enough.
  const known = measured.some(({ keys }) => keys > SIZES[0]) ? 'measured' : 'sampled';
  /** @type {Origin} */
  const origin = context.still ? 'predicted' : known;
  const sample = context.still ? reference(setting) : yield* sampled(setting, context);
  const missing = sample.filter(({ method }) => measured.every((row) => row.method !== method));
  const timings = origin === 'measured' ? [...measured, ...missing] : sample;
  return {
    setting,
    origin,
    timings,
    predictions: costPrediction({ ...setting, calibration: timings }),
    memory: memoryRows({ dK: setting.dK, hidden: setting.hidden }),
  };
}

/** Returns the times of one method, the largest size first. @param {Method} method @param {Data} data */
const timingsOf = (method, { timings }) =>
  timings.filter((row) => row.method === method).sort((a, b) => b.keys - a.keys);

/**
 * Returns the time of a method relative to that of the dot product, at the largest size known for
 * both, or else for the dot product: the median of the rounds of a run with its range, before that of single times.
 * @param {Method} method
 * @param {Data} data
 */
function ratioOf(method, data) {
  const { setting, timings: calibration } = data;
  const dot = timingsOf('dot', data);
  const row = timingsOf(method, data).find((own) => dot.some(({ keys }) => keys === own.keys));
  const { keys } = row ?? dot[0];
  const at = { ...setting, sizes: [keys], calibrationKeys: keys, calibration };
  const [own, others] = costPrediction({ ...at, methods: [method, 'dot'] });
  const {
    ratio = own.milliseconds / others.milliseconds,
    ratioLow: low,
    ratioHigh: high,
  } = row ?? {};
  const theory = flopOf(method, keys, setting) / flopOf('dot', keys, setting);
  return { keys, measured: ratio, low, high, theory };
}

/** Returns the slowest sample of any call as a multiple of the fastest. @param {Data} data */
const spreadOf = ({ timings }) =>
  Math.max(...timings.map(({ milliseconds, slowest = milliseconds }) => slowest / milliseconds));

/** Returns the ratios of both forms of additive attention. @param {Data} data */
const ratiosOf = (data) => [ratioOf('factored', data), ratioOf('pairwise', data)];

/**
 * Returns whether times do not say which is faster: the device was busy, the range of a ratio holds 1, or a single
 * quick sample has it the wrong way round.
 * @param {Data} data
 */
const isUnsure = (data) =>
  spreadOf(data) > BUSY ||
  ratiosOf(data).some(({ measured, low = measured, high = 1 }) => low < 1 && high >= 1);

/** Returns the note: after a run the range of each ratio, and whether the device was busy. @param {View} view */
function note(view) {
  const { data, text: words, format } = view;
  if (data.origin !== 'measured') {
    return data.origin === 'sampled' && isUnsure(data) ? words.unsure + words.note : words.note;
  }
  const [factored, pairwise] = /** @type {const} */ (['factored', 'pairwise']).map((method) => {
    const { low = NaN, high = NaN } = ratioOf(method, data);
    return Number.isNaN(low) ? '–' : `${format.significant(low, 2)}–${format.significant(high, 2)}`;
  });
  const spread = spreadOf(data);
  const unsure = isUnsure(data) ? words.unsure : '';
  const busy =
    spread > BUSY ? say(view, words.busy, { spread: format.significant(spread, 2) }) : '';
  return busy + unsure + say(view, words.measuredNote, { factored, pairwise });
}

// ---- the two panels -------------------------------------------------------------------------

/**
 * Returns the looks of the series.
 * @param {Palette} palette
 * @returns {Look<Method>[]} dot, factored, per pair
 */
const seriesOf = (palette) => [
  blueLook(palette, 'dot'),
  orangeLook(palette, 'factored'),
  greyLook(palette, 'pairwise'),
];

/**
 * Describes lines against the number of keys, both axes logarithmic, each up to the edge of the panel.
 * @param {View} view
 * @param {{ title: string, unit: string, range: Ends, format: (value: number) => string, series: Series[] }} options
 * @returns {Panel}
 */
function logPanel({ text: words }, { title, unit, range, format, series }) {
  const [low, high] = range;
  const ticks = [];
  for (let tick = low; tick < 2 * high; tick *= 100) ticks.push(tick);
  return {
    title,
    table: `${title} (${unit})`,
    x: {
      mapping: logarithmic,
      ends: [SIZES[0], SIZES[SIZES.length - 1]],
      ticks: [64, 256, 1024],
      name: words.keysAxis,
    },
    y: { mapping: logarithmic, ends: range, ticks, format },
    margin: { left: 52 },
    series: series.map((each) => ({ ...each, cut: true })),
  };
}

/** Describes the panel of times. @param {View} view  @returns {Panel} */
function timePanel(view) {
  const { data, text: words, format, palette } = view;
  const predicted = (/** @type {Method} */ method) =>
    data.predictions.filter((row) => row.method === method);
  /** The time at each size, as far as it is known. @param {Method} method */
  const timed = (method) =>
    predicted(method).map(({ keys }) => {
      const known = data.timings.find((row) => row.method === method && row.keys === keys);
      const { milliseconds: y = NaN, slowest: high } = known ?? {};
      return { x: keys, y, low: high && y, high };
    });
  return logPanel(view, {
    title: words.timePanel,
    unit: 'ms',
    range: TIME_RANGE,
    format: format.time,
    series: [
      {
        look: folkLook(palette),
        label: words.folk,
        theory: points(predicted('dot'), {
          x: 'keys',
          y: ({ milliseconds }) => FOLK_FACTOR * milliseconds,
        }),
      },
      ...seriesOf(palette).map((look) => ({
        look,
        label: words.short[look.key],
        name: words.methods[look.key],
        measured: data.origin === 'predicted' ? undefined : timed(look.key),
        theory: points(predicted(look.key), { x: 'keys', y: 'milliseconds' }),
      })),
    ],
  });
}

/** Describes the panel of memory. @param {View} view  @returns {Panel} */
function memoryPanel(view) {
  const { data, text: words, format, palette } = view;
  return logPanel(view, {
    title: words.memoryPanel,
    unit: 'B',
    range: MEMORY_RANGE,
    format: format.bytes,
    series: seriesOf(palette).map((look, index) => ({
      look,
      label: words.memory[MEMORY[index]],
      theory: points(
        data.memory.filter(({ method }) => method === MEMORY[index]),
        { x: 'keys', y: 'bytes' },
      ),
    })),
  });
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  const ratios = ratiosOf(data);
  const origin = isUnsure(data) ? 'predicted' : data.origin;
  const [factored, pairwise] = ratios.map(({ measured, theory }) =>
    format.significant(origin === 'predicted' ? theory : measured, 2),
  );
  const [at, at2] = ratios.map(({ keys }) => say(view, words.at, { keys }));
  return say(view, words.title, {
    origin: words.origins[origin],
    scalar: data.setting.tanh === 'scalar' ? words.scalar : '',
    factored,
    pairwise,
    at: at === at2 ? '' : at,
    at2,
  });
}

/** Returns the line of a time in the read-out. @param {Method} method  @param {View} view */
function timeLine(method, view) {
  const { data, text: words, format } = view;
  const [{ keys, milliseconds }, ...calibration] = timingsOf(method, data);
  // Lines go through the other points, since a line through this one could not be tested by it.
  const [model] = costPrediction({
    ...data.setting,
    methods: [method],
    sizes: [keys],
    calibration,
  });
  return line(say(view, words.time, { keys }), format.time, milliseconds, model?.milliseconds);
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette } = view;
  const times = (/** @type {number} */ value) => `${format.significant(value, 2)}×`;
  return seriesOf(palette).map((series) => {
    const method = series.key;
    const { measured, theory } = ratioOf(method, data);
    const ratio = method === 'dot' ? [] : [line(words.ratio, times, measured, theory)];
    return {
      series,
      label: words.methods[method],
      formula: words.formulas[method],
      rows: [...ratio, timeLine(method, view)],
      measuredAs: words.measuredAs[data.origin],
      theoryAs: words.theoryAs,
    };
  });
}

/** @type {FigureSpec<Data, typeof messages.en, State, CostRow[]>} */
export const spec = {
  name: 'cost',
  room: { wide: 400, narrow: 600 },
  fields,
  visible: ['dK', 'hiddenSize', 'tanh'],
  messages,
  compute,
  ...panelled({
    title,
    panels: { time: timePanel, memory: memoryPanel },
    aspect: { wide: 0.42, narrow: 1.7, below: PAIR_FROM },
  }),
  readout,
  run: (state, { signal, onProgress }) => measureCost({ ...settingOf(state), signal, onProgress }),
  note,
  caption: (view) => say(view, view.text.caption, { tau: TANH_FLOPS[view.state.tanh] }),
};

/** Time and memory of dot-product against additive attention, measured on the reader's device. */
export class AttnCost extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnCost);

/** Returns the figure as self-contained SVG text, with predicted times; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
