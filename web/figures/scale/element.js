// <attn-scale>: why ½, and when not ½. Every factor d_k^−α at once, as a map of the entropy (map.js), and
// the weight that a query gives to a key aligned with it.

import { SCALE_CHOICES, SCALES } from '../../experiments/scale-list.js';
import { alignmentCurve, scaleChoices } from '../../experiments/scale.js';
import { expectedAligned, measureAligned } from '../../experiments/scales.js';
import { entropyExponents } from '../../theory/scale.js';
import { crossingCorrelation } from '../../theory/scales.js';
import { points } from '../kit/chart/series.js';
import { segment, text } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { scaleLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { byPlace, lastWhole, queriesNow } from '../common/sampling.js';
import { startField, VARIANCES } from '../common/starts.js';
import { startVariance } from '../../shared/starts.js';
import { choiceField, numberField, queriesField, seedField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './generated/words.js';
import { times } from '../../shared/times.js';
import { chosenSeries, nameOf, otherThan, REFERENCES } from '../common/scales.js';
import { sampleOf, scaleRows } from '../scales/panels.js';
import {
  dimensions,
  exponentShift,
  LARGEST_D,
  mapPanel,
  RATIOS,
  SMALLEST_D,
  TRAINED,
} from './map.js';

/**
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { Scale as Choice, ScaleChoice } from '../../experiments/scale-list.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** Trained heads reach as far below 0; nearly all the range above it is for a key that is looked for. */
const LEAST_RHO = -0.5;

/** @param {number} parts  @returns {number[]} ρ at equal distances */
const alignments = (parts) => times(parts + 1, (i) => LEAST_RHO + ((1 - LEAST_RHO) * i) / parts);

const fields = {
  rho: numberField({ initial: 0.3, min: LEAST_RHO, max: 1, step: 0.01 }),
  factor: choiceField({ initial: 'sqrt', options: SCALES }),
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  dK: numberField({ initial: 64, min: SMALLEST_D, max: LARGEST_D }),
  start: startField(),
  temperature: numberField({ initial: 4, min: 0.5, max: 64, step: 0.5 }),
  gain: numberField({ initial: 10, min: 1, max: 64, step: 0.5 }),
  trained: numberField({ initial: 16, min: 2, max: 512 }),
  queries: queriesField({ initial: 256, interpreted: 64, max: 1024 }),
  seed: seedField(5),
};

/** Computes the data of a state. @param {State} state @param {Context} context */
function* compute(state, context) {
  const { coarse, memo } = context;
  const { rho, keys, dK, temperature, gain, trained, seed, factor: pin } = state;
  const variance = startVariance(state.start);
  const setting = { dK, keys, temperature, gain, trained, variance };
  const shifted = (/** @type {number[]} */ exponents, /** @type {number} */ at) =>
    exponents.map((exponent) => exponent + exponentShift(setting, at));
  const sample = { ...setting, queries: queriesNow(state, context), seed };
  const drawn = alignments(coarse ? 12 : 48);
  const curves = [...new Set([...REFERENCES, pin])];
  const places = dimensions(coarse ? 10 : 37);
  const map = () =>
    byPlace(memo, 'map', { inputs: [keys], places }, (at) => [
      { dK: at, exponents: entropyExponents({ dK: at, keys, ratios: RATIOS }) },
    ]);
  const weights = (/** @type {Choice} */ choice, /** @type {number[]} */ places) =>
    aligned({ ...sample, choice, alignments: places });
  const linesOf = () =>
    byPlace(memo, 'lines', { inputs: [setting, coarse], places: curves }, (choice) => [
      {
        choice,
        alignments: drawn,
        weights: expectedAligned({ ...setting, scale: choice, alignments: drawn }),
      },
    ]);
  // First, since their theory, of which each scale takes a slice, serves the weights of now too.
  const lines = yield* lastWhole(context, { name: 'lines', inputs: [setting, pin] }, linesOf);
  const [[now], [other]] = [
    yield* memo('now', [sample, rho, pin], () => weights(pin, [rho])),
    yield* memo('other', [sample, rho, pin], () => weights(otherThan(pin), [rho])),
  ];
  const inputs = [setting, seed, state.queries, pin];
  const others = () => scaleRows(memo, { ...sampleOf(state, context), variance }, [pin]);
  return {
    setting,
    // What is no factor is not among the choices.
    others: isFactor(pin) ? [] : yield* lastWhole(context, { name: 'others', inputs }, others),
    map: (yield* lastWhole(context, { name: 'map', inputs: [keys] }, map)).map(
      ({ dK: at, exponents }) => ({ dK: at, exponents: shifted(exponents, at) }),
    ),
    trained: shifted(
      yield* memo('trained', [keys], () =>
        entropyExponents({ dK: 64, keys, ratios: TRAINED.map(({ entropyRatio }) => entropyRatio) }),
      ),
      64,
    ),
    ...(yield* lastWhole(context, { name: 'sample', inputs: [{ ...state, rho: 0 }] }, function* () {
      return {
        choices: yield* memo('choices', [sample], () => scaleChoices(sample)),
        dots: yield* memo('dots', [sample, pin], () => weights(pin, alignments(12))),
      };
    })),
    now,
    other,
    lines,
  };
}

/** Whether a scale is nothing but a factor. @param {Choice} choice  @returns {choice is ScaleChoice} */
const isFactor = (choice) => SCALE_CHOICES.some((each) => each === choice);

/** The most queries that meet an aligned key of their own, each in a call of the kernel. */
const ONE_BY_ONE = 128;

/**
 * Measures the weight on an aligned key under any scale.
 * @param {Omit<Parameters<typeof alignmentCurve>[0], 'choice'> & { choice: Choice, queries: number }} options
 * @returns {{ choice: Choice, rho: number, weight: number, theory: number }[]}
 */
function aligned({ choice, alignments, queries, seed, ...setting }) {
  if (isFactor(choice)) return alignmentCurve({ ...setting, choice, alignments, queries, seed });
  const theory = expectedAligned({ ...setting, scale: choice, alignments });
  const sample = { ...setting, scale: choice, queries: Math.min(queries, ONE_BY_ONE), seed };
  return alignments.map((rho, index) => {
    return { choice, rho, weight: measureAligned({ ...sample, rho }), theory: theory[index] };
  });
}

// ---- the aligned key --------------------------------------------------------------------------

/** Describes the panel of weights. @param {View} view  @returns {Panel} */
function weightPanel(view) {
  const { state, data, text: words } = view;
  const { now } = data;
  return {
    title: words.weightPanel,
    margin: { top: 64 },
    x: { ends: [LEAST_RHO, 1], ticks: [LEAST_RHO, 0, 0.5, 1], name: words.rhoAxis },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    now: state.rho,
    picks: (rho) => ({ rho }),
    note: words.crossing,
    rule: crossingCorrelation(data.setting.dK),
    series: data.lines.map(({ choice, alignments, weights }) => ({
      ...chosenSeries(view, choice),
      theory: alignments.map((rho, index) => ({ x: rho, y: weights[index] })),
      ...(choice === now.choice && {
        size: 3,
        measured: points(data.dots, { x: 'rho', y: 'weight', theory: 'theory' }),
        chosen: { x: state.rho, y: now.weight },
      }),
    })),
    marks: (frame) => trainedHeads(view, frame),
    rows: TRAINED.map(({ choice, correlations: [low, measured, high] }) => ({
      panel: words.trainedCorrelation,
      series: nameOf(view, choice),
      x: 64,
      across: 'd_k',
      measured,
      low,
      high,
    })),
  };
}

/**
 * Draws where the heads of trained models stand on the axis of ρ: the range of each model above the plot, and
 * its mean.
 * @param {View} view
 * @param {Pick<Frame, 'box' | 'x'>} frame
 */
function trainedHeads({ text: words, palette }, { box, x }) {
  return [
    text(box.right, box.top - 8, words.trainedHeads, { fill: palette.muted, anchor: 'end' }),
    TRAINED.map(({ choice, correlations: [low, middle, high] }, index) => {
      const series = scaleLook(palette, choice);
      const at = box.top - 18 + 7 * index;
      return [
        segment({ x1: x(low), x2: x(high), y1: at, y2: at }, series.colour, {
          width: 2,
          series: choice,
        }),
        symbols({ ...series, marker: 'triangle' }, [[x(middle), at]], 3.5, palette.paper),
      ];
    }),
  ];
}

// ---- the figure -------------------------------------------------------------------------------

/** Returns the statistics of a scale. @param {View} view  @param {Choice} choice */
function rowOf({ data, state: { keys } }, choice) {
  const row = data.choices.find((each) => each.choice === choice);
  if (row) return row;
  const [found] = data.others;
  const ratio = (/** @type {{ entropy: number }} */ { entropy }) => entropy / Math.log(keys);
  return {
    ...found,
    alpha: undefined,
    entropyRatio: ratio(found.measured),
    entropyRatioTheory: ratio(found.theory),
  };
}

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { state, data, text: words, format } = view;
  // The mean of heavy-tailed weights over a sample depends on chance.
  const { choice, theory: weight } = data.now;
  const row = rowOf(view, choice);
  const common = {
    factor: words.formulas[choice],
    entropy: format.percent(row.entropyRatio),
  };
  if (!choice.startsWith('sigmoid') || row.alpha !== undefined) {
    return say(view, words.title, { ...common, weight: format.percent(weight) });
  }
  // Each key has a gate of its own, so that a weight is no share of the row's sum.
  const others = state.keys - 1;
  return say(view, words.gates, {
    ...common,
    weight: format.significant(weight, 2),
    others,
    rest: format.significant((row.theory.rowSum * others) / state.keys, 2),
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette } = view;
  return [data.now, data.other].map(({ choice, weight, theory }) => {
    const row = rowOf(view, choice);
    return {
      series: scaleLook(palette, choice),
      label: nameOf(view, choice),
      formula: row.alpha === undefined ? '' : `α = ${format.fixed(row.alpha, 2)}`,
      rows: [
        line(words.entropyRatio, format.significant, row.entropyRatio, row.entropyRatioTheory),
        line(say(view, words.weight), format.significant, weight, theory),
        row.alpha === undefined
          ? line(words.rowSum, format.significant, row.measured.rowSum, row.theory.rowSum)
          : line(words.deviation, format.significant, row.deviation, row.deviationTheory),
      ],
    };
  });
}

const panels = { map: mapPanel, alignment: weightPanel };

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'scale',
  room: { wide: 410, narrow: 650 },
  fields,
  visible: ['rho', 'factor', 'keys'],
  controlOf: { map: 'dK', alignment: 'rho' },
  messages,
  compute,
  ...panelled({ title, panels, aspect: { wide: 0.5, narrow: 1.1 }, oneAtATime: true }),
  caption: (view) =>
    say(view, view.text.caption, {
      variance: VARIANCES[view.state.start],
      start: view.text.options[view.state.start],
    }),
  readout,
};

/**
 * The factors that scores may have: a map of the entropy over d_k and the factor's exponent, and
 * the weight on a key against its alignment with the query.
 */
export class AttnScale extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnScale);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
