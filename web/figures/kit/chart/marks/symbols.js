import { tenth } from '../chart.js';
import { node } from '../svg.js';

/**
 * @import { Look, Marker } from '../looks.js'
 * @typedef {readonly [x: number, y: number]} Place  in pixels
 */

/**
 * Returns the path of one symbol.
 * @param {Marker} marker
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function symbolPath(marker, x, y, r) {
  if (marker === 'diamond') {
    const reach = tenth(r * 1.3);
    return `M${tenth(x - reach)},${y}l${reach},${-reach} ${reach},${reach} ${-reach},${reach}z`;
  }
  if (marker === 'triangle') {
    return `M${tenth(x - r)},${tenth(y + r)}h${2 * r}l${-r},${-2 * r}z`;
  }
  if (marker === 'square') {
    const side = tenth(r * 1.8);
    return `M${tenth(x - side / 2)},${tenth(y - side / 2)}h${side}v${side}h${-side}z`;
  }
  return `M${tenth(x - r)},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`;
}

/**
 * Draws the symbols of a series, as one shape; a single symbol serves as legend.
 * @param {Look} look
 * @param {readonly Place[]} places
 * @param {number} [r]
 * @param {string} [hollow] the fill of symbols that are outlines
 */
export const symbols = (look, places, r = 3.5, hollow = undefined) =>
  node('path', {
    d: places.map(([x, y]) => symbolPath(look.marker, tenth(x), tenth(y), r)).join(''),
    fill: hollow ?? look.colour,
    stroke: hollow && look.colour,
    'stroke-width': hollow && 1.5,
    'data-series': look.key,
  });
