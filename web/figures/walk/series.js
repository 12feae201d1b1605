// The three scales of <attn-walk>: their looks, their rows, and the axis of scores that they share.

import { dkScale } from '../../shared/dk-scales.js';
import { entrySizeOf } from '../common/starts.js';
import { scaleLook } from '../kit/chart/looks.js';

/**
 * @import { ScaleFactor } from '../../experiments/factors.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { StartKey } from '../../shared/starts.js'
 * @import { View } from './element.js'
 * @typedef {typeof SCALES[number]} WalkScale
 */

/** The scales by which scores are multiplied, in the order of their buttons. */
export const SCALES = /** @type {const} */ (['none', 'sqrt', 'linear']);

/** Half the height of the axis of scores: three times the largest deviation, √512, of unit entries. */
export const SCORE_LIMIT = 68;

/** Returns half the height of the axis, which larger entries widen. @param {{ start: StartKey }} state */
export const scoreLimit = (state) => SCORE_LIMIT * Math.max(1, entrySizeOf(state) ** 2);

/** Returns the length of a typical key in words. @param {{ start: StartKey }} state */
export const rootOf = ({ start }) => (start === 'unit' ? '√d_k' : '√(d_k·v)');

/** Returns the looks of the scales. @param {Palette} palette */
export const looksOf = (palette) => SCALES.map((scale) => scaleLook(palette, scale));

/** Returns the look of the scale that is shown. @param {View} view */
export const chosenLook = ({ state, palette }) => scaleLook(palette, state.scale);

/**
 * Returns the rows of one scale.
 * @template {{ factor: ScaleFactor }} Row
 * @param {readonly Row[]} rows
 * @param {WalkScale} key
 */
export const rowsOfScale = (rows, key) => rows.filter(({ factor }) => factor === dkScale(key).name);
