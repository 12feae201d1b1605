// Scores with and without a factor: names, factors and looks of the two.

import { keysOf } from '../../shared/keys.js';
import { blueSeries, orangeSeries } from '../kit/chart/series.js';

/**
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { Series } from '../kit/chart/chart.js'
 * @import { AnyView } from '../kit/spec.js'
 */

/** The names of the experiments, by the names in attributes and links. */
export const FACTORS = /** @type {const} */ ({
  sqrt: '1/√d',
  none: 'none',
  'half-sqrt': '1/(2√d)',
  linear: '1/d',
});

/** @typedef {keyof typeof FACTORS} FactorName */

/** @type {readonly FactorName[]} */
export const FACTOR_NAMES = keysOf(FACTORS);

/** Returns the looks of the two series. @param {Palette} palette  @returns {Series[]} */
export const seriesOf = (palette) => [
  orangeSeries(palette, 'unscaled'),
  blueSeries(palette, 'scaled'),
];

/**
 * Returns the rows of one series.
 * @template {{ scaling: string }} Row
 * @param {readonly Row[]} rows
 * @param {{ key: string }} series
 * @returns {Row[]}
 */
export const ofSeries = (rows, { key }) => rows.filter(({ scaling }) => scaling === key);

/**
 * Returns the name of a series in words.
 * @param {AnyView} view
 * @param {string} series
 * @returns {string}
 */
export const nameOf = ({ text, state }, series) =>
  series !== 'scaled' ? text.unscaled : state.scale === 'none' ? text.byOne : text.scaled;
