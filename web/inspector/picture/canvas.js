// The cells of a large matrix on a canvas over the picture: one pixel of the device is the largest weight
// of the cells under it.

import { pictureOf } from './region.js';
import { paint } from './shades.js';

/**
 * @import { View } from '../view/spec.js'
 */

/** What each canvas shows, so that it is painted only when that changes. @type {WeakMap<Element, string>} */
const painted = new WeakMap();
/** The number of each matrix. @type {WeakMap<object, number>} */
const numbers = new WeakMap();
let last = 0;

/** Returns a number that no other object has. @param {object} object */
export function numberOf(object) {
  const number = numbers.get(object) ?? (last += 1);
  numbers.set(object, number);
  return number;
}

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
 * Paints the cells.
 * @param {HTMLCanvasElement} canvas
 * @param {View} view
 */
export function paintCells(canvas, { data, state }) {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return;
  const { color, outlineColor } = getComputedStyle(canvas);
  const side = Math.max(1, Math.round(canvas.clientWidth * (globalThis.devicePixelRatio || 1)));
  const source = data.matrix ?? data.map;
  const key = [source ? numberOf(source.data) : 0, state.region, side, color, outlineColor].join();
  if (painted.get(canvas) === key) return;
  painted.set(canvas, key);
  const small = pictureOf(data, side) ?? { data: new Float32Array(1), shape: [1, 1] };
  const [rows, columns] = small.shape;
  canvas.width = columns;
  canvas.height = rows;
  const colours = { more: partsOf(context, color), less: partsOf(context, outlineColor) };
  const image = context.createImageData(columns, rows);
  paint(small, image.data, { largest: data.largest, colours });
  context.putImageData(image, 0, 0);
}
