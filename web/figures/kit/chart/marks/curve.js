import { tenth } from '../chart.js';
import { node } from '../svg.js';

/**
 * @import { Mapping } from '../mapping.js'
 * @import { Look } from '../looks.js'
 * @import { Point } from '../series.js'
 */

/**
 * Draws a line through points.
 * @param {readonly Point[]} points  those that are not finite interrupt it
 * @param {{ x: Mapping, y: Mapping, look: Look, dash?: string, width?: number }} options
 */
export function curve(points, { x, y, look, dash, width = 1.75 }) {
  let path = '';
  let command = 'M';
  for (const point of points) {
    const drawn = Number.isFinite(point.y);
    if (drawn) path += `${command}${tenth(x(point.x))},${tenth(y(point.y))}`;
    command = drawn ? 'L' : 'M';
  }
  return node('path', {
    d: path,
    fill: 'none',
    stroke: look.colour,
    'stroke-width': width,
    'stroke-linejoin': 'round',
    'stroke-dasharray': dash,
    'data-series': look.key,
  });
}
