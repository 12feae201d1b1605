// <attn-scale>: why ½, and when not ½. Left every factor d_k^−α at once, as a map of the entropy with
// the freezing line (Derrida 1981); right what a factor lets a query do once a key is aligned with it.

import {
  alignmentCurve,
  alignmentTheory,
  choiceExponent,
  SCALE_CHOICES,
  scaleChoices,
} from '../experiments/index.js';
import { entropyExponents, freezingExponent } from '../theory/index.js';
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
  marks,
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
import { node } from './kit/svg.js';
import { en, zh } from './scale.messages.js';

/**
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Scale} ChartScale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {import('../experiments/scale.js').ScaleChoice} Choice
 */

const SMALLEST_D = 2;
const LARGEST_D = 1024;
const TOP = 1.2;
/** Borders of the colours of the map, from frozen to uniform. */
const RATIOS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98];
const LABELLED = [0.1, 0.7, 0.9];
const STRONGEST = 0.62;

/** @param {number} count  @returns {number[]} d_k at equal distances of the map */
const dimensions = (count) =>
  Array.from({ length: count }, (_, i) => 2 ** (1 + (9 * i) / (count - 1)));

/** Curves beside the chosen one. @type {readonly Choice[]} */
const REFERENCES = ['none', 'sqrt', 'linear'];

const fields = {
  rho: numberField({ initial: 0.3, min: 0, max: 1, step: 0.01 }),
  factor: choiceField({ initial: 'sqrt', options: SCALE_CHOICES }),
  keys: numberField({ initial: 64, min: 2, max: 512 }),
  dK: numberField({ initial: 64, min: SMALLEST_D, max: LARGEST_D }),
  temperature: numberField({ initial: 4, min: 0.5, max: 64, step: 0.5 }),
  gain: numberField({ initial: 10, min: 1, max: 64, step: 0.5 }),
  queries: numberField({ initial: 256, min: 16, max: 1024, step: 16, slider: false }),
  seed: numberField({ initial: 5, min: 0, max: 999_999, slider: false }),
};

/**
 * @param {import('./kit/state.js').State} state
 * @param {{ coarse: boolean, memo: import('./kit/spec.js').Memo }} context
 */
function compute(state, { coarse, memo }) {
  const [rho, keys, dK] = [Number(state.rho), Number(state.keys), Number(state.dK)];
  const pin = /** @type {Choice} */ (state.factor);
  const setting = { dK, keys, temperature: Number(state.temperature), gain: Number(state.gain) };
  const sample = { ...setting, queries: Number(state.queries), seed: Number(state.seed) };
  const drawn = Array.from({ length: coarse ? 11 : 41 }, (_, i) => i / (coarse ? 10 : 40));
  const measured = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
  const curves = /** @type {Choice[]} */ ([...new Set([...REFERENCES, pin])]);
  const map = memo('map', [keys, coarse], () =>
    dimensions(coarse ? 7 : 19).map((at) => ({
      dK: at,
      exponents: entropyExponents({ dK: at, keys, ratios: RATIOS }),
    })),
  );
  return {
    setting,
    map,
    choices: memo('choices', [sample], () => scaleChoices(sample)),
    now: alignmentCurve({ ...sample, choice: pin, alignments: [rho] })[0],
    other: alignmentCurve({ ...sample, choice: otherThan(pin), alignments: [rho] })[0],
    dots: memo('dots', [sample, pin], () =>
      alignmentCurve({ ...sample, choice: pin, alignments: measured }),
    ),
    lines: memo('lines', [setting, pin, coarse], () =>
      curves.map((choice) => ({
        choice,
        alignments: drawn,
        weights: alignmentTheory({ ...setting, choice, alignments: drawn }),
      })),
    ),
  };
}

/** What a choice is compared with. @param {Choice} pin  @returns {Choice} */
const otherThan = (pin) => (pin === 'sqrt' ? 'none' : 'sqrt');

/** @param {Choice} choice  @param {import('./kit/palette.js').Palette} palette  @returns {Series} */
function seriesOf(choice, palette) {
  const look = { none: orangeSeries, sqrt: blueSeries }[String(choice)] ?? greySeries;
  return look(palette, choice);
}

/** @param {View} view  @param {string} choice  @returns {string} */
const nameOf = ({ text: words }, choice) =>
  choice === 'none' ? words.none : words.formulas[choice];

/** @param {View} view  @returns {number} room right of the axes, for names of choices */
const room = (view) =>
  14 + Math.max(...SCALE_CHOICES.map((choice) => textWidth(nameOf(view, choice)) - 12));

// ---- the map ----------------------------------------------------------------------------------

/** @param {Panel} panel  @param {View} view */
function mapFrame(panel, view) {
  const box = inside(panel, { right: room(view) });
  const x = scaleLog([SMALLEST_D, LARGEST_D], [box.left, box.right]);
  const y = clamped(scaleLinear([0, TOP], [box.bottom, box.top]));
  return { box, x, y };
}

/**
 * The regions between borders of equal entropy, each from its border upwards to the next.
 * @param {{ x: ChartScale, y: ChartScale, view: View }} context
 */
function regions({ x, y, view: { data, palette } }) {
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
 * Which entropy a border stands for, where there is room for it on the border.
 * @param {{ x: ChartScale, y: ChartScale, view: View }} context
 */
function borderLabels({ x, y, view: { data, format, palette } }) {
  const column = data.map[Math.round(data.map.length * 0.8)];
  return LABELLED.map((ratio) => {
    const alpha = column.exponents[RATIOS.indexOf(ratio)];
    if (!(alpha > 0.05 && alpha < TOP)) return null;
    return text(x(column.dK), y(alpha) + 4, format.fixed(ratio, 1), {
      ...{ fill: palette.ink, anchor: 'middle', halo: palette.paper },
    });
  });
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function mapPanel(panel, view) {
  const { state, data, text: words, format, palette } = view;
  const { box, x, y } = mapFrame(panel, view);
  const context = { x, y, view };
  const { keys } = data.setting;
  const now = x(Number(state.dK));
  const freezing = data.map.map(({ dK }) => ({ x: dK, y: freezingExponent(keys, dK) }));
  const shown = freezing.filter((point) => point.y >= 0);
  const ink = { ...seriesOf('linear', palette), key: 'freezing', colour: palette.ink };
  const trails = SCALE_CHOICES.map((choice) =>
    theoryLine(
      data.map
        .map(({ dK }) => ({ x: dK, y: choiceExponent({ ...data.setting, choice, dK }) }))
        .filter((point) => point.y >= 0 && point.y <= TOP),
      { x, y, series: seriesOf(choice, palette), width: choice === state.factor ? 1.75 : 1 },
    ),
  );
  const last = { ...data.setting, dK: LARGEST_D };
  return [
    panelTitle(panel, words.mapPanel, palette),
    regions(context),
    handle(box),
    leftAxis(box, y, { ticks: [0, 0.5, 1], format: format.plain, palette }),
    segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.ink),
    trails,
    theoryLine(shown, { x, y, series: ink, dash: '2 3', width: 2 }),
    borderLabels(context),
    text(x(LARGEST_D) - 6, y(freezingExponent(keys, LARGEST_D)) + 17, words.freezing, {
      ...{ fill: palette.ink, anchor: 'end', halo: palette.paper, weight: 500 },
    }),
    data.choices.map(({ choice, alpha }) => [
      marks(seriesOf(choice, palette), [[now, y(alpha)]], 4),
      choice === state.factor &&
        node('circle', {
          ...{ cx: now, cy: y(alpha), r: 8, fill: 'none', stroke: palette.ink },
          'stroke-width': 1.5,
        }),
    ]),
    endLabels(
      box,
      SCALE_CHOICES.map((choice) => ({
        y: y(choiceExponent({ ...last, choice })),
        label: nameOf(view, choice),
        series: seriesOf(choice, palette),
      })),
    ),
    bottomAxis(box, x, {
      ticks: [2, 8, 32, 128, 512],
      format: format.plain,
      name: words.mapAxis,
      palette,
    }),
  ];
}

// ---- the aligned key --------------------------------------------------------------------------

/** @param {Panel} panel  @param {View} view */
function weightFrame(panel, view) {
  const box = inside(panel, { right: room(view) });
  const x = scaleLinear([0, 1], [box.left, box.right]);
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  return { box, x, y };
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function weightPanel(panel, view) {
  const { state, data, text: words, format, palette } = view;
  const { box, x, y } = weightFrame(panel, view);
  const pinned = seriesOf(data.now.choice, palette);
  const now = x(Number(state.rho));
  return [
    handle(box),
    panelTitle(panel, words.weightPanel, palette),
    leftAxis(box, y, { ticks: [0, 0.5, 1], format: format.plain, palette }),
    segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.folk),
    data.lines.map(({ choice, alignments, weights }) =>
      theoryLine(
        alignments.map((rho, index) => ({ x: rho, y: weights[index] })),
        { x, y, series: seriesOf(choice, palette), width: choice === state.factor ? 2 : 1.25 },
      ),
    ),
    dots(
      data.dots.map(({ rho, weight }) => ({ x: rho, y: weight })),
      { x, y, series: pinned, radius: 3 },
    ),
    node('circle', {
      ...{ cx: now, cy: y(data.now.weight), r: 7, fill: 'none', stroke: palette.ink },
      'stroke-width': 1.25,
    }),
    endLabels(
      box,
      data.lines.map(({ choice, weights }) => ({
        y: y(weights[weights.length - 1]),
        label: nameOf(view, choice),
        series: seriesOf(choice, palette),
      })),
    ),
    bottomAxis(box, x, {
      ticks: [0, 0.25, 0.5, 0.75, 1],
      format: format.plain,
      name: words.rhoAxis,
      palette,
    }),
  ];
}

// ---- the figure -------------------------------------------------------------------------------

const aspect = { wide: 0.42, narrow: 1.8 };

/** @param {number} width */
const layout = (width) => grid({ width, count: 2, columns: 2, aspect });

/** @type {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} */
function pick(view, point) {
  const [left, right] = layout(view.width).panels;
  const map = mapFrame(left, view);
  if (holds(map.box, point)) return { dK: Math.round(map.x.invert(point.x)) };
  const weight = weightFrame(right, view);
  if (holds(weight.box, point)) return { rho: weight.x.invert(point.x) };
  return undefined;
}

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const { panels, height } = layout(width);
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    mapPanel(panels[0], view),
    weightPanel(panels[1], view),
  );
}

/** @param {View} view  @param {Choice} choice */
const rowOf = ({ data }, choice) =>
  /** @type {Data['choices'][0]} */ (data.choices.find((row) => row.choice === choice));

/** @param {View} view  @returns {string} */
function title(view) {
  const { state, data, text: words, format } = view;
  const { choice, weight } = data.now;
  return words.title({
    factor: words.formulas[choice],
    dK: format.plain(Number(state.dK)),
    keys: format.plain(Number(state.keys)),
    entropy: format.percent(rowOf(view, choice).entropyRatio),
    rho: format.plain(Number(state.rho)),
    weight: format.percent(weight),
  });
}

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout(view) {
  const { state, data, text: words, format, palette } = view;
  const significant = (/** @type {number} */ value) => format.significant(value);
  return [data.now, data.other].map(({ choice, weight, theory }) => {
    const row = rowOf(view, choice);
    return {
      series: seriesOf(choice, palette),
      label: nameOf(view, choice),
      formula: `α = ${format.fixed(row.alpha, 2)}`,
      rows: [
        {
          quantity: words.entropyRatio,
          measured: row.entropyRatio,
          theory: row.entropyRatioTheory,
          format: significant,
        },
        {
          quantity: words.weight(format.plain(Number(state.rho))),
          measured: weight,
          theory,
          format: significant,
        },
        {
          quantity: words.deviation,
          measured: row.deviation,
          theory: row.deviationTheory,
          format: significant,
        },
      ],
    };
  });
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows(view) {
  const { data, text: words } = view;
  const { dK } = data.setting;
  const against = (/** @type {'entropyRatio' | 'deviation'} */ column) =>
    data.choices.map((row) => ({
      panel: words[column],
      series: nameOf(view, row.choice),
      x: dK,
      measured: row[column],
      theory: row[`${column}Theory`],
    }));
  const weights = data.dots.map(({ choice, rho, weight, theory }) => ({
    panel: words.weightPanel,
    series: nameOf(view, choice),
    x: rho,
    measured: weight,
    theory,
  }));
  const borders = data.map.flatMap(({ dK: at, exponents }) =>
    RATIOS.map((ratio, index) => ({
      panel: `${words.mapPanel} (α)`,
      series: String(ratio),
      x: at,
      theory: Number.isFinite(exponents[index]) ? exponents[index] : undefined,
    })),
  );
  return [...against('entropyRatio'), ...against('deviation'), ...weights, ...borders];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en>} */
export const spec = {
  name: 'scale',
  fields,
  visible: ['rho', 'factor', 'keys'],
  messages: { en, zh },
  aspect,
  seeded: true,
  compute,
  draw,
  pick,
  title,
  readout,
  rows,
  status: (view) => `${title(view).replaceAll('_', '')}.`,
  caption: ({ state, text: words, format }) =>
    words.caption({
      gain: format.fixed(Math.log(9 * (Number(state.keys) - 1)), 1),
      queries: format.plain(Number(state.queries)),
    }),
};

/**
 * Which factor scores may have: a map of the entropy over d_k and the factor's exponent, and the
 * weight on a key against its alignment with the query.
 *
 * @attr {number} rho - alignment of one key with the query, 0 … 1 (0.3)
 * @attr {'none' | 'temperature' | 'cosine' | 'sqrt' | 'half-sqrt' | 'linear'} factor - the factor looked at (sqrt)
 * @attr {number} keys - how many keys a query chooses from, 2 … 512 (64)
 * @attr {number} d-k - length of queries and keys, 2 … 1024 (64)
 * @attr {number} temperature - of the factor 1/T, 0.5 … 64 (4)
 * @attr {number} gain - of cosine similarity, 1 … 64 (10)
 * @attr {number} queries - sample size, 16 … 1024 (256)
 * @attr {number} seed - of the random numbers (5)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnScale extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnScale);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
