import { tenth } from '../chart.js';
import { node } from '../svg.js';

/**
 * @import { Mapping } from '../mapping.js'
 * @import { Look } from '../looks.js'
 * @import { Point } from '../series.js'
 */

/**
 * Draws a range of quantiles as the area between low and high.
 * @param {readonly Point[]} points
 * @param {{ x: Mapping, y: Mapping, look: Look }} options
 */
export function area(points, { x, y, look }) {
  const upper = points.map((point) => `${tenth(x(point.x))},${tenth(y(point.high ?? NaN))}`);
  const lower = points.map((point) => `${tenth(x(point.x))},${tenth(y(point.low ?? NaN))}`);
  return node('path', {
    d: `M${[...upper, ...lower.reverse()].join('L')}Z`,
    fill: look.colour,
    'fill-opacity': 0.14,
    'data-series': look.key,
  });
}
