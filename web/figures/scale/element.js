// <attn-scale>: why ½, and when not ½. Left, every factor d_k^−α at once, as a map of the entropy
// with the freezing line (Derrida 1981); right, the weight that a query gives to a key aligned with
// it.

import {
  alignmentCurve,
  alignmentTheory,
  choiceExponent,
  SCALE_CHOICES,
  scaleChoices,
} from '../../experiments/index.js';
import { crossingCorrelation, entropyExponents, freezingExponent } from '../../theory/index.js';
import { dots, marks, segment, text, theoryLine } from '../kit/chart.js';
import { blueSeries, greySeries, orangeSeries } from '../kit/series.js';
import { FigureElement } from '../kit/figure.js';
import { panelled, ring } from '../kit/panels.js';
import { logarithmic } from '../kit/mapping.js';
import { byPlace, lastWhole, queriesNow } from '../common/sampling.js';
import { choiceField, numberField, queriesField, seedField } from '../kit/state.js';
import { renderStatic } from '../kit/static.js';
import { node } from '../kit/svg.js';
import { line, say } from '../kit/words.js';
import { en, zh } from './words.js';
import { times } from '../../shared/times.js';

/**
 * @import { Series } from '../kit/chart.js'
 * @import { Frame, Panel } from '../kit/panels.js'
 * @import { ScaleChoice as Choice } from '../../experiments/scale.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state.js'
 * @import { Palette } from '../kit/palette.js'
 * @import { TidyRow } from '../kit/download.js'
 * @import { StaticOptions } from '../kit/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof en, State>} View
 */

const SMALLEST_D = 2;
const LARGEST_D = 1024;
const TOP = 1.2;
/** Borders of the colours of the map, from frozen to uniform. */
const RATIOS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98];
const LABELLED = [0.1, 0.7, 0.9];
const STRONGEST = 0.62;

/** @param {number} count  @returns {number[]} d_k at equal distances of the map */
const dimensions = (count) => times(count, (i) => 2 ** (1 + (9 * i) / (count - 1)));

/** @param {number} parts  @returns {number[]} from 0 to 1 */
const shares = (parts) => times(parts + 1, (i) => i / parts);

/** The mean entropy / ln n of the heads of the English models of <attn-language>, d_k = 64, after their 1500
 *  recorded steps, by the factor with which they were trained; three runs of each.
 *  @type {readonly { choice: Choice, entropyRatio: number }[]} */
export const TRAINED = [
  { choice: 'none', entropyRatio: 0.047 },
  { choice: 'sqrt', entropyRatio: 0.49 },
  { choice: 'linear', entropyRatio: 0.975 },
];

/** Curves beside the chosen one. @type {readonly Choice[]} */
const REFERENCES = ['none', 'sqrt', 'linear'];

const fields = {
  rho: numberField({ initial: 0.3, min: 0, max: 1, step: 0.01 }),
  factor: choiceField({ initial: 'sqrt', options: SCALE_CHOICES }),
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  dK: numberField({ initial: 64, min: SMALLEST_D, max: LARGEST_D }),
  temperature: numberField({ initial: 4, min: 0.5, max: 64, step: 0.5 }),
  gain: numberField({ initial: 10, min: 1, max: 64, step: 0.5 }),
  trained: numberField({ initial: 16, min: 2, max: 512 }),
  queries: queriesField({ initial: 256, interpreted: 64, max: 1024 }),
  seed: seedField(5),
};

/**
 * Computes the data of a state.
 * @param {State} state
 * @param {Context} context
 */
function* compute(state, context) {
  const { coarse, memo } = context;
  const { rho, keys, dK, temperature, gain, trained, seed, factor: pin } = state;
  const setting = { dK, keys, temperature, gain, trained };
  const sample = { ...setting, queries: queriesNow(state, context), seed };
  const drawn = shares(coarse ? 10 : 40);
  const curves = [...new Set([...REFERENCES, pin])];
  const places = dimensions(coarse ? 10 : 37);
  const map = () =>
    byPlace(memo, 'map', { inputs: [keys], places }, (at) => [
      { dK: at, exponents: entropyExponents({ dK: at, keys, ratios: RATIOS }) },
    ]);
  const weights = (/** @type {Choice} */ choice, /** @type {number[]} */ alignments) =>
    alignmentCurve({ ...sample, choice, alignments });
  const [[now], [other]] = [
    yield* memo('now', [sample, rho, pin], () => weights(pin, [rho])),
    yield* memo('other', [sample, rho, pin], () => weights(otherThan(pin), [rho])),
  ];
  const lines = () =>
    byPlace(memo, 'lines', { inputs: [setting, coarse], places: curves }, (choice) => [
      {
        choice,
        alignments: drawn,
        weights: alignmentTheory({ ...setting, choice, alignments: drawn }),
      },
    ]);
  return {
    setting,
    map: yield* lastWhole(context, { name: 'map', inputs: [keys] }, map),
    trained: yield* memo('trained', [keys], () =>
      entropyExponents({ dK: 64, keys, ratios: TRAINED.map(({ entropyRatio }) => entropyRatio) }),
    ),
    ...(yield* lastWhole(context, { name: 'sample', inputs: [{ ...state, rho: 0 }] }, function* () {
      return {
        choices: yield* memo('choices', [sample], () => scaleChoices(sample)),
        dots: yield* memo('dots', [sample, pin], () => weights(pin, shares(10))),
      };
    })),
    now,
    other,
    lines: yield* lastWhole(context, { name: 'lines', inputs: [setting, pin] }, lines),
  };
}

/** Returns the choice to compare with. @param {Choice} pin @returns {Choice} */
const otherThan = (pin) => (pin === 'sqrt' ? 'none' : 'sqrt');

/**
 * Returns the looks of the series.
 * @param {Choice} choice
 * @param {Palette} palette
 * @returns {Series}
 */
function seriesOf(choice, palette) {
  const look = { none: orangeSeries, sqrt: blueSeries }[String(choice)] ?? greySeries;
  return look(palette, choice);
}

/** Returns the name of a choice. @param {View} view  @param {string} choice  @returns {string} */
const nameOf = ({ text: words }, choice) =>
  choice === 'none' ? words.options.none : (words.labels[choice] ?? words.formulas[choice]);

// ---- the map ----------------------------------------------------------------------------------

/**
 * Draws the regions between borders of equal entropy, each from its border up to the next.
 * @param {View} view
 * @param {Frame} frame
 */
function regions({ data, palette }, { x, y }) {
  const border = (/** @type {number} */ index) =>
    data.map.map(({ dK, exponents }) => {
      const alpha = index < 0 ? 0 : (exponents[index] ?? TOP);
      return `${x(dK).toFixed(1)},${y(alpha).toFixed(1)}`;
    });
  return [-1, ...RATIOS.keys()].map((index) => {
    const middle = ((RATIOS[index] ?? 0) + (RATIOS[index + 1] ?? 1)) / 2;
    return node('path', {
      d: `M${[...border(index), ...border(index + 1).reverse()].join('L')}Z`,
      fill: middle < 0.5 ? palette.unscaled : palette.scaled,
      'fill-opacity': STRONGEST * Math.abs(2 * middle - 1),
    });
  });
}

/**
 * Draws the entropy of each border on it, where there is room.
 * @param {View} view
 * @param {Frame} frame
 */
function borderLabels({ data, format, palette }, { x, y }) {
  const column = data.map[Math.round((data.map.length * 2) / 3)];
  return LABELLED.map((ratio) => {
    const alpha = column.exponents[RATIOS.indexOf(ratio)];
    if (!(alpha > 0.05 && alpha < TOP)) return null;
    return text(x(column.dK), y(alpha) + 4, format.fixed(ratio, 1), {
      fill: palette.ink,
      anchor: 'middle',
      halo: palette.paper,
    });
  });
}

/** Describes the panel of a map. @param {View} view  @returns {Panel} */
function mapPanel(view) {
  const { state, data, text: words, palette } = view;
  const { setting, choices } = data;
  const ink = { ...greySeries(palette, 'freezing'), colour: palette.ink };
  const alphaAt = (/** @type {Choice} */ choice, /** @type {number} */ dK) =>
    choiceExponent({ ...setting, choice, dK });
  const freezingAt = (/** @type {number} */ dK) => freezingExponent(setting.keys, dK);
  const curve = (/** @type {(dK: number) => number} */ alpha) =>
    dimensions(91)
      .map((dK) => ({ x: dK, y: alpha(dK) }))
      .filter(({ y }) => y >= 0 && y <= TOP);
  return {
    title: words.mapPanel,
    note: words.exponent,
    margin: { top: 48 },
    x: {
      mapping: logarithmic,
      ends: [SMALLEST_D, LARGEST_D],
      ticks: [2, 8, 32, 128, 512],
      name: 'd_k',
    },
    y: { ends: [0, TOP], ticks: [0, 0.5, 1] },
    picks: (dK) => ({ dK }),
    ends: SCALE_CHOICES.map((choice) => ({
      y: alphaAt(choice, LARGEST_D),
      label: nameOf(view, choice),
      series: seriesOf(choice, palette),
    })),
    marks(frame) {
      const { box, x, y } = frame;
      const now = x(setting.dK);
      return [
        regions(view, frame),
        segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.ink),
        SCALE_CHOICES.map((choice) =>
          theoryLine(
            curve((dK) => alphaAt(choice, dK)),
            { x, y, series: seriesOf(choice, palette), width: choice === state.factor ? 1.75 : 1 },
          ),
        ),
        theoryLine(curve(freezingAt), { x, y, series: ink, dash: '2 3', width: 2 }),
        borderLabels(view, frame),
        text(box.right - 6, y(freezingAt(LARGEST_D)) + 20, words.freezing, {
          fill: palette.ink,
          anchor: 'end',
          halo: palette.paper,
          weight: 500,
        }),
        TRAINED.map(({ choice }, index) =>
          marks(
            { ...seriesOf(choice, palette), marker: 'triangle' },
            [[x(64), y(data.trained[index])]],
            4.5,
            palette.paper,
          ),
        ),
        choices.map(({ choice, alpha }) => [
          marks(seriesOf(choice, palette), [[now, y(alpha)]], 4),
          choice === state.factor && ring([now, y(alpha)], palette),
        ]),
      ];
    },
  };
}

// ---- the aligned key --------------------------------------------------------------------------

/** Describes the panel of weights. @param {View} view  @returns {Panel} */
function weightPanel(view) {
  const { state, data, text: words, palette } = view;
  const crossing = crossingCorrelation(data.setting.dK);
  const lines = data.lines.map(({ choice, alignments, weights }) => ({
    series: seriesOf(choice, palette),
    points: alignments.map((rho, index) => ({ x: rho, y: weights[index] })),
  }));
  return {
    title: words.weightPanel,
    margin: { top: 48 },
    x: { ends: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], name: words.rhoAxis },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    now: state.rho,
    picks: (rho) => ({ rho }),
    ends: lines.map(({ series, points }) => ({
      y: points[points.length - 1].y,
      label: nameOf(view, series.key),
      series,
    })),
    note: words.crossing,
    noteAt: crossing,
    marks: ({ box, x, y }) => [
      segment({ x1: x(crossing), x2: x(crossing), y1: box.top, y2: box.bottom }, palette.muted, {
        dash: '2 3',
      }),
      lines.map(({ series, points }) =>
        theoryLine(points, { x, y, series, width: series.key === state.factor ? 2 : 1.25 }),
      ),
      dots(
        data.dots.map(({ rho, weight }) => ({ x: rho, y: weight })),
        { x, y, series: seriesOf(data.now.choice, palette), radius: 3 },
      ),
      ring([x(state.rho), y(data.now.weight)], palette),
    ],
  };
}

// ---- the figure -------------------------------------------------------------------------------

/** @param {View} view  @param {Choice} choice */
const rowOf = ({ data }, choice) =>
  /** @type {Data['choices'][0]} */ (data.choices.find((row) => row.choice === choice));

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  // The mean of heavy-tailed weights over a sample depends on chance.
  const { choice, theory } = data.now;
  return say(view, words.title, {
    factor: words.formulas[choice],
    entropy: format.percent(rowOf(view, choice).entropyRatio),
    weight: format.percent(theory),
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette } = view;
  return [data.now, data.other].map(({ choice, weight, theory }) => {
    const row = rowOf(view, choice);
    return {
      series: seriesOf(choice, palette),
      label: nameOf(view, choice),
      formula: `α = ${format.fixed(row.alpha, 2)}`,
      rows: [
        line(words.entropyRatio, format.significant, row.entropyRatio, row.entropyRatioTheory),
        line(say(view, words.weight), format.significant, weight, theory),
        line(words.deviation, format.significant, row.deviation, row.deviationTheory),
      ],
    };
  });
}

/** Returns the drawn data as rows of a table. @param {View} view  @returns {TidyRow[]} */
function rows(view) {
  const { data, text: words } = view;
  const against = (/** @type {'entropyRatio' | 'deviation'} */ column) =>
    data.choices.map((row) => ({
      panel: words[column],
      series: nameOf(view, row.choice),
      x: data.setting.dK,
      across: 'd_k',
      measured: row[column],
      theory: row[`${column}Theory`],
    }));
  const weights = data.dots.map(({ choice, rho, weight, theory }) => ({
    panel: words.weightPanel,
    series: nameOf(view, choice),
    x: rho,
    across: 'ρ',
    measured: weight,
    theory,
  }));
  const borders = data.map.flatMap(({ dK, exponents }) =>
    RATIOS.map((ratio, index) => ({
      panel: `${words.mapPanel} (α)`,
      series: String(ratio),
      x: dK,
      across: 'd_k',
      theory: Number.isFinite(exponents[index]) ? exponents[index] : undefined,
    })),
  );
  const trained = TRAINED.map(({ choice, entropyRatio }) => ({
    panel: words.trained,
    series: nameOf(view, choice),
    x: 64,
    across: 'd_k',
    measured: entropyRatio,
  }));
  return [...against('entropyRatio'), ...against('deviation'), ...weights, ...borders, ...trained];
}

/** @type {FigureSpec<Data, typeof en, State>} */
export const spec = {
  name: 'scale',
  fields,
  visible: ['rho', 'factor', 'keys'],
  messages: { en, zh },
  compute,
  ...panelled({
    title,
    panels: { map: mapPanel, alignment: weightPanel },
    aspect: { wide: 0.42, narrow: 1.8 },
  }),
  readout,
  rows,
};

/**
 * The factors that scores may have: a map of the entropy over d_k and the factor's exponent, and
 * the weight on a key against its alignment with the query.
 */
export class AttnScale extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnScale);

/**
 * Returns the figure as self-contained SVG text; needs no document.
 * @param {StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
