// The names and looks of the scales, the same in every panel of <attn-scale> and <attn-scales>.

import { scaleLook } from '../kit/chart/looks.js';

/**
 * @import { AnyView } from '../kit/spec.js'
 * @import { Scale } from '../../experiments/scale-list.js'
 */

/** Curves beside the chosen one. @type {readonly Scale[]} */
export const REFERENCES = ['none', 'sqrt', 'linear'];

/** Returns the scale to compare with. @param {Scale} scale  @returns {Scale} */
export const otherThan = (scale) => (scale === 'sqrt' ? 'none' : 'sqrt');

/** Returns the name of a scale. @param {Pick<AnyView, 'text'>} view  @param {string} scale  @returns {string} */
export const nameOf = ({ text: words }, scale) =>
  scale === 'none' ? words.options.none : (words.labels[scale] ?? words.formulas[scale]);

/**
 * Declares look and name of a scale's line; that of the reader's is thicker.
 * @param {AnyView} view
 * @param {Scale} scale
 */
export const chosenSeries = (view, scale) => ({
  look: scaleLook(view.palette, scale),
  label: nameOf(view, scale),
  width: scale === view.state.factor ? 2 : 1.25,
});
