// Matrices as shades: paths of a few opacities for pictures, which also fit into files, and pixels for a
// canvas where there are too many cells.

import { node } from '../../figures/kit/chart/svg.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { SvgNode } from '../../figures/kit/chart/svg.js'
 * @import { Tensor } from '../../attention/index.js'
 * @typedef {{ more: string, less: string }} Colours  of positive and of negative entries
 */

/** Opacities of a picture; the eye tells no more apart in small cells. */
const LEVELS = 12;

/**
 * Returns the opacity of an entry: the square root of its share of the largest, so that small weights
 * can be seen.
 * @param {number} value
 * @param {number} largest
 */
export const opacityOf = (value, largest) => Math.sqrt(Math.min(1, Math.abs(value) / largest)) || 0;

/** Returns the largest magnitude, and 1 where all are 0. @param {Float32Array} data */
export function largestOf(data) {
  let largest = 0;
  for (let i = 0; i < data.length; i++)
    if (Math.abs(data[i]) > largest) largest = Math.abs(data[i]);
  return largest > 0 && Number.isFinite(largest) ? largest : 1;
}

/** How far negative entries keep from the edges of their row, in rows. */
const INSET = 0.2;

/** How each matrix was drawn last: it is drawn again only where that changes. @type {WeakMap<Float32Array, { key: string, drawn: SvgNode }>} */
const drawnLast = new WeakMap();

/**
 * Draws a matrix, a cell a unit: neighbours of one shade in a row are one rectangle; negative entries are
 * lower, so that colour is not all that tells them.
 * @param {Tensor} matrix
 * @param {Box} box
 * @param {{ largest: number, colours: Colours }} options
 * @returns {SvgNode}
 */
export function shades(matrix, box, options) {
  const key = JSON.stringify([matrix.shape, box, options]);
  const last = drawnLast.get(matrix.data);
  if (last?.key === key) return last.drawn;
  const drawn = draw(matrix, box, options);
  drawnLast.set(matrix.data, { key, drawn });
  return drawn;
}

/** @type {typeof shades} */
function draw({ data, shape: [rows, columns] }, { left, right, top, bottom }, options) {
  const { largest, colours } = options;
  /** @type {Map<number, string>} */
  const paths = new Map();
  const levelAt = (/** @type {number} */ at) =>
    Math.round(LEVELS * opacityOf(data[at], largest)) * (data[at] < 0 ? -1 : 1);
  for (let i = 0; i < rows; i++) {
    let next = levelAt(i * columns);
    for (let j = 0, end = 1; j < columns; j = end++) {
      const level = next;
      while (end < columns && (next = levelAt(i * columns + end)) === level) end++;
      if (!level) continue;
      const [y, height] = level < 0 ? [i + INSET, 1 - 2 * INSET] : [i, 1];
      const run = `M${j} ${y}h${end - j}v${height}h${j - end}z`;
      paths.set(level, (paths.get(level) ?? '') + run);
    }
  }
  const [x, y] = [(right - left) / columns, (bottom - top) / rows].map((size) => size.toFixed(4));
  return node(
    'g',
    {
      transform: `translate(${left.toFixed(2)} ${top.toFixed(2)}) scale(${x} ${y})`,
      'shape-rendering': 'crispEdges',
    },
    [...paths].map(([level, d]) =>
      node('path', {
        d,
        fill: level < 0 ? colours.less : colours.more,
        'fill-opacity': Math.abs(level) / LEVELS,
      }),
    ),
  );
}

/**
 * Paints a matrix as pixels, one a cell.
 * @param {Tensor} matrix
 * @param {Uint8ClampedArray} pixels  four bytes a cell
 * @param {{ largest: number, colours: Record<keyof Colours, readonly number[]> }} options  colours: red,
 *   green and blue, to 255
 */
export function paint({ data }, pixels, { largest, colours }) {
  for (let i = 0; i < data.length; i++) {
    const colour = data[i] < 0 ? colours.less : colours.more;
    pixels[4 * i] = colour[0];
    pixels[4 * i + 1] = colour[1];
    pixels[4 * i + 2] = colour[2];
    pixels[4 * i + 3] = 255 * opacityOf(data[i], largest);
  }
}
