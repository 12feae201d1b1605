// The cells of a large matrix on a canvas over the picture: one pixel of the device is the largest weight
// of the cells under it.

import { opacityOf } from '../../figures/kit/chart/marks/cells.js';
import { pictureOf } from './region.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { View } from '../view/data.js'
 */

/** What each canvas shows, so that it is painted only when that changes. @type {WeakMap<Element, { of?: object, key: string }>} */
const painted = new WeakMap();

/**
 * Returns the parts of a colour as a browser computes it; the canvas itself reads every notation.
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 */
function partsOf(context, colour) {
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}

/**
 * Paints a matrix as pixels, one a cell.
 * @param {Tensor} matrix
 * @param {Uint8ClampedArray} pixels  four bytes a cell
 * @param {{ largest: number, colours: { more: readonly number[], less: readonly number[] } }} options  colours: red,
 *   green and blue, to 255
 */
function paint({ data }, pixels, { largest, colours }) {
  for (let i = 0; i < data.length; i++) {
    const colour = data[i] < 0 ? colours.less : colours.more;
    pixels[4 * i] = colour[0];
    pixels[4 * i + 1] = colour[1];
    pixels[4 * i + 2] = colour[2];
    pixels[4 * i + 3] = 255 * opacityOf(data[i], largest);
  }
}

/**
 * Paints the cells.
 * @param {HTMLCanvasElement} canvas
 * @param {View} view
 */
export function paintCells(canvas, { data, state }) {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return;
  const { color, outlineColor } = getComputedStyle(canvas);
  const side = Math.max(1, Math.round(canvas.clientWidth * (globalThis.devicePixelRatio || 1)));
  const of = (data.matrix ?? data.map)?.data;
  const key = [state.region, side, color, outlineColor].join();
  const last = painted.get(canvas);
  if (last?.of === of && last?.key === key) return;
  painted.set(canvas, { of, key });
  const small = pictureOf(data, side) ?? { data: new Float32Array(1), shape: [1, 1] };
  const [rows, columns] = small.shape;
  canvas.width = columns;
  canvas.height = rows;
  const colours = { more: partsOf(context, color), less: partsOf(context, outlineColor) };
  const image = context.createImageData(columns, rows);
  paint(small, image.data, { largest: data.largest, colours });
  context.putImageData(image, 0, 0);
}
