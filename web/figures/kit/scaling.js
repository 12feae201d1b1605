// Scores with a factor beside scores without: names, factors and looks of the two.

import { blueSeries, orangeSeries } from './chart.js';

/** Names in attributes and links → names of the experiments. */
export const FACTORS = /** @type {const} */ ({
  sqrt: '1/√d',
  none: 'none',
  'half-sqrt': '1/(2√d)',
  linear: '1/d',
});

/** @typedef {keyof typeof FACTORS} Scale */

/** @param {import('./palette.js').Palette} palette  @returns {import('./chart.js').Series[]} */
export const seriesOf = (palette) => [
  orangeSeries(palette, 'unscaled'),
  blueSeries(palette, 'scaled'),
];

/**
 * @template {{ scaling: string }} Row
 * @param {readonly Row[]} rows
 * @param {{ key: string }} series
 * @returns {Row[]}
 */
export const ofSeries = (rows, { key }) => rows.filter(({ scaling }) => scaling === key);

/** @param {import('./spec.js').View<any, any>} view  @param {string} series  @returns {string} */
export const nameOf = ({ text, state }, series) =>
  series !== 'scaled' ? text.unscaled : state.scale === 'none' ? text.byOne : text.scaled;
