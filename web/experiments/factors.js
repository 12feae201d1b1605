/**
 * The factors by which scores are multiplied before the softmax, by the names used in figures, and the
 * d_k at which curves evaluate them.
 */
import { dkScale } from '../shared/dk-scales.js';
import { times } from '../shared/times.js';

/** @import { DkScaleName } from '../shared/dk-scales.js' */

/**
 * The two series of every saturation row: the dot product, and the dot product times the factor.
 * @typedef {'unscaled' | 'scaled'} Scaling
 */

/** The two series, in the order of the rows. @type {readonly Scaling[]} */
export const SCALINGS = Object.freeze(['unscaled', 'scaled']);

/** The d_k of a curve by default: 1, 2, 4, … 1024. */
export const DIMENSIONS = Object.freeze(times(11, (i) => 2 ** i));

/**
 * A factor by name, evaluated at each d_k, or a number, the same at every d_k.
 * @typedef {number | DkScaleName} ScaleFactor
 */

/**
 * Returns the number that a factor stands for at one d_k.
 * @param {ScaleFactor} factor
 * @param {number} dK
 * @returns {number} a positive number
 */
export function scaleFactor(factor, dK) {
  return typeof factor === 'number' ? factor : dkScale(factor).factor(dK);
}

/**
 * Returns the factor of one series: 1 for 'unscaled', the given one for 'scaled'.
 * @param {Scaling} scaling
 * @param {ScaleFactor} factor
 * @param {number} dK
 */
export function factorOf(scaling, factor, dK) {
  return scaling === 'unscaled' ? 1 : scaleFactor(factor, dK);
}
