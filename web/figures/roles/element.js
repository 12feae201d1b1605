// <attn-roles>: a head that learns which noun an adjective describes, trained on the reader's device, with
// the scores scaled by 1/√d_k, not at all, and by 1/d_k.

import { ROLES_SCALES } from '../../experiments/roles.js';
import { rolesLanguage } from '../../experiments/roles-language.js';
import { quantiles } from '../../experiments/statistics.js';
import { modelsOf } from '../../shared/languages.js';
import { loadModels } from '../common/load-models.js';
import { startField } from '../common/starts.js';
import { scaleLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import {
  choiceField,
  initialState,
  isInterpreted,
  numberField,
  seedField,
} from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';
import { adjectivePanel, mapPanel, rightPanel, sentencePanel } from './panels.js';
import { counterpart, lead, sentenceFields, sentenceIn, sentenceStyles } from './sentence.js';
import { messages } from './generated/words.js';
import { MEDIANS } from './recorded.js';

/**
 * @import { RolesRow, RolesScale } from '../../experiments/roles.js'
 * @import { AdjectiveRow } from '../../experiments/roles-looks.js'
 * @import { Model } from '../../language/index.js'
 * @import { Language } from '../kit/state/language.js'
 * @import { Context, Control, DataOf, FigureSpec, Film, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

const STEPS = 100;
/** What a reader without a compiler can train in the same time. */
const INTERPRETED_STEPS = 5;
const SEEDS = 10;
/** The scale that is compared, by the option of its field. @type {Record<'none' | 'linear', RolesScale>} */
const COMPARED = { none: 'none', linear: '1/d' };

/** Steps of training between two pictures of the film, and the milliseconds that each is shown. */
const [STRIDE, SHOWN_MILLISECONDS] = [5, 120];

const fields = {
  ...sentenceFields,
  step: numberField({ initial: STEPS, min: 0, max: STEPS, step: STRIDE }),
  compare: choiceField({ initial: 'none', options: ['none', 'linear'] }),
  dK: numberField({ initial: 64, min: 1, max: 128, slider: false }),
  values: choiceField({ initial: 'own', options: ['own', 'keys'] }),
  start: startField(),
  rate: choiceField({ initial: '0.003', options: ['0.001', '0.003', '0.01'] }),
  seed: seedField(7),
};

/** The fields that a training depends on. */
const TRAINED_BY = /** @type {const} */ (['dK', 'values', 'start', 'rate', 'seed']);
/** Those for which medians are recorded. */
const RECORDED_BY = /** @type {const} */ (['dK', 'values', 'start', 'rate']);

/** What the models compute. @typedef {typeof import('./models.js')} Models */

/** Returns what the training of a state depends on. @param {Language} language @param {State} state */
const settingOf = (language, { dK, values, start, rate, seed }) => ({
  language: modelsOf(language),
  dKey: dK,
  values,
  start,
  learningRate: Number(rate),
  seed,
  steps: isInterpreted ? INTERPRETED_STEPS : STEPS,
});

/** Trains the models of a state. @param {Language} language @param {State} [state] @returns {Promise<Models>} */
export async function load(language, state = initialState(fields)) {
  const models = await loadModels('roles');
  await models.train(settingOf(language, state));
  return models;
}

/** Computes the data of a state. @param {State} state @param {Context<RolesRow[], Models>} context */
function* compute(state, { language, memo, result, loaded: models }) {
  const setting = settingOf(language, state);
  const { rows, milliseconds } = yield* models.trained(setting);
  const toy = rolesLanguage(setting.language);
  const step = Math.min(state.step, setting.steps);
  const at = (/** @type {RolesScale} */ scale) =>
    rows.filter((row) => row.scale === scale && row.step === step)[0];
  const modelOf = (/** @type {RolesScale} */ scale) => /** @type {Model} */ (at(scale).model);
  const scales = /** @type {const} */ (['1/√d', COMPARED[state.compare]]);
  const which = [setting, step];

  const sentences = yield* memo('sentences', [...which, state], () =>
    [state.adjective, counterpart(state)]
      .map((adjective) => sentenceIn(toy, state, adjective))
      .map((sentence) => ({
        sentence,
        looks: scales.map((scale) => ({
          scale,
          weights: models.weightsOf(modelOf(scale), toy, sentence),
        })),
      })),
  );
  /** @type {{ scale: RolesScale, rows: AdjectiveRow[] }[]} */
  const adjectives = ROLES_SCALES.map((scale) => ({ scale, rows: [] }));
  for (const each of adjectives) {
    for (const adjective of toy.kinds.flatMap((kind) => kind.adjectives)) {
      const name = `${each.scale} ${adjective}`;
      const measure = () => models.adjectiveOf(modelOf(each.scale), toy, adjective);
      each.rows.push(yield* memo(name, which, measure));
    }
  }
  /** @type {{ scale: RolesScale, step: number, size: number, directions: number }[]} */
  const matrices = [];
  for (const { scale, step: at, model } of rows) {
    const measure = () => models.scoreMatrixOf(/** @type {Model} */ (model));
    matrices.push({
      scale,
      step: at,
      ...(yield* memo(`matrix ${scale} ${at}`, [setting], measure)),
    });
  }
  const maps = yield* memo('maps', which, () => models.mapsOf(modelOf('1/√d'), toy));
  const shown = result?.length ? result : rows;
  return {
    step,
    steps: setting.steps,
    medians: MEDIANS[setting.language],
    milliseconds,
    sentences,
    adjectives: scales.map((scale) => adjectives.filter((each) => each.scale === scale)[0]),
    summary: adjectives.map(({ scale, rows: each }) => ({ ...at(scale), rows: each })),
    weights: ROLES_SCALES.map(
      (scale) =>
        models.weightsOf(modelOf(scale), toy, sentences[0].sentence)[sentences[0].sentence.noun],
    ),
    courses: ROLES_SCALES.map((scale) => ({
      scale,
      rows: shown.filter((row) => row.scale === scale),
    })),
    seeds: [...new Set(shown.map(({ seed }) => seed))],
    matrices,
    maps,
  };
}

/** Trains ten seeds with each scale. @param {State} state @param {Control<RolesRow[]>} control */
async function run(state, { signal, language, onProgress }) {
  const models = await loadModels('roles');
  const setting = { ...settingOf(language, state), seeds: SEEDS };
  return models.trainSeeds(setting, { signal, onProgress });
}

/** Returns how many adjectives have found their noun. @param {readonly AdjectiveRow[]} rows */
const foundIn = (rows) => rows.filter(({ found }) => found).length;

/**
 * Returns the median over the seeds that are shown, at the step that is shown.
 * @param {Data} data
 * @param {RolesScale} of
 * @param {(row: RolesRow) => number} value
 */
function medianOf({ courses, step }, of, value) {
  const rows = courses.filter(({ scale }) => scale === of).flatMap((course) => course.rows);
  const [median] = quantiles(rows.filter((row) => row.step === step).map(value), [0.5]);
  return median;
}

/** Returns the claim, with its live numbers. @param {View} view @returns {string} */
function title(view) {
  const { data, state, text: words } = view;
  const [own, compared] = data.adjectives;
  const seeds = data.seeds.length;
  const foundWith = (/** @type {typeof own} */ { scale, rows }) =>
    seeds > 1 ? medianOf(data, scale, ({ found }) => found.length) : foundIn(rows);
  return say(view, seeds > 1 ? words.seedsTitle : words.title, {
    step: data.step,
    seeds,
    own: foundWith(own),
    count: own.rows.length,
    compared: foundWith(compared),
    scale: words.comparedWith[state.compare],
  });
}

/** Returns the numbers of each scale. @param {View} view @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette } = view;
  const { words: sentence, at, noun } = data.sentences[0].sentence;
  const names = { adjective: sentence[at], noun: sentence[noun] };
  return data.summary.map(({ scale, right, rows }, i) => {
    const stuck = rows.filter(({ found }) => !found).map(({ gradient }) => gradient);
    const [median = NaN] = stuck.length ? quantiles(stuck, [0.5]) : [];
    return {
      series: scaleLook(palette, scale),
      label: words.models[scale],
      formula: words.formulas[scale],
      rows: [
        line(words.right, format.percent, right),
        line(words.found, format.plain, foundIn(rows)),
        line(say(view, words.wordWeight, names), format.percent, data.weights[i]),
        line(words.stuckGradient, (value) => format.significant(value, 2), median),
      ],
    };
  });
}

/** Returns the remarks under the numbers. @param {View} view */
function note(view) {
  const { data, state, text: words, format } = view;
  const seconds = format.significant((SEEDS * data.milliseconds) / 1000, 1);
  const time = data.milliseconds > 0 ? say(view, words.runTime, { seconds }) : '';
  const seeds = data.seeds.length;
  const rightWith = (/** @type {RolesScale} */ scale) =>
    format.percent(medianOf(data, scale, ({ right }) => right));
  const [root, none, linear] = ROLES_SCALES.map(rightWith);
  const own = say(view, words.note, {
    step: data.step,
    seeds: seeds > 1 ? say(view, words.noteSeeds, { seeds }) : '',
    root,
    none,
    linear,
  });
  const isRecorded = RECORDED_BY.every((key) => state[key] === fields[key].initial);
  const { found, right } = data.medians;
  const recorded = say(view, words.recordedNote, {
    found: found.map(format.plain).join(words.and),
    right: right.map(format.percent).join(words.and),
  });
  const keysNote = state.values === 'keys' ? words.keysNote : '';
  return own + (isRecorded ? recorded : '') + keysNote + say(view, words.runNote, { time });
}

/** Plays the training from its start. @type {Film} */
const film = {
  at(time) {
    const step = STRIDE * Math.floor(time / SHOWN_MILLISECONDS);
    return step <= STEPS ? { step } : undefined;
  },
};

/** @type {FigureSpec<Data, typeof messages.en, State, RolesRow[], Models>} */
export const spec = {
  name: 'roles',
  room: { wide: 600, narrow: 780 },
  fields,
  visible: ['step', 'compare'],
  messages,
  load,
  compute,
  film,
  run,
  keeps: Object.keys(fields).filter((key) => !TRAINED_BY.some((each) => each === key)),
  ...panelled({
    title,
    panels: {
      sentence: sentencePanel,
      right: rightPanel,
      adjectives: adjectivePanel,
      nouns: mapPanel,
    },
    // In a narrow column each panel needs all of it: the sentence for its four columns of bars, the adjectives for
    // the words beside theirs, and the maps because they are two.
    aspect: { wide: 1, narrow: 1.04 },
    oneAtATime: true,
  }),
  caption: (view) => say(view, view.text.caption, { steps: view.data?.steps ?? STEPS }),
  lead,
  styles: [sentenceStyles],
  readout,
  note,
};

/** A head that learns which noun an adjective describes, trained on the reader's device with three scales. */
export class AttnRoles extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnRoles);

/** Returns the figure as self-contained SVG text; needs no document, but its models: `loaded: await load('en')`. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
