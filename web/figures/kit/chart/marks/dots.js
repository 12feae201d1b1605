import { tenth } from '../chart.js';
import { node } from '../svg.js';
import { symbols } from './symbols.js';

/**
 * @import { Mapping } from '../mapping.js'
 * @import { Look } from '../looks.js'
 * @import { Point } from '../series.js'
 */

/**
 * Draws measurements as dots, with thin whiskers where their range is known.
 * @param {readonly Point[]} points  those that are not finite are left out
 * @param {{ x: Mapping, y: Mapping, look: Look, size?: number, hollow?: string }} options
 */
export function dots(points, { x, y, look, size, hollow }) {
  const shown = points.filter((point) => Number.isFinite(y(point.y)));
  const whiskers = shown
    .filter(({ low, high }) => low !== undefined && high !== undefined)
    .map(({ x: at, low = 0, high = 0 }) => `M${tenth(x(at))},${tenth(y(low))}V${tenth(y(high))}`);
  return [
    whiskers.length > 0 &&
      node('path', {
        d: whiskers.join(''),
        stroke: look.colour,
        'stroke-opacity': 0.5,
        'data-series': look.key,
      }),
    symbols(
      look,
      shown.map((point) => [x(point.x), y(point.y)]),
      size,
      hollow,
    ),
  ];
}
