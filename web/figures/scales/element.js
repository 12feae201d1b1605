// <attn-scales>: every scale in use at the reader's d_k and n, and the chosen one as either grows (panels.js); and how
// scores should grow with the number of keys (competitors.js).

import { SCALES } from '../../experiments/scale-list.js';
import { lastWhole } from '../common/sampling.js';
import { nameOf, otherThan, REFERENCES } from '../common/scales.js';
import { panelled } from '../kit/chart/panels.js';
import { renderStatic } from '../kit/chart/static.js';
import { scaleLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { choiceField, numberField, queriesField, seedField } from '../kit/state/state.js';
import { line, say } from '../kit/state/words.js';
import {
  ACROSS,
  coursePanel,
  MEASURES,
  sampleOf,
  scaleDots,
  scaleLines,
  scaleRows,
  scalesPanel,
} from './panels.js';
import {
  competitorData,
  competitorPanel,
  growthPanel,
  HEADS,
  trainedGroup,
} from './competitors.js';
import { messages } from './generated/words.js';

/**
 * @import { Scale } from '../../experiments/scale-list.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** Scales whose rows do not sum to 1. @type {readonly Scale[]} */
const WITH_SUMS = ['sigmoid', 'sigmoid-bias', 'sink'];

const fields = {
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  factor: choiceField({ initial: 'sqrt', options: SCALES }),
  measure: choiceField({ initial: 'effectiveKeys', options: MEASURES }),
  across: choiceField({ initial: 'keys', options: ACROSS }),
  dK: numberField({ initial: 64, min: 2, max: 1024 }),
  temperature: numberField({ initial: 4, min: 0.5, max: 64, step: 0.5 }),
  gain: numberField({ initial: 10, min: 1, max: 64, step: 0.5 }),
  trained: numberField({ initial: 16, min: 2, max: 512 }),
  head: choiceField({ initial: '2.1', options: HEADS }),
  queries: queriesField({ initial: 256, interpreted: 64, max: 1024 }),
  seed: seedField(5),
};

/** Computes the data of a state. @param {State} state @param {Context} context */
function* compute(state, context) {
  const { coarse, memo } = context;
  const { keys, dK, temperature, gain, trained, seed, across, factor } = state;
  const setting = { dK, keys, temperature, gain, trained };
  const scales = [...new Set([...REFERENCES, factor])];
  const inputs = [setting, seed, across, factor];
  const rows = () => scaleRows(memo, sampleOf(state, context));
  const course = () => scaleLines(memo, { setting, across, scales });
  const dots = () =>
    scaleDots(memo, { setting: { ...setting, seed }, across, scale: factor, coarse });
  return {
    scales: yield* lastWhole(
      context,
      { name: 'scales', inputs: [setting, seed, state.queries] },
      rows,
    ),
    course: yield* lastWhole(context, { name: 'course', inputs }, course),
    courseDots: yield* lastWhole(context, { name: 'courseDots', inputs }, dots),
    ...(yield* competitorData(state, context)),
  };
}

/** Returns the row of a scale. @param {View} view  @param {Scale} scale */
function rowOf({ data }, scale) {
  const [row] = data.scales.filter((each) => each.scale === scale);
  return row;
}

/** Returns the claim, with its live numbers. @param {View} view  @returns {string} */
function title(view) {
  const { state, data, text: words, format } = view;
  const { factor, keys, across } = state;
  const [end] = data.course.filter(({ scale }) => scale === factor).slice(-1);
  return say(view, words.titles[across], {
    factor: factor === 'none' ? words.byOne : words.formulas[factor],
    now: format.percent(rowOf(view, factor).theory.effectiveKeys / keys),
    end: format.percent(end.effectiveKeys / end.keys),
    largest: end.x,
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { state, text: words, format, palette } = view;
  const groups = [state.factor, otherThan(state.factor)].map((scale) => {
    const { measured, theory } = rowOf(view, scale);
    const row = (/** @type {string} */ quantity, /** @type {keyof typeof measured} */ column) =>
      line(quantity, format.significant, measured[column], theory[column]);
    return {
      series: scaleLook(palette, scale),
      label: nameOf(view, scale),
      formula: '',
      rows: [
        ...MEASURES.map((measure) => row(words.measures[measure], measure)),
        ...(WITH_SUMS.includes(scale) ? [row(words.rowSum, 'rowSum')] : []),
      ],
    };
  });
  return [...groups, trainedGroup(view)];
}

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'scales',
  room: { wide: 430, narrow: 700 },
  fields,
  visible: ['keys', 'factor', 'measure'],
  controlOf: { scales: 'keys', course: 'across', competitors: 'head', growth: 'head' },
  messages,
  compute,
  ...panelled({
    title,
    panels: {
      scales: scalesPanel,
      course: coursePanel,
      competitors: competitorPanel,
      growth: growthPanel,
    },
    aspect: { wide: 1, narrow: 1.1 },
    oneAtATime: true,
  }),
  readout,
};

/** Every scale in use, side by side and as keys are added or d_k grows, and how scores should grow with the keys. */
export class AttnScales extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnScales);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
