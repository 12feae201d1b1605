import { tenth } from '../chart.js';
import { node } from '../svg.js';

/**
 * @import { Box } from '../chart.js'
 * @import { Mapping } from '../mapping.js'
 * @import { Look } from '../looks.js'
 */

/**
 * Draws bars from the zero line, as one path.
 * @param {Box} box
 * @param {readonly { from?: number, to?: number, y: number }[]} bars  data units
 * @param {{ x: Mapping, y: Mapping, look: Look, opacity?: number }} options
 */
export function bars(box, bars, { x, y, look, opacity = 1 }) {
  const bottom = tenth(box.bottom);
  let d = '';
  let end = NaN;
  for (const { from = NaN, to = NaN, y: value } of bars) {
    if (value <= 0) continue;
    // Bars that touch share one outline.
    if (from !== end) d += `${d && `V${bottom}Z`}M${tenth(x(from))},${bottom}`;
    d += `V${tenth(Math.max(box.top, y(value)))}H${tenth(x(to))}`;
    end = to;
  }
  if (d) d += `V${bottom}Z`;
  return node('path', {
    d,
    fill: look.colour,
    'fill-opacity': opacity,
    'data-series': look.key,
  });
}
