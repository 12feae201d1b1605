// Scores with and without a factor: the choice of it, and names and looks of the two.

import { blueLook, orangeLook } from '../kit/chart/looks.js';

/**
 * @import { DkScaleKey } from '../../shared/dk-scales.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { AnyView } from '../kit/spec.js'
 */

/** The factors in the order of their list. @type {readonly DkScaleKey[]} */
export const FACTOR_KEYS = ['sqrt', 'none', 'half-sqrt', 'linear'];

/** Returns the looks of the two series. @param {Palette} palette  @returns {Look[]} */
export const seriesOf = (palette) => [orangeLook(palette, 'unscaled'), blueLook(palette, 'scaled')];

/** Returns the rows of one series. @template {{ scaling: string }} Row @param {readonly Row[]} rows @param {{ key: string }} series */
export const ofSeries = (rows, { key }) => rows.filter(({ scaling }) => scaling === key);

/** Returns the name of a series in words. @param {AnyView} view @param {string} series */
export const nameOf = ({ text, state }, series) =>
  series !== 'scaled' ? text.unscaled : state.scale === 'none' ? text.byOne : text.scaled;
