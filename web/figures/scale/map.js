// The map of <attn-scale>: every factor d_k^−α at once, the entropy that it leaves, the freezing line
// (Derrida 1981), and where trained models stand.

import { SCALE_CHOICES } from '../../experiments/scale-list.js';
import { choiceExponent } from '../../experiments/scale.js';
import { freezingExponent } from '../../theory/scale.js';
import { times } from '../../shared/times.js';
import { nameOf } from '../common/scales.js';
import { curve } from '../kit/chart/marks/curve.js';
import { segment, text, textWidth } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { greyLook, scaleLook } from '../kit/chart/looks.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { ring } from '../kit/chart/marks/ring.js';
import { node } from '../kit/chart/svg.js';

/**
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { ScaleChoice as Choice } from '../../experiments/scale-list.js'
 * @import { View } from './element.js'
 */

export const SMALLEST_D = 2;
export const LARGEST_D = 1024;
const TOP = 1.2;
/** Borders of the colours of the map, from frozen to uniform. */
export const RATIOS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98];
const LABELLED = [0.1, 0.7, 0.9];
const STRONGEST = 0.62;

/**
 * Returns by how much every exponent is larger for entries of another variance v than 1: scores d_k^−α·q·k are then
 * v·d_k^−α times those of unit entries.
 * @param {{ variance: number }} setting
 * @param {number} dK
 */
export const exponentShift = ({ variance }, dK) => Math.log(variance) / Math.log(dK);

/** Returns the exponent at which softmax freezes. @param {{ keys: number, variance: number }} setting  @param {number} dK */
const freezing = (setting, dK) => freezingExponent(setting.keys, dK) + exponentShift(setting, dK);

/** @param {number} count  @returns {number[]} d_k at equal distances of the map */
export const dimensions = (count) => times(count, (i) => 2 ** (1 + (9 * i) / (count - 1)));

/** The heads of the English models of <attn-language>, d_k = 64, after their 1500 recorded steps, by the
 *  factor with which they were trained; three runs of each: the mean entropy / ln n, and the least, mean and
 *  largest of the mean correlations of queries and keys.
 *  @type {readonly { choice: Choice, entropyRatio: number, correlations: readonly [number, number, number] }[]} */
export const TRAINED = [
  { choice: 'none', entropyRatio: 0.047, correlations: [-0.325, -0.037, 0.133] },
  { choice: 'sqrt', entropyRatio: 0.49, correlations: [-0.407, -0.129, 0.054] },
  { choice: 'linear', entropyRatio: 0.975, correlations: [0.014, 0.045, 0.111] },
];

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

/** Draws the entropy of each border on it, where there is room. @param {View} view @param {Frame} frame */
function borderLabels({ data, text: words, format, palette }, { box, x, y }) {
  const column = data.map[Math.round((data.map.length * 2) / 3)];
  return LABELLED.map((ratio) => {
    const alpha = column.exponents[RATIOS.indexOf(ratio)];
    if (!(alpha > 0.05 && alpha < TOP)) return null;
    // The name of the freezing line stands at the right, 20 pixels under its end.
    const fromName = y(alpha) - y(freezing(data.setting, LARGEST_D)) - 16;
    const name = box.right - 6 - textWidth(words.freezing);
    if (Math.abs(fromName) < 15 && name < x(column.dK) + 16) return null;
    return text(x(column.dK), y(alpha) + 4, format.fixed(ratio, 1), {
      fill: palette.ink,
      anchor: 'middle',
      halo: palette.paper,
    });
  });
}

/** Returns the numbers of the map, and of the models on it, for the table. @param {View} view */
function mapRows(view) {
  const { data, text: words } = view;
  const across = 'd_k';
  const against = (/** @type {'entropyRatio' | 'deviation'} */ column) =>
    data.choices.map((row) => ({
      panel: words[column],
      series: nameOf(view, row.choice),
      x: data.setting.dK,
      across,
      measured: row[column],
      theory: row[`${column}Theory`],
    }));
  const borders = data.map.flatMap(({ dK, exponents }) =>
    RATIOS.map((ratio, index) => ({
      panel: `${words.mapPanel} (α)`,
      series: String(ratio),
      x: dK,
      across,
      theory: Number.isFinite(exponents[index]) ? exponents[index] : undefined,
    })),
  );
  const trained = TRAINED.map(({ choice, entropyRatio: measured }) => ({
    panel: words.trained,
    series: nameOf(view, choice),
    x: 64,
    across,
    measured,
  }));
  return [...against('entropyRatio'), ...against('deviation'), ...borders, ...trained];
}

/** Describes the panel of a map. @param {View} view  @returns {Panel} */
export function mapPanel(view) {
  const { state, data, text: words, palette } = view;
  const { setting, choices } = data;
  const ink = { ...greyLook(palette, 'freezing'), colour: palette.ink };
  const alphaAt = (/** @type {Choice} */ choice, /** @type {number} */ dK) =>
    choiceExponent({ ...setting, choice, dK });
  const freezingAt = (/** @type {number} */ dK) => freezing(setting, dK);
  const along = (/** @type {(dK: number) => number} */ alpha) =>
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
    series: SCALE_CHOICES.map((choice) => ({
      look: scaleLook(palette, choice),
      label: nameOf(view, choice),
      end: { y: alphaAt(choice, LARGEST_D) },
    })),
    rows: mapRows(view),
    marks(frame) {
      const { box, x, y } = frame;
      const now = x(setting.dK);
      return [
        regions(view, frame),
        segment({ x1: now, x2: now, y1: box.top, y2: box.bottom }, palette.ink),
        SCALE_CHOICES.map((choice) =>
          curve(
            along((dK) => alphaAt(choice, dK)),
            { x, y, look: scaleLook(palette, choice), width: choice === state.factor ? 1.75 : 1 },
          ),
        ),
        curve(along(freezingAt), { x, y, look: ink, dash: '2 3', width: 2 }),
        borderLabels(view, frame),
        text(box.right - 6, y(freezingAt(LARGEST_D)) + 20, words.freezing, {
          fill: palette.ink,
          anchor: 'end',
          halo: palette.paper,
          weight: 500,
        }),
        TRAINED.map(({ choice }, index) =>
          symbols(
            { ...scaleLook(palette, choice), marker: 'triangle' },
            [[x(64), y(data.trained[index])]],
            4.5,
            palette.paper,
          ),
        ),
        choices.map(({ choice, alpha }) => [
          symbols(scaleLook(palette, choice), [[now, y(alpha)]], 4),
          choice === state.factor && ring([now, y(alpha)], palette),
        ]),
      ];
    },
  };
}
