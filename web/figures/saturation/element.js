// <attn-saturation>: how softmax saturates as d_k grows, with and without the scale.
//
// Left the scores, right the largest weights of one query, below the largest weight and the entropy
// against d_k: measured dots on exact finite-n curves, and the freezing point d* = 2 ln n
// (Derrida 1981, the random energy model).

import {
  largestWeights,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
} from '../../experiments/saturation.js';
import { freezingDimension } from '../../theory/freezing.js';
import { PAIR_FROM } from '../kit/chart/chart.js';
import { renderStatic } from '../kit/chart/static.js';
import { points } from '../kit/chart/series.js';
import { folkLook } from '../kit/chart/looks.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { FigureElement } from '../kit/element/figure.js';
import { panelled } from '../kit/chart/panels.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { dkScale } from '../../shared/dk-scales.js';
import { FACTOR_KEYS, nameOf, ofSeries, seriesOf } from '../common/factors.js';
import { byPlace, queriesNow } from '../common/sampling.js';
import { entrySizeOf, startField, VARIANCES } from '../common/starts.js';
import { choiceField, numberField, queriesField, seedField } from '../kit/state/state.js';
import { factors, formulas, line, say } from '../kit/state/words.js';
import { SCORE_LIMIT, scorePanel } from './scores.js';
import { messages } from './generated/words.js';
import { times } from '../../shared/times.js';

/**
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Context, DataOf, FigureSpec, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 * @typedef {'maxWeight' | 'entropyRatio'} Measure
 */

const LARGEST_D = 512;
const BINS = 121;
const WEIGHTS = 16;
const MEASURED_D = times(10, (i) => 2 ** i);
const DRAWN_D = times(28, (i) => 2 ** (i / 3));

const fields = {
  dK: numberField({ initial: 64, min: 1, max: LARGEST_D }),
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  scale: choiceField({ initial: 'sqrt', options: FACTOR_KEYS }),
  start: startField(),
  entrySize: numberField({ initial: 1, min: 0.25, max: 3, step: 0.05 }),
  mean: numberField({ initial: 0, min: 0, max: 0.5, step: 0.05 }),
  queries: queriesField({ initial: 256, interpreted: 64, max: 1024 }),
  seed: seedField(5),
};

/** Computes the data of a state. @param {State} state @param {Context} context */
function* compute(state, context) {
  const { memo } = context;
  const { dK, keys, seed, mean } = state;
  const entrySize = state.entrySize * entrySizeOf(state);
  const exact = { keys, entrySize, mean, factor: dkScale(state.scale).name };
  const setting = { ...exact, seed, queries: queriesNow(state, context) };
  const now = { ...setting, dK };
  const curve = yield* byPlace(memo, 'measured', { inputs: [setting], places: MEASURED_D }, (at) =>
    saturationCurve({ ...setting, dimensions: [at] }),
  );
  return {
    histogram: yield* memo('histogram', [now], () =>
      scoreHistogram({ ...now, bins: BINS, limit: SCORE_LIMIT }),
    ),
    weights: yield* memo('weights', [now], () =>
      largestWeights({ ...exact, dK, seed, count: WEIGHTS }),
    ),
    summary: yield* memo('summary', [now], () => saturationSummary(now)),
    // One series after the other, as in the table.
    curve: ['unscaled', 'scaled'].flatMap((key) => curve.filter(({ scaling }) => scaling === key)),
    theory: yield* byPlace(memo, 'expected', { inputs: [exact], places: DRAWN_D }, (at) =>
      saturationTheory({ ...exact, dimensions: [at] }),
    ),
    variance: entrySize ** 2,
    // A mean of the keys moves no weight, that of the queries makes them longer.
    freezing: freezingDimension(keys, { entrySize }) / (1 + mean ** 2),
  };
}

// ---- the panels -----------------------------------------------------------------------------

/** Describes the panel of weights. @param {View} view  @returns {Panel} */
function weightPanel(view) {
  const { state, data, text: words, palette } = view;
  const series = seriesOf(palette).map((look, index) => {
    // The two series share each rank's place.
    const from = (/** @type {{ rank: number }} */ { rank }) => rank + 0.38 * (index - 1);
    return {
      look,
      name: nameOf(view, look.key),
      measured: points(ofSeries(data.weights, look), {
        x: 'rank',
        y: 'weight',
        from,
        to: (row) => from(row) + 0.36,
      }),
      bars: 0.9,
    };
  });
  const uniform = { ...folkLook(palette), key: 'uniform', colour: palette.muted };
  return {
    title: words.weightPanel,
    x: { ends: [0.5, WEIGHTS + 0.5], ticks: [1, 4, 8, 12, WEIGHTS], name: words.weightAxis },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    series: [
      ...series,
      {
        look: uniform,
        label: words.uniform,
        level: 1 / state.keys,
        inside: true,
        dash: '1 3',
        width: 1,
      },
    ],
    rows: seriesOf(palette).map((look) => {
      const [{ dK, minWeight }] = ofSeries(data.summary, look);
      const head = { panel: words.smallestWeight, series: nameOf(view, look.key), across: 'd_k' };
      return { ...head, x: dK, measured: minWeight };
    }),
    // The symbols of the series, on the first bars.
    marks: ({ x, y }) =>
      series.map(({ look, measured: [{ from = 0, y: weight }] }) =>
        symbols(look, [[x(from + 0.18), y(weight)]]),
      ),
  };
}

/**
 * Describes a panel against d_k, with the beginning of saturation, and the common claim that the softmax
 * is one-hot beyond it.
 * @param {Measure} measure
 * @param {View} view
 * @returns {Panel}
 */
function curvePanel(measure, view) {
  const { state, data, text: words, format, palette } = view;
  const largest = measure === 'maxWeight';
  const { freezing } = data;
  const { entrySize, mean, start } = state;
  const bySize = start !== 'unit' ? words.byVariance : entrySize === 1 ? '' : words.bySize;
  const freezes = freezing >= 1 && freezing <= LARGEST_D;
  /** @type {{ x: 'dK', y: Measure }} */
  const channels = { x: 'dK', y: measure };
  return {
    title: largest ? words.weightCurve : words.entropyCurve,
    note: freezes
      ? say(view, words.freezing, {
          size: bySize + (mean === 0 ? '' : words.byMean),
          value: format.significant(freezing, 2),
        })
      : '',
    rule: freezes ? freezing : undefined,
    x: {
      mapping: logarithmic,
      ends: [1, LARGEST_D],
      ticks: [1, 4, 16, 64, 256],
      name: 'd_k',
    },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    margin: { top: 48 },
    now: state.dK,
    picks: (dK) => ({ dK }),
    series: [
      ...seriesOf(palette).map((look) => ({
        look,
        label: nameOf(view, look.key),
        measured: points(ofSeries(data.curve, look), {
          ...channels,
          low: `${measure}P10`,
          high: `${measure}P90`,
        }),
        size: 3,
        theory: points(ofSeries(data.theory, look), channels),
        chosen: { ...points(ofSeries(data.summary, look), channels)[0], size: 4 },
      })),
      {
        look: folkLook(palette),
        label: words.oneHot,
        short: words.claim,
        level: largest ? 1 : NaN,
        start: freezing,
      },
    ],
  };
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { state, data, text: words, format } = view;
  const [unscaled, scaled] = data.summary.map(({ maxWeight }) => format.percent(maxWeight));
  const factor = state.scale === 'none' ? '' : factors[state.scale];
  return say(view, words.title, {
    unscaled,
    then: factor ? say(view, words.then, { factor, scaled }) : words.same,
  });
}

/** Returns the assumption, with the start where entries are no larger. @param {Pick<View, 'state' | 'text' | 'format'>} view */
function caption(view) {
  const { state, text: words } = view;
  const { start, entrySize, mean } = state;
  const isUnit = start === 'unit';
  const variance = `${isUnit ? '' : 'v = '}${VARIANCES[start]}`;
  const size = `${entrySize}²`;
  return say(view, words.caption, {
    variance: entrySize === 1 ? variance : isUnit ? size : `${variance}·${size}`,
    start: entrySize === 1 || !isUnit ? words.ofStart.replace('{start}', words.options[start]) : '',
    shifted: mean === 0 ? '' : say(view, words.shifted),
  });
}

/** Returns the numbers beside theory. @param {View} view */
function readout(view) {
  const { state, data, text: words, format, palette } = view;
  const three = (/** @type {number} */ value) => format.fixed(value, 3);
  return seriesOf(palette).map((series) => {
    const [row] = ofSeries(data.summary, series);
    const scale = series.key === 'scaled' ? state.scale : 'none';
    return {
      series,
      label: nameOf(view, series.key),
      formula: formulas[scale],
      rows: [
        line(words.maxWeight, three, row.maxWeight, row.maxWeightTheory),
        line(words.entropyRatio, three, row.entropyRatio, row.entropyRatioTheory),
        line(words.deviation, format.significant, row.scoreDeviation, row.scoreDeviationTheory),
        line(words.competitors, format.significant, row.competitors, row.competitorsTheory),
      ],
    };
  });
}

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'saturation',
  room: { wide: 390, narrow: 430 },
  fields,
  visible: ['dK', 'keys', 'scale'],
  messages,
  compute,
  ...panelled({
    title,
    panels: {
      scores: scorePanel,
      weights: weightPanel,
      'largest-weight': (/** @type {View} */ view) => curvePanel('maxWeight', view),
      entropy: (/** @type {View} */ view) => curvePanel('entropyRatio', view),
    },
    main: 'largest-weight',
    aspect: { wide: 0.74, narrow: 2.72, below: PAIR_FROM },
  }),
  caption,
  readout,
};

/** How softmax saturates as d_k grows, with and without the scale. */
export class AttnSaturation extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnSaturation);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
