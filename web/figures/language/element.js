// <attn-language>: a language model in the course of its training. What it was measured to be was recorded
// (web/recording/record.js); its weights and dot products are computed here, from its parameters.

import { loadModels } from '../common/load-models.js';
import {
  dotHistogram,
  headCourse,
  languageCourse,
  VARIANT_OPTIONS,
  variantCourse,
} from '../../experiments/language.js';
import { keysOf, recordOf } from '../../shared/keys.js';
import { startCosts } from '../../experiments/starts.js';
import recordedStarts from '../../language/recorded/starts.js';
import { modelHeads } from '../common/model-heads.js';
import { greyLook, scaleLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { choiceField, numberField, pasteField, textField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { formulas, line, say } from '../kit/state/words.js';
import {
  aspect,
  attentionPanel,
  entropyPanel,
  headOf,
  layout,
  logitPanel,
  lossPanel,
  middle,
  namesOf,
  rolePanel,
  SCALES,
  scoresPanel,
} from './panels.js';
import { shownStep, STEPS } from './steps.js';
import { dimensionPanel, factorPanel, spreadPanel } from './variant-panels.js';
import { messages } from './generated/words.js';

/**
 * @import { LayerAttention } from '../../language/index.js'
 * @import { ScaleName } from '../../experiments/language.js'
 * @import { Reading } from '../common/read-sentence.js'
 * @import { Language } from '../kit/state/language.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Context, Control, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @import { Opened, Trained } from './models.js'
 * @import { CourseRow, Line } from './panels.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

const LONGEST = 160;
const LONGEST_PASTED = 300_000;
/** Half the width of the histogram of dot products, in units of √d_k. */
const REACH = { sqrt: 12, none: 20, linear: 12 };

const fields = {
  step: choiceField({ initial: '1500', options: STEPS.map(String) }),
  scale: choiceField({ initial: 'sqrt', options: SCALES }),
  variant: choiceField({ initial: 'fixed', options: ['fixed', ...keysOf(VARIANT_OPTIONS)] }),
  head: choiceField({ initial: 'ours', options: ['ours', '1.1', '1.2', '2.1', '2.2'] }),
  text: textField({ longest: LONGEST }),
  trainText: pasteField({ longest: LONGEST_PASTED }),
  steps: numberField({ initial: 300, min: 100, max: 1500, step: 100, slider: false }),
};

/**
 * Fetches the curves of a language, the model of a state, and the runs of variants where it shows one.
 * @param {Language} language
 * @param {Pick<State, 'scale' | 'step'> & Partial<State>} [state]
 */
export async function load(language, state = { scale: 'sqrt', step: '1500' }) {
  const { open } = await loadModels('language');
  const which = { language, scale: state.scale, step: shownStep(state) };
  return open(which, variantOf(state) !== undefined);
}

/** Returns the variant that a state shows, if any. @param {Partial<State>} state */
const variantOf = ({ variant }) => (variant === 'fixed' ? undefined : variant);

/**
 * Splits rows into lines: a run, or a head of a run of a variant.
 * @param {readonly (CourseRow & Omit<Line, 'rows'>)[]} rows
 */
function linesOf(rows) {
  /** @type {Map<string, Omit<Line, 'rows'> & { rows: CourseRow[] }>} */
  const lines = new Map();
  for (const row of rows) {
    const { scale, seed, head } = row;
    const key = `${scale} ${seed} ${head}`;
    const line = lines.get(key) ?? { scale, seed, head, rows: [] };
    lines.set(key, line);
    line.rows.push(row);
  }
  return [...lines.values()];
}

/**
 * Returns the weights of each word on those that it sees, from its last token.
 * @param {Reading} reading
 * @param {{ layer: number, head: number }} of
 */
function weightsOf({ words, layers }, { layer, head }) {
  const { data, shape } = layers[layer].weights;
  const n = shape[3];
  return words.map((word, i) => {
    const start = (head * n + word.last) * n;
    return words
      .slice(0, i + 1)
      .map(({ first, last }) =>
        data.subarray(start + first, start + last + 1).reduce((sum, weight) => sum + weight, 0),
      );
  });
}

/** Computes the data of a state. @param {State} state @param {Context<Trained, Opened>} context */
function* compute(state, { still, language, memo, result, loaded }) {
  const { scale } = state;
  const shown = shownStep(state);
  const which = { language, scale, step: shown };
  const { curves: recorded, variants } = loaded;
  const model = yield* memo('model', which, () => loaded.modelOf(which));
  const text = state.text || messages[language].hints.text;
  const name = state.head === 'ours' ? modelHeads(language).text : state.head;
  const [layer, head] = name.split('.').map((each) => Number(each) - 1);
  const reading = yield* memo('reading', [which, text], () => loaded.readSentence(model, text));
  /** @type {LayerAttention[]} */
  const layers = [];
  let fastest = Infinity;
  for (let i = 0; i < recorded.heldOut.length; i++) {
    const read = yield* memo(`text ${i}`, which, () => loaded.readHeldOut(model, i));
    layers.push(read.layers[layer]);
    fastest = Math.min(fastest, read.milliseconds);
  }
  const reach = REACH[scale] * Math.round(Math.sqrt(recorded.config.dKey));
  const histogram = yield* memo('histogram', [which, name], () =>
    dotHistogram(layers, { head, scale: model.config.scale, reach }),
  );
  const role = modelHeads(language).role;
  const ofVariant = variantOf(state);
  const variant = ofVariant && variants && variantCourse(variants, ofVariant);
  const course = variant ?? languageCourse(recorded, role);
  const lines = linesOf(course);
  const scales = SCALES.filter((each) => lines.some((line) => line.scale === each));
  const start = scales.includes(scale) ? scale : scales[0];
  return {
    words: reading.words.map((word) => word.text),
    weights: weightsOf(reading, { layer, head }),
    isCut: reading.isCut,
    histogram,
    reach,
    head: name,
    shown,
    last: recorded.training.steps,
    variant,
    dKey: (variant && variants ? variants : recorded).config.dKey,
    scales,
    lines,
    runs: new Set(course.map((row) => `${row.scale} ${row.seed}`)).size,
    losses: course.map((row) => ({ scale: row.scale, step: row.step, loss: row.loss })),
    start,
    headCourse: headCourse(recorded, { scale, layer, head, role }),
    variantHead: variant?.filter(
      (row) => row.scale === start && row.seed === 1 && row.head === name,
    ),
    parameters: loaded.sizeOf(model),
    trainingTime: still ? undefined : loaded.trainingTime(state.steps, fastest),
    trained: result?.language === language ? result : undefined,
  };
}

/**
 * Trains two models on the reader's device, and shows how far they are.
 * @param {State} state
 * @param {Control<Trained>} control
 */
async function run(state, control) {
  const { trainText, steps } = state;
  const { language } = control;
  const { train } = await loadModels('language');
  const pasted = trainText.trim();
  const hint = messages[language].hints.text;
  return train({ language, pasted, hint, steps, variant: variantOf(state) }, control);
}

/**
 * Returns the losses of a scale after the step that the reader has chosen.
 * @param {View} view
 * @param {ScaleName} scale
 */
const lossesOf = ({ data, state }, scale) =>
  data.losses
    .filter((row) => row.scale === scale && row.step === Number(state.step))
    .map(({ loss }) => loss);

/**
 * Returns how far a model is that is trained here.
 * @param {Trained | undefined} trained
 * @param {string} scale
 */
const lastOf = (trained, scale) => trained?.rows.filter((row) => row.scale === scale).pop();

/** Returns what a model has written last. @param {View} view  @param {'sqrt' | 'none'} scale */
function written(view, scale) {
  const { data, text: words } = view;
  const last = data.trained?.texts[scale];
  if (!last) return '';
  const text = last.text.replace(/[\s_]+/g, ' ').replaceAll('\uFFFD', '□');
  return say(view, words.written, { step: last.step, scale: words.scaleLabel[scale], text });
}

/** Returns how much of the text that the reader brought the models did not read. @param {View} view */
function lost({ data, text: words, format }) {
  const { lost: share = 0 } = data.trained ?? {};
  return share > 0 && words.lost.replace('{share}', format.percent(share));
}

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, state, text: words, format } = view;
  const [own, other] = ['sqrt', 'none'].map((scale) => lastOf(data.trained, scale));
  if (own && other) {
    return say(view, words.trainedTitle, {
      step: Math.min(own.step, other.step),
      scaled: format.fixed(own.loss, 2),
      none: format.fixed(other.loss, 2),
    });
  }
  if (state.variant !== 'fixed') {
    const losses = recordOf(SCALES, (scale) => format.fixed(middle(lossesOf(view, scale)), 2));
    return say(view, words.variantTitle[state.variant], { step: Number(state.step), ...losses });
  }
  const { deviation, expected, dKey } = data.histogram;
  const lag = middle(lossesOf(view, 'none')) - middle(lossesOf(view, 'sqrt'));
  return say(view, data.shown === 0 ? words.start : words.title, {
    step: format.count(data.shown),
    head: headOf(view),
    deviation: format.significant(deviation, 3),
    root: format.significant(Math.sqrt(dKey), 3),
    ratio: format.fixed(deviation / expected, 1),
    lag: format.fixed(lag, 2),
  });
}

/**
 * Returns the numbers of the chosen head.
 * @param {View} view
 * @param {Record<'three' | 'hundredth', (value: number) => string>} format
 */
function headLines({ data, state, text: words }, { three, hundredth }) {
  const { histogram, headCourse: own, variantHead, shown } = data;
  const ofVariant = variantHead?.find(({ step }) => step === Number(state.step));
  if (ofVariant) {
    return [
      line(words.predicted, three, ofVariant.measured, ofVariant.predicted),
      line(words.dimension, three, ofVariant.effectiveDimension, data.dKey),
      line(words.factorPanel, three, ofVariant.factor),
      line(words.headEntropy, hundredth, ofVariant.entropyRatio),
      line(words.headLogit, three, ofVariant.largestScore),
    ];
  }
  const now = own.filter(({ step }) => step === shown)[0];
  return [
    line(words.independent, three, histogram.deviation, histogram.expected),
    line(words.root, three, histogram.deviation, Math.sqrt(histogram.dKey)),
    line(words.headEntropy, hundredth, now.entropyRatio),
    line(words.headLogit, three, now.largestScore),
    line(words.headRole, hundredth, now.role),
  ];
}

/**
 * Returns what leaving 1/√d_k out costs by start, the median of the seeds.
 * @param {View} view
 * @param {(value: number) => string} format
 * @returns {ReadoutGroup}
 */
function startGroup({ text: words, palette }, format) {
  const costs = startCosts(/** @type {any} */ (recordedStarts));
  const rows = [...new Set(costs.map(({ start }) => start))].map((start) => {
    const own = costs.filter((row) => row.start === start).map(({ cost }) => cost);
    return line(words.options[start], format, middle(own));
  });
  return { series: greyLook(palette, 'starts'), label: words.startCosts, formula: '', rows };
}

/** Returns the numbers of the head, what the start costs, and the losses with each scale. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, state, text: words, format, palette } = view;
  const three = (/** @type {number} */ value) => format.significant(value, 3);
  const hundredth = (/** @type {number} */ value) => format.fixed(value, 2);
  const labels = data.variant ? words.startLabel : words.scaleLabel;
  const step = data.variant ? state.step : data.shown;
  return [
    {
      series: { ...scaleLook(palette, data.start), key: 'head' },
      label: say(view, words.headLabel, { head: headOf(view), step }),
      formula: 'q·k',
      theoryAs: words.startAs,
      errorAs: words.differenceAs,
      rows: headLines(view, { three, hundredth }),
    },
    ...data.scales.map((scale) => {
      const losses = lossesOf(view, scale);
      return {
        series: scaleLook(palette, scale),
        label: labels[scale],
        formula: formulas[scale],
        rows: [
          line(words.middle, hundredth, middle(losses)),
          line(words.least, hundredth, Math.min(...losses)),
          line(words.most, hundredth, Math.max(...losses)),
        ],
      };
    }),
    ...(data.variant ? [] : [startGroup(view, hundredth)]),
  ];
}

/** Returns the remarks under the numbers. @param {View} view */
function note(view) {
  const { data, state, text: words, format } = view;
  const ofModel = [
    say(view, words.note, { head: headOf(view) }),
    data.shown !== Number(state.step) && say(view, words.kept, { shown: data.shown }),
    data.isCut && words.cut,
  ];
  const ofVariant = say(view, words.variantNote, {
    head: headOf(view),
    start: namesOf(view)[data.start],
  });
  const time = data.trainingTime && format.time(data.trainingTime);
  return [
    ...(data.variant ? [ofVariant] : ofModel),
    time && say(view, words.trainingTime, { time }),
    written(view, 'sqrt'),
    written(view, 'none'),
    lost(view),
    data.trained && words.othersRecorded,
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Chooses between the panel of a model and that of a variant, whose parameters were not kept.
 * @param {(view: View) => Panel} ofModel
 * @param {(view: View) => Panel} ofVariant
 */
const unlessVariant = (ofModel, ofVariant) => (/** @type {View} */ view) =>
  view.data.variant ? ofVariant(view) : ofModel(view);

/** @type {FigureSpec<Data, typeof messages.en, State, Trained, Opened>} */
export const spec = {
  name: 'language',
  room: { wide: 670, narrow: 680 },
  fields,
  visible: ['step', 'scale', 'variant'],
  messages,
  load,
  compute,
  run,
  keeps: ['step', 'scale', 'head', 'text'],
  ...panelled({
    title,
    panels: {
      attention: unlessVariant(attentionPanel, factorPanel),
      scores: unlessVariant(scoresPanel, spreadPanel),
      loss: lossPanel,
      role: unlessVariant(rolePanel, dimensionPanel),
      entropy: entropyPanel,
      'largest-score': logitPanel,
    },
    main: 'loss',
    aspect,
    layout,
  }),
  caption: (view) =>
    say(view, view.data?.variant ? view.text.variantCaption : view.text.caption, {
      runs: view.data?.runs ?? '…',
      parameters: view.data ? view.format.count(view.data.parameters) : '…',
    }),
  readout,
  note,
};

/** A small language model in the course of its training: the attention of a head, its q·k, and the loss with and without the scale. */
export class AttnLanguage extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnLanguage);

/** Returns the figure as self-contained SVG text; needs no document, but its model: `loaded: await load('en')`. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
