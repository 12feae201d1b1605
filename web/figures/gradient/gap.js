// The panel of <attn-gradient> against the gap of two keys: weight, slope and update.

import { times } from '../../shared/times.js';
import { blueLook, greyLook, orangeLook } from '../kit/chart/looks.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { points } from '../kit/chart/series.js';
import { asPower } from '../kit/state/language.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Series } from '../kit/chart/series.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 */

/** The ends of the gap; the least is that of a key among eight alike, to all others together. */
export const GAPS = { min: -2, max: 50 };

/** The gaps of the exact lines; every other of them is computed in float32 too. */
export const DRAWN_GAPS = times(GAPS.max - GAPS.min + 1, (index) => GAPS.min + index);

/**
 * Returns the gap between the largest of some logits and all others together, z − ln Σ e^z of the others: two
 * keys that far apart share the weight as this key and the others do.
 * @param {readonly number[]} logits
 */
export function gapOf(logits) {
  const [largest, ...others] = [...logits].sort((a, b) => b - a);
  const sum = others.reduce((total, logit) => total + Math.exp(logit - others[0]), 0);
  return largest - others[0] - Math.log(sum);
}

/** Each line by its column, that of float32 beside it, and the place of its label. */
const LINES = /** @type {const} */ ([
  { exact: 'weight', computed: undefined, lookOf: greyLook, end: { x: 42, y: 2e-3 } },
  { exact: 'slope', computed: 'slope32', lookOf: orangeLook, end: { x: 30, y: 1e-10 } },
  { exact: 'update', computed: 'update32', lookOf: blueLook, end: { x: 4, y: 1e-17 } },
]);

/**
 * Declares the lines, with what float32 makes of them as dots, and the present gap as rings.
 * @param {View} view
 * @returns {Series[]}
 */
const gapSeries = ({ data, text: words, palette }) =>
  LINES.map(({ exact, computed, lookOf, end }) => ({
    look: lookOf(palette, exact),
    label: words.gapLines[exact],
    end,
    theory: points(data.gaps, { x: 'gap', y: exact }),
    measured: computed && points(data.computed, { x: 'gap', y: computed }),
    size: 2.5,
    cut: true,
    chosen: data.gap.gap <= GAPS.max ? { x: data.gap.gap, y: data.gap[exact] } : undefined,
  }));

/** Describes the panel of the gap. @param {View} view  @returns {Panel} */
export function gapPanel(view) {
  const { data, text: words, format } = view;
  const two = (/** @type {number} */ value) => (value ? format.significant(value, 2) : '0');
  const { gap, weight, slope, update, update32 } = data.gap;
  return {
    title: words.gapPanel,
    note: say(view, words.gapNote, {
      gap: format.fixed(gap, 1),
      weight: format.percent(weight),
      slope: two(slope),
      update: two(update),
      update32: two(update32),
    }),
    x: { ends: [GAPS.min, GAPS.max], ticks: [0, 10, 20, 30, 40, 50], name: words.gapAxis },
    y: {
      mapping: logarithmic,
      ends: [1e-24, 1],
      ticks: [1e-24, 1e-16, 1e-8, 1],
      format: asPower,
    },
    margin: { left: 40, top: 62, right: 10 },
    picks: (at) => ({ gap: at }),
    series: gapSeries(view),
  };
}
