import { node } from '../svg.js';

/**
 * @import { Palette } from '../palette.js'
 * @import { Place } from './symbols.js'
 */

/**
 * Draws a ring around the mark that the reader has chosen.
 * @param {Place} place
 * @param {Palette} palette
 * @param {{ r?: number, series?: string }} [options]
 */
export const ring = ([cx, cy], palette, { r = 7, series } = {}) =>
  Number.isFinite(cy) &&
  node('circle', {
    cx,
    cy,
    r,
    fill: 'none',
    stroke: palette.ink,
    'stroke-width': 1.25,
    'data-series': series,
  });
