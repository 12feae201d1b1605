// The looks and names of the scales, the same in every panel of <attn-scale>.

import { blueLook, greyLook, orangeLook } from '../kit/chart/looks.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { Scale as Choice } from '../../experiments/index.js'
 * @import { View } from './element.js'
 */

/**
 * Returns the looks of the series.
 * @param {Choice} choice
 * @param {Palette} palette
 * @returns {Look}
 */
export function seriesOf(choice, palette) {
  const look = { none: orangeLook, sqrt: blueLook }[String(choice)] ?? greyLook;
  return look(palette, choice);
}

/** Returns the name of a choice. @param {View} view  @param {string} choice  @returns {string} */
export const nameOf = ({ text: words }, choice) =>
  choice === 'none' ? words.options.none : (words.labels[choice] ?? words.formulas[choice]);

/**
 * Declares look and name of a choice's line; that of the reader's is thicker.
 * @param {View} view
 * @param {Choice} choice
 */
export const chosenSeries = (view, choice) => ({
  look: seriesOf(choice, view.palette),
  label: nameOf(view, choice),
  width: choice === view.state.factor ? 2 : 1.25,
});
