// The options of one head, of those that hold for all: as `attentionScores` reads them where layers are the
// batch.

import { ShapeError } from '../../attention/index.js';

/**
 * @import { ScoreOptions } from '../../attention/index.js'
 * @import { Attention } from '../reading/index.js'
 * @import { Place } from './heads.js'
 * @typedef {{ layers: number, heads: number }} Counts
 */

/** @param {any} value  @returns {value is any[]} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * Returns the place of an item among `length` of them, of which one may stand for all.
 * @param {string} name
 * @param {number} length
 * @param {number} index
 * @param {number} count  how many there must be, if not one
 */
function placeIn(name, length, index, count) {
  if (length === 1) return 0;
  if (length === count) return index;
  throw new ShapeError(`attn-view: options.${name} has length ${length}, expected 1 or ${count}`);
}

/**
 * Returns the entry of a list with one a head or a layer, still as a list; a number holds for all.
 * @param {string} name
 * @param {any} value
 * @param {number} index
 * @param {number} count
 */
function entryOf(name, value, index, count) {
  const list = value?.data ?? value;
  if (!isList(list)) return value;
  return [list[placeIn(name, list.length, index, count)]];
}

/**
 * Returns the mask of a head.
 * @param {any} mask  nested arrays or a tensor, [n_q, n_k] with axes of heads or of layers and heads in front
 * @param {Place} place
 * @param {Counts} counts
 */
function maskOf(mask, { layer, head }, { layers, heads }) {
  const at = [
    { index: layer, count: layers },
    { index: head, count: heads },
  ];
  if (isList(mask)) {
    let depth = 0;
    for (let rows = mask; isList(rows); rows = rows[0]) depth += 1;
    return at
      .slice(Math.max(0, 4 - depth))
      .reduce((rows, { index, count }) => rows[placeIn('mask', rows.length, index, count)], mask);
  }
  const shape = mask?.shape ?? mask?.dims;
  if (!isList(mask?.data) || !(shape?.length > 2)) return mask;
  const lead = shape.slice(0, -2);
  const [rows, columns] = shape.slice(-2);
  const number = at.slice(2 - lead.length).reduce((sum, { index, count }, axis) => {
    return sum * lead[axis] + placeIn('mask', lead[axis], index, count);
  }, 0);
  const ends = [number * rows * columns, (number + 1) * rows * columns];
  const { data } = mask;
  return { data: data.subarray?.(...ends) ?? data.slice(...ends), shape: [rows, columns] };
}

/**
 * Returns a mask that hides padding, too.
 * @param {Attention['mask']} mask
 * @param {Attention['attentionMask']} padding
 */
export function withPadding(mask, padding) {
  if (!padding) return mask;
  const keep = padding.data;
  if (!mask) return { data: keep, shape: [1, 1, 1, keep.length] };
  const { data, shape } = mask;
  const hidden = data instanceof Uint8Array ? 0 : -Infinity;
  return { data: data.map((entry, at) => (keep[at % keep.length] ? entry : hidden)), shape };
}

/**
 * Returns the options of one head.
 * @param {ScoreOptions} options  of all heads
 * @param {Place} place
 * @param {Counts} counts
 * @returns {ScoreOptions}
 */
export function optionsOfHead(options, place, counts) {
  const { mask, sink, keyLengths, offset } = options;
  const { layers, heads } = counts;
  return {
    ...options,
    mask: maskOf(mask, place, counts),
    sink: entryOf('sink', sink, place.head, heads),
    keyLengths: entryOf('keyLengths', keyLengths, place.layer, layers),
    offset: entryOf('offset', offset, place.layer, layers),
  };
}
