// <attn-training>: loss against learning rate for every scale, trained on the reader's device.
//
// The scale of dot-product attention only renames the start and the learning rate of training, so a
// fair comparison sweeps the learning rate. Tasks and models: web/experiments/training.js.

import { UNIFORM_LOSS } from '../../experiments/training-runs.js';
import {
  finalLosses,
  learningRateSensitivity,
  measureTraining,
  trainingCourse,
  TRAINING_RATES,
  trainingSweep,
} from '../../experiments/training.js';
import { inWorker } from '../../experiments/in-worker.js';
import { mean } from '../../experiments/statistics.js';
import { partsOf } from '../../shared/slices.js';
import { PAIR_FROM } from '../kit/chart/chart.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { choiceField, isInterpreted, numberField, seedField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './generated/words.js';
import {
  coursePanel,
  ENTROPY_AXIS,
  lossAxis,
  NORM_AXIS,
  RATE_NAMES,
  seriesOf,
  sweepPanel,
} from './panels.js';

/**
 * @import { TrainingModel as Model, TrainingOptions as Options, TrainingRow } from '../../experiments/training.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, Control, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** The number of steps, from one start, before the run; fewer while the reader drags. */
const PREVIEW_STEPS = isInterpreted ? 10 : 120;
const DRAGGED_STEPS = 10;
/** The largest d_k at which a small learning rate serves in place of the scale. */
const EASY_D = 16;
/** The dot products that are compared. @type {Record<string, Model[]>} */
const MODELS = {
  classic: ['none', '1/√d', '1/d'],
  today: ['1/√d', 'norm', 'softcap', 'clip'],
};
/** @type {Record<string, string>} */
const FORMULAS = {
  none: 'c = 1',
  '1/√d': 'c = 1/√d_k',
  '1/d': 'c = 1/d_k',
  norm: 'g·cos(q, k)',
  softcap: '50·tanh(s/50)',
  clip: 's ≤ 100',
  additive: 'v·tanh(W₁q + W₂k)',
};
/** @type {Model[]} */
const ADDITIVE = ['additive'];

const fields = {
  dK: numberField({ initial: 64, min: 4, max: 64, step: 4 }),
  task: choiceField({ initial: 'average', options: ['average', 'retrieve'] }),
  rate: choiceField({ initial: '1', options: RATE_NAMES }),
  scales: choiceField({ initial: 'classic', options: Object.keys(MODELS) }),
  steps: numberField({ initial: 300, min: 100, max: 3000, step: 100, slider: false }),
  seed: seedField(6),
};

/** Computes the data of a state. @param {State} state @param {Context<TrainingRow[]>} context */
function* compute({ dK, task, seed, rate, scales, steps: all }, { coarse, memo, result }) {
  const setting = { dK, task, seed };
  const steps = coarse ? DRAGGED_STEPS : PREVIEW_STEPS;
  const shown = TRAINING_RATES[RATE_NAMES.indexOf(rate)];
  /** @param {string} name  @param {Partial<Options>} options */
  const preview = function* (name, options) {
    const sweep = () => trainingSweep({ ...setting, ...options, steps, repetitions: 1 });
    return yield* partsOf(yield* memo(name, [setting, options, steps], sweep));
  };
  const trained = result !== undefined && result.length > 0;
  const models = MODELS[scales];
  /** @type {TrainingRow[]} */
  const rows = trained ? result : [...(yield* preview('dot', { models }))];
  // Additive attention takes longer, so it is trained at the shown rate alone.
  if (!trained && scales === 'classic') {
    rows.push(...(yield* preview('additive', { models: ADDITIVE, rates: [shown] })));
  }
  const final = finalLosses(rows);
  const dot = final.filter(({ model }) => model !== 'additive');
  const taken = Math.max(...dot.map((row) => row.steps));
  return {
    task: setting.task,
    trained,
    rate: shown,
    steps: taken,
    stepsToDo: trained ? all : steps,
    uniform: UNIFORM_LOSS[setting.task],
    /** Leaves additive attention out as long as it has not taken as many steps. */
    final: final.filter((row) => row.steps === taken),
    course: trainingCourse(rows, shown),
    sensitivity: learningRateSensitivity(
      rows.filter(({ model }) => model !== 'additive'),
      dot,
    ),
  };
}

/**
 * Trains the dot products, from three starts each, and beside the classic ones additive attention, which
 * takes longer, from one.
 * @param {State} state
 * @param {Control<TrainingRow[]>} control
 */
async function run({ dK, task, seed, steps, scales }, { signal, onProgress }) {
  const setting = { dK, task, seed, steps, models: MODELS[scales] };
  const additive = { ...setting, models: ADDITIVE, repetitions: 1 };
  const jobs = scales === 'classic' ? [setting, additive] : [setting];
  /** @type {TrainingRow[][]} */
  const rows = jobs.map(() => []);
  const fractions = jobs.map(() => 0);
  const train = async (/** @type {typeof setting} */ job, /** @type {number} */ index) => {
    const note = (/** @type {{ fraction: number, rows: TrainingRow[] }} */ progress) => {
      rows[index] = progress.rows;
      fractions[index] = progress.fraction;
      onProgress({ fraction: mean(fractions), rows: rows[0].length ? rows.flat() : [] });
    };
    /** @type {TrainingRow[]} */
    const all = await inWorker('training', measureTraining, job, { signal, onProgress: note });
    rows[index] = all;
  };
  await Promise.all(jobs.map(train));
  return rows.flat();
}

/**
 * Returns the lowest median loss of a model, where it was trained.
 * @param {string} model
 * @param {Data} data
 */
const best = (model, { final }) =>
  final.filter((row) => row.model === model).sort((a, b) => a.loss - b.loss || 0)[0];

/**
 * Returns how much the loss of a model depends on the learning rate, where it was trained at all of them.
 * @param {string} model
 * @param {Data} data
 */
const sensitivity = (model, data) =>
  data.sensitivity.find((row) => row.model === model)?.sensitivity ?? NaN;

// ---- words ----------------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  const loss = (/** @type {Model} */ model) => format.significant(best(model, data).loss, 2);
  const spread = (/** @type {string} */ model) => format.significant(sensitivity(model, data), 2);
  const values = { task: words.tasks[data.task], steps: data.steps };
  const sentence =
    view.state.scales === 'classic'
      ? say(view, words.title, { ...values, none: loss('none'), scaled: loss('1/√d') })
      : say(view, words.todayTitle, { ...values, norm: spread('norm'), scaled: spread('1/√d') });
  return data.trained ? sentence[0].toUpperCase() + sentence.slice(1) : words.preview + sentence;
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format } = view;
  const { final, course, rate, uniform } = data;
  // Includes those that the run has not reached yet, so that nothing moves when it does.
  return seriesOf(view).map((series) => {
    const own = (/** @type {{ model: string }} */ { model }) => model === series.key;
    const lowest = best(series.key, data);
    const bestRate = RATE_NAMES[TRAINING_RATES.indexOf(lowest?.rate)] ?? '–';
    const chosen = final.find((row) => own(row) && row.rate === rate);
    const last = chosen && course.filter(own).pop();
    return {
      series,
      label: words.models[series.key],
      formula: FORMULAS[series.key],
      theoryAs: words.uniformAs,
      errorAs: words.differenceAs,
      rows: [
        line(
          say(view, words.bestLoss, { rate: bestRate }),
          format.significant,
          lowest?.loss ?? NaN,
          uniform,
        ),
        line(say(view, words.lossAt), format.significant, chosen?.loss ?? NaN, uniform),
        line(
          words.entropyRatio,
          (value) => format.significant(value, 2),
          last?.entropyRatio ?? NaN,
          1,
        ),
        // Additive attention is trained at one rate in a short run.
        ...(series.key === 'additive'
          ? []
          : [line(words.sensitivity, format.significant, sensitivity(series.key, data))]),
      ],
    };
  });
}

/** @type {FigureSpec<Data, typeof messages.en, State, TrainingRow[]>} */
export const spec = {
  name: 'training',
  room: { wide: 690, narrow: 850 },
  fields,
  visible: ['dK', 'task', 'rate'],
  keeps: ['rate'],
  messages,
  compute,
  run,
  ...panelled({
    title,
    panels: {
      'learning-rate': sweepPanel,
      loss: (/** @type {View} */ view) =>
        coursePanel(view, view.text.lossPanel, 'loss', lossAxis(view)),
      'gradient-norm': (/** @type {View} */ view) =>
        coursePanel(view, view.text.normPanel, 'gradientNorm', NORM_AXIS),
      entropy: (/** @type {View} */ view) =>
        coursePanel(view, view.text.entropyPanel, 'entropyRatio', ENTROPY_AXIS),
    },
    aspect: { wide: 0.7, narrow: 0.95, below: PAIR_FROM },
    oneAtATime: true,
  }),
  readout,
  note: ({ state, data, text: words }) => {
    if (state.scales === 'today') return words.todayNote;
    if (!data.trained) return words.sampledNote;
    if (data.task === 'retrieve') return words.retrieveNote;
    return (state.dK > EASY_D ? words.averageNote : '') + words.easyNote;
  },
};

/** Final loss against learning rate for scores times 1, 1/√d, 1/d, for additive attention and for today's scales, trained on the reader's device on two small tasks. */
export class AttnTraining extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnTraining);

/** Returns the figure as self-contained SVG text, after a few steps; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
