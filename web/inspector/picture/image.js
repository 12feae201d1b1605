// Attention over an image: the weights of one query at the places of its keys, in the large panel and in the thumbnails.

import { cells } from '../../figures/kit/chart/marks/cells.js';
import { node } from '../../figures/kit/chart/svg.js';
import { times } from '../../shared/times.js';
import { sizes, weightsOf, weightsOfQuery } from '../heads/heads.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { Shown } from '../heads/heads.js'
 * @import { View } from '../view/data.js'
 *
 * @typedef {readonly [rows: number, columns: number]} Grid
 */

/**
 * Returns what one query gives to the patches in every head.
 * @param {Shown} attention
 * @param {{ grid: Grid, query: number, factor: number }} asked
 * @returns {Tensor[]}
 */
export function patchesOfHeads(attention, { grid, query, factor }) {
  const { layers, heads, nK } = sizes(attention);
  return times(layers * heads, (index) => {
    const place = { layer: Math.floor(index / heads), head: index % heads };
    const row = attention.weights
      ? weightsOf(attention, place, factor).subarray(query * nK, (query + 1) * nK)
      : weightsOfQuery(attention, place, factor, query);
    return patchesOf(row, grid);
  });
}

/** Returns the weights of the patches in a row of weights. @param {Float32Array} row @param {Grid} grid @returns {Tensor} */
const patchesOf = (row, [rows, columns]) => ({
  data: row.subarray(row.length - rows * columns),
  shape: [rows, columns],
});

/** Returns the largest box in another whose patches are square. @param {Box} box @param {readonly number[]} grid @returns {Box} */
export function boxOfPatches({ left, right, top, bottom }, [rows, columns]) {
  const size = Math.min((right - left) / columns, (bottom - top) / rows);
  return { left, right: left + size * columns, top, bottom: top + size * rows };
}

/** Draws what the chosen query gives to each patch, the chosen key framed. @param {View} view @param {Grid} grid @param {Box} around */
export function image({ data, palette }, grid, around) {
  const box = boxOfPatches(around, grid);
  const [rows, columns] = grid;
  const at = data.key - (data.row.length - rows * columns);
  const size = (box.right - box.left) / columns;
  const frame = {
    x: box.left + (at % columns) * size,
    y: box.top + Math.floor(at / columns) * size,
    width: size,
    height: size,
  };
  const shades = { colour: palette.scaled, less: palette.unscaled, largest: data.largest };
  const line = { fill: 'none', stroke: palette.faint };
  const { left, top } = box;
  return [
    cells(patchesOf(data.row, grid), box, shades),
    node('rect', { x: left, y: top, width: box.right - left, height: box.bottom - top, ...line }),
    at >= 0 && node('rect', { ...frame, fill: 'none', stroke: palette.ink, 'stroke-width': 2 }),
  ];
}
