// The panels of <attn-scales>: all scales of today's models at the reader's d_k and n, and the chosen one
// as either grows.

import { SCALES } from '../../experiments/scale-list.js';
import { expectedScale, measureScale } from '../../experiments/scales.js';
import { points } from '../kit/chart/series.js';
import { segment, text } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { scaleLook } from '../kit/chart/looks.js';
import { linear, logarithmic } from '../kit/chart/mapping.js';
import { ring } from '../kit/chart/marks/ring.js';
import { byPlace, queriesNow } from '../common/sampling.js';
import { chosenSeries, nameOf } from '../common/scales.js';

/**
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Memo } from '../../shared/memo.js'
 * @import { Scale } from '../../experiments/scale-list.js'
 * @import { RowStatistics, ScaleSetting } from '../../experiments/scales.js'
 * @import { State, View } from './element.js'
 * @typedef {Omit<ScaleSetting, 'scale'>} Setting
 * @typedef {'keys' | 'dK'} Across
 */

/** What the panels show of a row. @type {readonly ('effectiveKeys' | 'maxWeight' | 'trace')[]} */
export const MEASURES = ['effectiveKeys', 'maxWeight', 'trace'];
/** What grows in the second panel. @type {readonly Across[]} */
export const ACROSS = ['keys', 'dK'];

/** The places of lines and dots, by what grows. */
const LINES = {
  keys: [2, 4, 16, 64, 256, 1024, 4096, 16384, 65536],
  dK: [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
};
const DOTS = { keys: [4, 16, 64, 256, 512], dK: [2, 8, 32, 128, 512] };

/** A scale at one place. @typedef {{ scale: Scale, x: number, keys: number } & RowStatistics} Row */

/**
 * Returns the sample from which scales are measured side by side.
 * @param {Pick<State, 'keys' | 'dK' | 'temperature' | 'gain' | 'trained' | 'queries' | 'seed'>} state
 * @param {{ coarse: boolean }} context
 */
export function sampleOf(state, { coarse }) {
  const { keys, dK, temperature, gain, trained, seed } = state;
  const queries = queriesNow(state, { coarse: true }, coarse ? 2048 : 16384);
  return { dK, keys, temperature, gain, trained, seed, queries };
}

/**
 * Computes the rows of some scales at the reader's place.
 * @param {Memo} memo
 * @param {Setting & { queries: number, seed: number }} sample
 * @param {readonly Scale[]} [scales]  all by default
 */
export function* scaleRows(memo, sample, scales = SCALES) {
  const { queries, seed, ...setting } = sample;
  /** @type {{ scale: Scale, measured: RowStatistics, theory: RowStatistics }[]} */
  const rows = [];
  for (const scale of scales) {
    const at = { ...setting, scale };
    const measure = () => measureScale({ ...at, queries, seed });
    rows.push({
      scale,
      measured: yield* memo(`measured ${scale}`, sample, measure),
      theory: yield* memo(`expected ${scale}`, setting, () => expectedScale(at)),
    });
  }
  return rows;
}

/**
 * Computes the lines of some scales as n or d_k grows.
 * @param {Memo} memo
 * @param {{ setting: Setting, across: Across, scales: readonly Scale[] }} options
 */
export function* scaleLines(memo, { setting, across, scales }) {
  /** @type {Row[]} */
  const rows = [];
  const rest = { ...setting, [across]: 0 };
  for (const scale of scales) {
    rows.push(
      ...(yield* byPlace(memo, `line ${scale}`, { inputs: [rest], places: LINES[across] }, (x) => {
        const at = { ...setting, [across]: x, scale };
        return [{ scale, x, keys: at.keys, ...expectedScale(at) }];
      })),
    );
  }
  return rows;
}

/**
 * Measures a scale as n or d_k grows, with as many scores at each place.
 * @param {Memo} memo
 * @param {{ setting: Setting & { seed: number }, across: Across, scale: Scale, coarse: boolean }} options
 *   coarse: with an eighth of the scores
 */
export const scaleDots = (memo, { setting, across, scale, coarse }) =>
  byPlace(
    memo,
    `dot ${scale}`,
    { inputs: [{ ...setting, [across]: 0 }, coarse], places: DOTS[across] },
    (x) => {
      const at = { ...setting, [across]: x, scale };
      const scores = coarse ? 2048 : 16384;
      const queries = Math.max(16, Math.min(256, 16 * Math.floor(scores / at.keys / 16)));
      return [{ scale, x, keys: at.keys, ...measureScale({ ...at, queries }) }];
    },
  );

/** The mapping of each measure at some number of keys. @param {View} view @returns {Panel['x'] & object} */
function axisOf({ state: { measure, keys }, text: words }) {
  const name = words.measures[measure];
  if (measure === 'effectiveKeys') {
    const ticks = [1, 4, 16, 64, 256].filter((tick) => tick <= keys);
    return { mapping: logarithmic, ends: [1, keys], ticks, name };
  }
  return { mapping: linear, ends: [0, 1], ticks: [0, 0.5, 1], name };
}

/** Describes the panel of all scales, one a line. @param {View} view  @returns {Panel} */
export function scalesPanel(view) {
  const { state, data, text: words, palette } = view;
  const { measure } = state;
  return {
    title: words.scalesPanel,
    margin: { left: 96 },
    x: axisOf(view),
    rows: data.scales.flatMap(({ scale, measured, theory }) =>
      MEASURES.map((each) => ({
        panel: words.measures[each],
        series: nameOf(view, scale),
        x: state.keys,
        across: 'n',
        measured: measured[each],
        theory: theory[each],
      })),
    ),
    marks: ({ place, box, x }) =>
      data.scales.map(({ scale, measured, theory }, index) => {
        const at = box.top + ((index + 0.5) * (box.bottom - box.top)) / data.scales.length;
        const series = scaleLook(palette, scale);
        const [low, high] = x.domain();
        const across = (/** @type {number} */ value) => x(Math.max(low, Math.min(high, value)));
        const tick = across(theory[measure]);
        return [
          segment({ x1: box.left, x2: box.right, y1: at, y2: at }, palette.faint),
          text(place.x, at + 4, nameOf(view, scale), {
            fill: series.textColour,
            within: 92,
            series: scale,
            weight: scale === state.factor ? 600 : undefined,
          }),
          segment({ x1: tick, x2: tick, y1: at - 7, y2: at + 7 }, series.colour, {
            width: 2,
            series: scale,
          }),
          symbols(series, [[across(measured[measure]), at]], 3),
          scale === state.factor && ring([across(measured[measure]), at], palette),
        ];
      }),
  };
}

/** Describes the panel of the chosen scale as n or d_k grows. @param {View} view  @returns {Panel} */
export function coursePanel(view) {
  const { state, data, text: words, palette } = view;
  const { measure, across } = state;
  // Effective keys as a share of all, so that a law that keeps it is a level line.
  const value = (/** @type {Row} */ row) =>
    measure === 'effectiveKeys' ? row.effectiveKeys / row.keys : row[measure];
  const scales = [...new Set(data.course.map(({ scale }) => scale))];
  const isKeys = across === 'keys';
  return {
    title: measure === 'effectiveKeys' ? words.shareOfKeys : words.measures[measure],
    x: {
      mapping: logarithmic,
      ends: isKeys ? [2, 65536] : [2, 1024],
      ticks: isKeys ? [2, 64, 1024, 65536] : [2, 8, 32, 128, 512],
      name: isKeys ? words.fields.keys : 'd_k',
    },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    now: state[across],
    picks: (at) => ({ [across]: at }),
    series: [
      ...scales.map((scale) => ({
        ...chosenSeries(view, scale),
        theory: points(
          data.course.filter((row) => row.scale === scale),
          { x: 'x', y: value },
        ),
      })),
      {
        look: scaleLook(palette, state.factor),
        name: nameOf(view, state.factor),
        measured: points(data.courseDots, { x: 'x', y: value }),
        size: 3,
      },
    ],
  };
}
