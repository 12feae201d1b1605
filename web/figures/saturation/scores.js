// The panel of scores in <attn-saturation>: both histograms on one fixed axis, with their exact densities.

import { scoreProbability } from '../../theory/index.js';
import { times } from '../../shared/times.js';
import { nameOf, ofSeries, seriesOf } from '../common/factors.js';
import { bars, text, textWidth, theoryLine } from '../kit/chart/chart.js';
import { apart, LINE } from '../kit/chart/labels.js';

/**
 * @import { Series } from '../kit/chart/chart.js'
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 */

/** Half the width of the score axis: 30 shows nearly four deviations at d_k = 64. */
export const SCORE_LIMIT = 30;
/** The points of the curve of a density, and the deviations that it spans. */
const CURVE_POINTS = 80;
const CURVE_REACH = 4;

/**
 * Top of the density axis for entries of size 1, fixed for each scale so that dragging d_k never
 * moves it; higher densities are cut off there.
 */
const DENSITY_TOP = { sqrt: 0.44, none: 0.44, 'half-sqrt': 0.88, linear: 2.2 };

/**
 * Returns histogram and exact density of one series, with the deviation that stands beside it.
 * @param {Series} series
 * @param {number} aside the place of the label on the curve, in deviations
 * @param {View} view
 * @param {Frame} frame
 */
function distribution(series, aside, view, { box, x, y }) {
  const rows = ofSeries(view.data.histogram, series);
  const values = rows.map(({ low, high, density }) => ({ low, high, value: density }));
  const [{ dK, scoreDeviation, scoreDeviationTheory: sigma }] = ofSeries(view.data.summary, series);
  const cell = sigma / 20;
  const density = (/** @type {number} */ at) =>
    scoreProbability(at, at + cell, dK, { factor: sigma / Math.sqrt(dK) }) / cell;
  const reach = Math.min(CURVE_REACH * sigma, SCORE_LIMIT);
  const half = times(CURVE_POINTS / 2, (i) => {
    const at = reach * (1 - (2 * i) / (CURVE_POINTS - 1));
    return { x: at, y: density(at - cell / 2) };
  });
  const exact = [...half.map(({ x: at, y: value }) => ({ x: -at, y: value })), ...half.reverse()];
  const label = `${nameOf(view, series.key)} σ = ${view.format.significant(scoreDeviation)}`;
  // Right of the curve, or where there is no room, above it.
  const left = Math.min(x(aside * sigma) + 8, box.right - textWidth(label));
  const at = y(density(Math.max(0, x.invert(left - 8)))) - 2;
  return {
    lines: [
      bars(box, values, { x, y, series, opacity: 0.38 }),
      theoryLine(exact, { x, y, series }),
    ],
    label: { left, at, label, series, size: LINE },
  };
}

/**
 * Draws the labels of both distributions, which may be the same.
 * @param {ReturnType<typeof distribution>['label'][]} labels
 * @param {Frame} frame
 */
function deviations(labels, { box }) {
  const sorted = [...labels].sort((a, b) => a.at - b.at);
  const [first, second] = sorted;
  const [left, right] = first.left < second.left ? [first, second] : [second, first];
  const meet = left.left + textWidth(left.label) > right.left;
  const places = meet ? apart(sorted, [box.top, box.bottom - 4]) : sorted.map(({ at }) => at);
  return sorted.map(({ left: x, label, series }, i) =>
    text(x, places[i], label, { fill: series.textColour, series: series.key, weight: 500 }),
  );
}

/** Describes the panel of scores. @param {View} view  @returns {Panel} */
export function scorePanel(view) {
  const { state, text: words, palette } = view;
  const top = DENSITY_TOP[state.scale] / state.entrySize ** 2;
  const [unscaled, scaled] = seriesOf(palette);
  return {
    title: words.scorePanel,
    x: {
      ends: [-SCORE_LIMIT, SCORE_LIMIT],
      ticks: [-30, -15, 0, 15, 30],
      name: words.scoreAxis,
    },
    margin: { left: 42 },
    y: {
      ends: [0, top],
      ticks: [0, top / 2.2, top / 1.1].map((tick) => Number(tick.toPrecision(2))),
    },
    marks(frame) {
      const both = [
        distribution(unscaled, 1.5, view, frame),
        distribution(scaled, 0.5, view, frame),
      ];
      const labels = deviations(
        both.map(({ label }) => label),
        frame,
      );
      return [...both.map(({ lines }) => lines), labels];
    },
  };
}
