// What stands beside the large head: thumbnails of all heads, the largest weights of one query, and the
// products of queries and keys against the normal distribution that the scale assumes.

import { bottomAxis, text } from '../../figures/kit/chart/chart.js';
import { bars } from '../../figures/kit/chart/marks/bars.js';
import { curve } from '../../figures/kit/chart/marks/curve.js';
import { clamped, linear } from '../../figures/kit/chart/mapping.js';
import { greyLook } from '../../figures/kit/chart/looks.js';
import { points } from '../../figures/kit/chart/series.js';
import { node } from '../../figures/kit/chart/svg.js';
import { say } from '../../figures/kit/state/words.js';
import { times } from '../../shared/times.js';
import { coloursOf } from './large.js';
import { thumbGrid } from './layout.js';
import { largestOf, shades } from './shades.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { Look } from '../../figures/kit/chart/looks.js'
 * @import { View } from '../view/spec.js'
 */

/** Deviations that the histogram spans, its bins, and the top of its axis as a density. */
export const BINS = { count: 40, reach: 4 };
const TOP = 0.5;
const CURVE_POINTS = 81;
const BAR = 18;
/** Room for a key's name before its bar, and for a number after it. */
const NAME = 88;
const NUMBER = 52;
const TICKS = [-4, -2, 0, 2, 4];

/** Writes a title above a box. @param {View} view @param {Box} box @param {string} title */
const heading = ({ palette }, { left, right, top }, title) =>
  text(left, top - 8, title, { fill: palette.ink, weight: 600, within: right - left });

/** Draws the thumbnails; the chosen head is framed. @param {View} view @param {Box} box */
export function thumbs(view, box) {
  const { data, palette, text: words } = view;
  const grid = thumbGrid(box, data);
  return [
    heading(view, box, say(view, words.allHeads, { layers: data.layers, heads: data.heads })),
    data.overview.map(({ layer, head, thumb }) => {
      const { x, y } = grid.at(layer, head);
      const place = { left: x, top: y, right: x + grid.size, bottom: y + grid.size };
      const isShown = layer === data.layer && head === data.head;
      return [
        thumb && shades(thumb, place, { largest: largestOf(thumb.data), colours: coloursOf(view) }),
        node('rect', {
          x,
          y,
          width: grid.size,
          height: grid.size,
          fill: 'none',
          stroke: isShown ? palette.ink : palette.faint,
          'stroke-width': isShown ? 2 : 1,
        }),
      ];
    }),
  ];
}

/** Draws the largest weights of the chosen query. @param {View} view @param {Box} box @param {Look} series */
export function topBars(view, box, series) {
  const { data, palette, format, text: words } = view;
  const { left, right, top, bottom } = box;
  const count = Math.max(1, Math.floor((bottom - top) / BAR));
  const x = linear([0, 1], [left + NAME, right - NUMBER]);
  return [
    heading(view, box, say(view, words.barsTitle, { query: data.labels[data.query] })),
    data.top.slice(0, count).map(({ key, weight }, i) => {
      const middle = top + i * BAR + 10;
      const isChosen = key === data.key;
      return [
        text(left + NAME - 6, middle, data.keyLabels[key], {
          anchor: 'end',
          within: NAME - 8,
          fill: isChosen ? palette.ink : palette.muted,
          weight: isChosen ? 600 : undefined,
        }),
        node('rect', {
          x: left + NAME,
          y: middle - 10,
          width: Math.max(0, x(Math.min(1, weight)) - left - NAME) || 0,
          height: BAR - 6,
          fill: series.colour,
        }),
        text(x(Math.min(1, weight || 0)) + 5, middle, format.percent(weight), {
          fill: series.textColour,
        }),
      ];
    }),
  ];
}

/** Room for the halves of labels that lie beyond the first and the last tick. */
const HALF_LABEL = 8;

/** Draws the histogram of q·k and the density of N(0, d_k). @param {View} view @param {Box} box @param {Look} series */
export function dotProducts(view, box, series) {
  const { data, palette, format, text: words } = view;
  if (!data.histogram) return null;
  const map = {
    x: linear([-BINS.reach, BINS.reach], [box.left + HALF_LABEL, box.right - HALF_LABEL]),
    y: clamped(linear([0, TOP], [box.bottom, box.top])),
  };
  const normal = times(CURVE_POINTS, (i) => {
    const x = -BINS.reach + (2 * BINS.reach * i) / (CURVE_POINTS - 1);
    return { x, y: Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) };
  });
  return [
    heading(view, box, data.matrix ? words.histogramTitle : words.histogramOfSome),
    bars(box, points(data.histogram, { x: 'low', y: 'value', from: 'low', to: 'high' }), {
      ...map,
      look: series,
      opacity: 0.45,
    }),
    curve(normal, { ...map, look: greyLook(palette, 'normal') }),
    bottomAxis(box, map.x, {
      ticks: TICKS,
      format: format.plain,
      name: words.histogramAxis,
      palette,
    }),
  ];
}
