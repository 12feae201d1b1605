// Places of a chart: panels side by side or stacked, and the plot in each.

import { times } from '../../../shared/times.js';
import { heightBase, STACK_BELOW } from './chart.js';
import { node } from './svg.js';

/** @import { Aspect, Box, Panel } from './chart.js' */

/** The greatest height of a panel across the whole width, as a share of it. */
const SINGLE = 0.34;

/**
 * The greatest height of a compact picture, in pixels of usual text: a slide of 960 × 700, whose text is two and a
 * half times as large, has room for it below a heading and a title of two lines. In narrow columns, it is a share of
 * the width.
 */
export const COMPACT_HEIGHT = 310;
const COMPACT_SHARE = 0.75;

/**
 * Places panels side by side, or below each other where there is no room.
 * @param {{ width: number, count: number, of?: number, columns: number, gutter?: number,
 *   aspect: Aspect, isCompact?: boolean }} options
 *   of: the number of all panels, where only some are shown; columns: where there is room; aspect:
 *   height of the picture of all panels as a share of its width
 * @returns {{ panels: Panel[], height: number }}
 */
export function grid({
  width,
  count,
  of = count,
  columns,
  gutter = 28,
  aspect,
  isCompact = false,
}) {
  const { below = STACK_BELOW } = aspect;
  const wide = width >= below;
  const across = wide ? Math.min(columns, count) : 1;
  const panelWidth = Math.floor((width - gutter * (across - 1)) / across);
  const usual = (wide ? aspect.wide : aspect.narrow) / Math.ceil(of / (wide ? columns : 1));
  const share = wide && count === 1 ? Math.min(usual, SINGLE) : usual;
  const panelHeight = isCompact
    ? Math.min(COMPACT_HEIGHT, panelWidth * COMPACT_SHARE)
    : heightBase(width, below) * share;
  const panels = times(count, (index) => ({
    x: (index % across) * (panelWidth + gutter),
    y: Math.floor(index / across) * panelHeight,
    width: panelWidth,
    height: panelHeight,
  }));
  return { panels, height: Math.ceil(count / across) * panelHeight };
}

/**
 * Places two panels, and a third below them across the whole width.
 * @param {number} width
 * @param {Record<'upper' | 'lower', Aspect> & { below: number }} shares  heights of the two, and of the third, as
 *   shares of the width; below: the width below which all stack
 */
export function twoAboveOne(width, { upper, lower, below }) {
  const aspect = { ...upper, below };
  const { panels, height: y } = grid({ width, count: 2, columns: 2, aspect });
  const height = heightBase(width, below) * (width < below ? lower.narrow : lower.wide);
  return { panels: [...panels, { x: 0, y, width, height }], height: y + height };
}

/**
 * Returns the place of a panel's plot, inside of its axes.
 * @param {Panel} panel
 * @param {{ left?: number, right?: number, top?: number }} margin
 * @returns {Box}
 */
export const plotArea = (panel, { left = 30, right = 10, top = 32 }) => ({
  left: panel.x + left,
  right: panel.x + panel.width - right,
  top: panel.y + top,
  bottom: panel.y + panel.height - 46,
});

/**
 * Draws a transparent area that receives the pointer.
 * @param {Box} box
 * @param {Record<string, string>} [look] attributes of the area
 */
export const handle = ({ left, right, top, bottom }, look = { cursor: 'ew-resize' }) =>
  node('rect', {
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    fill: 'none',
    'pointer-events': 'all',
    ...look,
  });

/** Returns whether a place contains a point. @param {Box} box @param {{ x: number, y: number }} point */
export const containsPoint = ({ left, right, top, bottom }, { x, y }) =>
  x >= left && x <= right && y >= top && y <= bottom;
