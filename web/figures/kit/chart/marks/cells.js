// Cells of a matrix as shades. Square roots of shares show small values; few opacities, and neighbours of one shade
// in a row as one shape, make a picture of many cells fit into a file.

import { node } from '../svg.js';

/**
 * @import { Box } from '../chart.js'
 * @import { Ends } from '../mapping.js'
 * @import { SvgNode } from '../svg.js'
 * @typedef {{ data: ArrayLike<number>, shape: readonly number[] }} Matrix  [rows, columns], from the top left
 *
 * @typedef {object} Shades
 * @property {string} colour
 * @property {string} [less]  the colour of negative values, by default the same
 * @property {number} [largest]  the magnitude of the darkest cell; 1 by default
 * @property {Ends} [opacities]  of 0 and of the largest, where numbers stand on the cells
 * @property {number} [gap]  between cells, in pixels
 * @property {string} [series]
 * @property {boolean} [isPassed]  a pointer passes through, to an area that takes it
 */

/** Opacities of a picture; the eye tells no more apart in small cells. */
const LEVELS = 12;

/**
 * Returns the opacity of a value: the square root of its share of the largest.
 * @param {number} value
 * @param {number} largest
 */
export const opacityOf = (value, largest) => Math.sqrt(Math.min(1, Math.abs(value) / largest)) || 0;

/** Returns the largest magnitude, and 1 where all are 0. @param {ArrayLike<number>} data */
export function largestOf(data) {
  let largest = 0;
  for (let i = 0; i < data.length; i++)
    if (Math.abs(data[i]) > largest) largest = Math.abs(data[i]);
  return largest > 0 && Number.isFinite(largest) ? largest : 1;
}

/** How far negative values keep from the edges of their row, in rows. */
const INSET = 0.2;

/** How each matrix was drawn last: it is drawn again only where that changes. @type {WeakMap<object, { key: string, drawn: SvgNode }>} */
const drawnLast = new WeakMap();

/**
 * Draws a matrix over a box; negative values are lower than their row, so that colour is not all that tells them.
 * @param {Matrix} matrix
 * @param {Box} box
 * @param {Shades} shades
 * @returns {SvgNode}
 */
export function cells(matrix, box, shades) {
  const key = JSON.stringify([matrix.shape, box, shades]);
  const last = drawnLast.get(matrix.data);
  if (last?.key === key) return last.drawn;
  const drawn = draw(matrix, box, shades);
  drawnLast.set(matrix.data, { key, drawn });
  return drawn;
}

/** Rounds to four decimals. @param {number} value */
const short = (value) => Math.round(1e4 * value) / 1e4;

/** @type {typeof cells} */
function draw({ data, shape: [rows, columns] }, { left, right, top, bottom }, shades) {
  const { colour, less = colour, largest = 1, opacities, gap = 0, series, isPassed } = shades;
  const [wide, high] = [(right - left) / columns, (bottom - top) / rows];
  const opacityAt = (/** @type {number} */ value) => {
    if (!opacities) return Math.round(LEVELS * opacityOf(value, largest)) / LEVELS;
    return opacities[0] + ((opacities[1] - opacities[0]) * Math.abs(value)) / largest;
  };
  /** Returns the opacity of a cell, with the sign of its value. @param {number} at */
  const shadeAt = (at) => opacityAt(data[at]) * (data[at] < 0 ? -1 : 1);
  /** @type {Map<number, string>} */
  const paths = new Map();
  for (let i = 0; i < rows; i++) {
    let next = shadeAt(i * columns);
    for (let j = 0, end = 1; j < columns; j = end++) {
      const shade = next;
      while (end < columns && (next = shadeAt(i * columns + end)) === shade && !gap) end++;
      if (!shade) continue;
      const [y, height] = shade < 0 ? [i + INSET, 1 - 2 * INSET] : [i, short(1 - gap / high)];
      const width = short(end - j - gap / wide);
      const run = `M${j} ${y}h${width}v${height}h${-width}z`;
      paths.set(shade, (paths.get(shade) ?? '') + run);
    }
  }
  return node(
    'g',
    {
      transform: `translate(${left.toFixed(2)} ${top.toFixed(2)}) scale(${wide.toFixed(4)} ${high.toFixed(4)})`,
      'shape-rendering': 'crispEdges',
      'data-series': series,
      'pointer-events': isPassed && 'none',
    },
    [...paths].map(([shade, d]) =>
      node('path', { d, fill: shade < 0 ? less : colour, 'fill-opacity': Math.abs(shade) }),
    ),
  );
}
