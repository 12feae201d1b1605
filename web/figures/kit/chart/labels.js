// Labels of a chart that stand apart where their places would meet.

import { times } from '../../../shared/times.js';
import { SMALL, SYMBOL, text } from './chart.js';

/**
 * @import { Box } from './chart.js'
 * @import { Look } from './looks.js'
 * @import { Palette } from './palette.js'
 */

/** The height of a line of labels, without and with an index. */
export const LINE = SMALL + 4;
const LINE_WITH_INDEX = SMALL + 6;

/**
 * Returns places near the wanted ones, apart and within two ends: labels that would meet share the
 * distance between them (the pooling of adjacent violators: Barlow et al., "Statistical inference under
 * order restrictions", 1972).
 * @param {readonly { at: number, size: number }[]} wanted  in rising order; size: the distance to the next
 * @param {readonly [number, number]} ends  of the first and the last
 */
export function apart(wanted, [first, last]) {
  /** @type {{ sum: number, count: number }[]} */
  const groups = [];
  let offset = 0;
  const offsets = wanted.map(({ size }) => (offset += size) - size);
  const mean = (/** @type {typeof groups[0]} */ { sum, count }) => sum / count;
  wanted.forEach(({ at }, i) => {
    let group = { sum: at - offsets[i], count: 1 };
    for (let above = groups.at(-1); above && mean(above) > mean(group); above = groups.at(-1)) {
      group = { sum: above.sum + group.sum, count: above.count + group.count };
      groups.pop();
    }
    groups.push(group);
  });
  const highest = last - (offsets.at(-1) ?? 0);
  const places = groups.flatMap((group) => times(group.count, () => mean(group)));
  return places.map((place, i) => offsets[i] + Math.max(first, Math.min(place, highest)));
}

/**
 * Draws labels at the ends of lines, apart from each other and inside the box. A label within the box
 * stands above its line, which goes on.
 * @param {Box} box
 * @param {{ x: number, y: number, label: string, look: Look }[]} ends  in pixels
 * @param {Palette} palette
 */
export function endLabels(box, ends, { paper: halo }) {
  const sorted = ends
    .filter((end) => Number.isFinite(end.y))
    .map((end) => ({
      ...end,
      at: end.y + (end.x < box.right ? -6 : 4),
      size: SYMBOL.test(end.label) ? LINE_WITH_INDEX : LINE,
    }))
    .sort((a, b) => a.at - b.at);
  // An index at the bottom would reach the labels of the axis.
  const lowest = box.bottom + (sorted.at(-1)?.size === LINE_WITH_INDEX ? 1 : 4);
  const places = apart(sorted, [box.top + 4, lowest]);
  return sorted.map(({ x, label, look }, i) =>
    text(x + 8, places[i], label, {
      fill: look.textColour,
      series: look.key,
      weight: 500,
      halo,
    }),
  );
}
