// The looks and names of the scales, the same in every panel of <attn-scale>.

import { blueSeries, greySeries, orangeSeries } from '../kit/chart/series.js';

/**
 * @import { Series } from '../kit/chart/chart.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { Scale as Choice } from '../../experiments/index.js'
 * @import { View } from './element.js'
 */

/**
 * Returns the looks of the series.
 * @param {Choice} choice
 * @param {Palette} palette
 * @returns {Series}
 */
export function seriesOf(choice, palette) {
  const look = { none: orangeSeries, sqrt: blueSeries }[String(choice)] ?? greySeries;
  return look(palette, choice);
}

/** Returns the name of a choice. @param {View} view  @param {string} choice  @returns {string} */
export const nameOf = ({ text: words }, choice) =>
  choice === 'none' ? words.options.none : (words.labels[choice] ?? words.formulas[choice]);
