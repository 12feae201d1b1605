// The places in the picture of <attn-view>: the large head, and beside or below it the thumbnails of all
// heads, the bars of one query and the histogram.

import { heightBase, PAIR_FROM, STACK_BELOW } from '../../figures/kit/chart/chart.js';
import { COMPACT_HEIGHT } from '../../figures/kit/chart/layout.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @typedef {{ thumbs: Box, bars: Box, histogram: Box }} Sides  what stands beside the large head
 */

/** The height of the picture as a share of its width. */
export const aspect = { wide: 0.68, narrow: 2.5, pair: 2.06 };

/** Room for a title above each part, and for the tokens beside the large head. */
export const TITLE = 26;
const LABELS = { left: 84, top: 76 };
const GAP = 28;
const LARGEST_THUMB = 72;
const THUMB_GAP = 4;

/** Returns the place of the large head. @param {number} side  in pixels */
function matrixOf(side) {
  const [left, top] = [LABELS.left, TITLE + LABELS.top];
  return { left, right: left + side, top, bottom: top + side };
}

/** Returns a box that is lower. @param {Box} box @param {number} by */
const lowered = ({ left, right, top, bottom }, by) => ({
  left,
  right,
  top: top + by,
  bottom: bottom + by,
});

/** @typedef {{ matrix: Box, sides?: Sides, height: number }} Layout */

/**
 * Returns the places of the parts, in pixels; a compact picture is of the large head alone.
 * @param {{ width: number, compact?: boolean, data: { histogram?: unknown } }} view
 * @param {number} [above]  the height of what stands above them
 * @returns {Layout}
 */
export function layoutOf(view, above = 0) {
  const { matrix, sides, height } = placesOf(view);
  return {
    matrix: lowered(matrix, above),
    sides: sides && {
      thumbs: lowered(sides.thumbs, above),
      bars: lowered(sides.bars, above),
      histogram: lowered(sides.histogram, above),
    },
    height: height + above,
  };
}

/** @type {(view: Parameters<typeof layoutOf>[0]) => Layout} */
function placesOf({ width, compact, data }) {
  const hasHistogram = data.histogram !== undefined;
  const isWide = width >= STACK_BELOW;
  const across = heightBase(width) - LABELS.left - 4;
  if (compact) {
    const matrix = matrixOf(Math.min(across, COMPACT_HEIGHT - TITLE - LABELS.top - 4));
    return { matrix, height: matrix.bottom + 4 };
  }
  const narrow = width < PAIR_FROM ? aspect.narrow : aspect.pair;
  const height = Math.round(heightBase(width) * (isWide ? aspect.wide : narrow));
  if (!isWide) return stacked(width, height, { matrix: matrixOf(across), hasHistogram });
  const side = Math.min(height - TITLE - LABELS.top - 8, 0.56 * width - LABELS.left);
  const matrix = matrixOf(side);
  const column = { left: matrix.right + GAP, right: width - 2 };
  const [first, second] = hasHistogram ? [0.34, 0.68] : [0.4, 1];
  const sides = {
    thumbs: { ...column, top: TITLE + 2, bottom: first * height },
    bars: { ...column, top: first * height + TITLE + 8, bottom: second * height - 8 },
    histogram: { ...column, top: second * height + TITLE + 4, bottom: height - 46 },
  };
  return { matrix, sides, height };
}

/**
 * Places the parts below one another; where there is room, the histogram beside the bars. The large head has no
 * neighbour: beside its tokens, half a column would leave ten pixels to a cell.
 * @param {number} width
 * @param {number} height
 * @param {{ matrix: Box, hasHistogram: boolean }} options
 */
function stacked(width, height, { matrix, hasHistogram }) {
  const across = { left: 2, right: width - 2 };
  const rest = matrix.bottom + GAP;
  const left = height - rest;
  const isPaired = hasHistogram && width >= PAIR_FROM;
  const half = isPaired ? (width - GAP) / 2 : width;
  const [first, second] = hasHistogram && !isPaired ? [0.3, 0.68] : [0.45, 1];
  const below = isPaired ? first : second;
  const sides = {
    thumbs: { ...across, top: rest + TITLE, bottom: rest + first * left - 12 },
    bars: {
      left: 2,
      right: half - 2,
      top: rest + first * left + TITLE,
      bottom: rest + second * left - 12,
    },
    histogram: {
      left: isPaired ? width - half : 2,
      right: width - 2,
      top: rest + below * left + TITLE,
      bottom: height - 46,
    },
  };
  return { matrix, sides, height };
}

/**
 * Returns the size of a thumbnail and where each lies: layers from top to bottom, heads from left to
 * right; a single layer of many heads takes several lines.
 * @param {Box} box
 * @param {{ layers: number, heads: number }} sizes
 * @returns {{ size: number, at: (layer: number, head: number) => { x: number, y: number } }}
 */
export function thumbGrid({ left, right, top, bottom }, { layers, heads }) {
  const [width, height] = [right - left, bottom - top];
  const across = layers > 1 ? heads : Math.ceil(Math.sqrt((heads * width) / height));
  const down = layers > 1 ? layers : Math.ceil(heads / across);
  const step = Math.min(width / across, height / down, LARGEST_THUMB + THUMB_GAP);
  return {
    size: step - Math.min(THUMB_GAP, step / 4),
    at: (layer, head) => ({
      x: left + (head % across) * step,
      y: top + (layers > 1 ? layer : Math.floor(head / across)) * step,
    }),
  };
}
