// The panel of scores in <attn-saturation>: both histograms on one fixed axis, with their exact densities.

import { scoreProbability } from '../../theory/density.js';
import { times } from '../../shared/times.js';
import { nameOf, ofSeries, seriesOf } from '../common/factors.js';
import { points } from '../kit/chart/series.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { View } from './element.js'
 */

/** Half the width of the score axis: 30 shows nearly four deviations at d_k = 64. */
export const SCORE_LIMIT = 30;
/** Where there still is room for the name of a curve at the right. */
const LABEL_LIMIT = 4;
/** The points of the curve of a density, and the deviations that it spans. */
const CURVE_POINTS = 80;
const CURVE_REACH = 4;

/**
 * Top of the density axis for entries of size 1, fixed for each scale so that dragging d_k never
 * moves it; higher densities are cut off there.
 */
const DENSITY_TOP = { sqrt: 0.44, none: 0.44, 'half-sqrt': 0.88, linear: 2.2 };

/**
 * Declares histogram and exact density of one series, with the deviation that stands beside it.
 * @param {Look} look
 * @param {number} aside the place of the label on the curve, in deviations
 * @param {View} view
 * @returns {Series}
 */
function distribution(look, aside, view) {
  const [{ dK, factor, scoreDeviation, scoreDeviationTheory: sigma }] = ofSeries(
    view.data.summary,
    look,
  );
  const { mean } = view.state;
  const unit = factor * view.data.variance;
  const middle = unit * dK * mean ** 2;
  const cell = sigma / 20;
  const density = (/** @type {number} */ at) =>
    scoreProbability(at, at + cell, dK, { factor: unit, mean }) / cell;
  const [first, last] = [-1, 1].map((side) =>
    Math.max(-SCORE_LIMIT, Math.min(SCORE_LIMIT, middle + side * CURVE_REACH * sigma)),
  );
  const curve = times(CURVE_POINTS, (i) => {
    const x = first + ((last - first) * i) / (CURVE_POINTS - 1);
    return { x, y: density(x - cell / 2) };
  });
  const name = nameOf(view, look.key);
  const at = Math.min(middle + aside * sigma, LABEL_LIMIT);
  return {
    look,
    name,
    label: `${name} σ = ${view.format.significant(scoreDeviation)}`,
    end: { x: at, y: density(at) },
    measured: points(ofSeries(view.data.histogram, look), {
      x: ({ low, high }) => (low + high) / 2,
      y: 'density',
      theory: 'theory',
      from: 'low',
      to: 'high',
    }),
    bars: 0.38,
    theory: curve,
  };
}

/** Describes the panel of scores. @param {View} view  @returns {Panel} */
export function scorePanel(view) {
  const { state, data, text: words, palette } = view;
  const top = DENSITY_TOP[state.scale] / data.variance;
  const [unscaled, scaled] = seriesOf(palette);
  return {
    title: words.scorePanel,
    x: {
      ends: [-SCORE_LIMIT, SCORE_LIMIT],
      ticks: [-30, -15, 0, 15, 30],
      name: words.scoreAxis,
    },
    margin: { left: 42, right: 10 },
    y: {
      ends: [0, top],
      ticks: [0, top / 2.2, top / 1.1].map((tick) => Number(tick.toPrecision(2))),
    },
    series: [distribution(unscaled, 1.5, view), distribution(scaled, 0.5, view)],
  };
}
