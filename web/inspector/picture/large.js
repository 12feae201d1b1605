// The large head of <attn-view>: as a matrix between the tokens of its queries and keys, or as lines from
// each query to its keys.

import { segment, text } from '../../figures/kit/chart/chart.js';
import { handle } from '../../figures/kit/chart/layout.js';
import { own } from '../../figures/kit/chart/palette.js';
import { node } from '../../figures/kit/chart/svg.js';
import { times } from '../../shared/times.js';
import { pictureOf } from './region.js';
import { opacityOf, shades } from './shades.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { SvgNode } from '../../figures/kit/chart/svg.js'
 * @import { Tensor } from '../../attention/index.js'
 * @import { Range } from '../../experiments/long-attention.js'
 * @import { View } from '../view/spec.js'
 */

/** The most rows or columns of a picture; on a page, a canvas shows more. */
const MOST_DRAWN = 64;
/** In files, where there is no canvas. */
const MOST_IN_FILE = 256;
/** Least height of a line of labels. */
const LINE = 12;
/** The least weight that is drawn as a line, and the most queries that have lines at once. */
const LEAST_LINE = 0.02;
const MOST_LINED = 48;

/** Returns the colours of more and less weight. @param {View} view */
export const coloursOf = ({ palette }) => ({ more: palette.scaled, less: palette.unscaled });

/** Returns whether a canvas shows the cells, because they are many. @param {View} view */
export const needsCanvas = ({ data, palette, state }) =>
  palette === own && state.show === 'matrix' && Math.max(data.nQ, data.nK) > MOST_DRAWN;

/** Draws the large head. @param {View} view @param {Box} box */
export const large = (view, box) => [
  text(2, 18, view.text.axes, { fill: view.palette.ink, weight: 600, within: box.right - 2 }),
  view.state.show === 'lines' ? lines(view, box) : matrix(view, box),
];

/** Draws the matrix. @param {View} view @param {Box} box */
function matrix(view, box) {
  const { data, palette } = view;
  const { nQ, nK, largest } = data;
  const { rows, columns } = data.region;
  const most = Math.max(nQ, nK) > MOST_DRAWN ? MOST_IN_FILE : MOST_DRAWN;
  const small = needsCanvas(view) ? undefined : pictureOf(data, most);
  const width = (box.right - box.left) / (columns.to - columns.from);
  const height = (box.bottom - box.top) / (rows.to - rows.from);
  const x = box.left + (data.key - columns.from) * width;
  const y = box.top + (data.query - rows.from) * height;
  const hasRow = contains(rows, data.query);
  return [
    handle(box, { stroke: palette.faint, cursor: 'crosshair' }),
    small && shades(small, box, { largest, colours: coloursOf(view) }),
    labels(
      view,
      data.keyLabels.slice(columns.from, columns.to),
      data.key - columns.from,
      box,
      true,
    ),
    labels(view, data.labels.slice(rows.from, rows.to), data.query - rows.from, box, false),
    hasRow &&
      node('path', {
        d: `M${box.left},${y}H${box.right}V${y + height}H${box.left}Z`,
        fill: 'none',
        stroke: palette.muted,
        'stroke-width': 0.75,
      }),
    hasRow &&
      contains(columns, data.key) &&
      node('rect', {
        x: x - 1,
        y: y - 1,
        width: Math.max(width, 4) + 2,
        height: Math.max(height, 4) + 2,
        fill: 'none',
        stroke: palette.ink,
        'stroke-width': 1.5,
      }),
  ];
}

/** Returns whether an index lies in a range. @param {Range} range @param {number} index */
const contains = ({ from, to }, index) => index >= from && index < to;

/**
 * Writes the tokens along one axis, as many as have room; the chosen one stands out.
 * @param {View} view
 * @param {readonly string[]} all
 * @param {number} chosen
 * @param {Box} box
 * @param {boolean} isTop  along the keys
 */
function labels({ palette }, all, chosen, box, isTop) {
  const [from, to] = isTop ? [box.left, box.right] : [box.top, box.bottom];
  const step = (to - from) / all.length;
  const every = Math.ceil(LINE / step);
  return times(all.length, (i) => {
    const isChosen = i === chosen;
    const isNear = Math.abs(i - chosen) * step < LINE;
    if (!isChosen && (i % every !== 0 || isNear)) return null;
    const at = from + (i + 0.5) * step + 4;
    const fill = isChosen ? palette.ink : palette.muted;
    const weight = isChosen ? 600 : undefined;
    const within = isTop ? 68 : 74;
    if (!isTop) return text(box.left - 6, at, all[i], { fill, weight, anchor: 'end', within });
    // A single Chinese character or sign needs no turning.
    if (/^[\p{Script=Han}\u3000-\u303f\uff00-\uffef]$/u.test(all[i]))
      return text(at - 4, box.top - 6, all[i], { fill, weight, anchor: 'middle' });
    const label = text(at, box.top - 6, all[i], { fill, weight, within });
    const middle = `${Math.round(at * 10) / 10} ${box.top - 6}`;
    label.attributes.transform = `rotate(-90 ${middle})`;
    return label;
  });
}

/**
 * Draws lines from queries, left, to keys, right: the heavier the weight, the darker the line. Of many
 * queries only the chosen one has lines.
 * @param {View} view
 * @param {Box} box
 */
function lines(view, box) {
  const { data, palette } = view;
  const { nQ, nK, matrix: all, largest } = data;
  const isCrowded = !all || Math.max(nQ, nK) > MOST_LINED;
  const left = box.left + 24;
  const right = box.right - 84;
  const yOf = (/** @type {number} */ i, /** @type {number} */ count) =>
    box.top + ((i + 0.5) * (box.bottom - box.top)) / count;
  /** @type {SvgNode[]} */
  const drawn = [];
  for (let i = 0; i < nQ; i++) {
    if (isCrowded && i !== data.query) continue;
    const isChosen = i === data.query;
    for (let j = 0; j < nK; j++) {
      const weight = isChosen ? data.row[j] : /** @type {Tensor} */ (all).data[i * nK + j];
      if (!(Math.abs(weight) >= LEAST_LINE)) continue;
      const stroke = weight < 0 ? palette.unscaled : palette.scaled;
      const dash = weight < 0 ? '4 3' : undefined;
      const ends = { x1: left, y1: yOf(i, nQ), x2: right, y2: yOf(j, nK) };
      const line = segment(ends, stroke, { width: isChosen ? 2.5 : 1.25, dash });
      const strength = opacityOf(weight, largest);
      line.attributes['stroke-opacity'] = (isChosen ? strength : 0.5 * strength).toFixed(2);
      drawn.push(line);
    }
  }
  return [
    handle(box, {}),
    drawn,
    column(view, data.labels, data.query, { ...box, right: left - 6 }, 'end'),
    column(view, data.keyLabels, data.key, { ...box, left: right + 6 }, 'start'),
    text(left - 6, box.top - 10, view.text.queries, { fill: palette.muted, anchor: 'end' }),
    text(right + 6, box.top - 10, view.text.keys, { fill: palette.muted }),
  ];
}

/**
 * Writes tokens in a column.
 * @param {View} view
 * @param {readonly string[]} all
 * @param {number} chosen
 * @param {Box} box  right or left of it, as the anchor says
 * @param {'start' | 'end'} anchor
 */
function column({ palette }, all, chosen, { left, right, top, bottom }, anchor) {
  const step = (bottom - top) / all.length;
  const every = Math.ceil(LINE / step);
  return times(all.length, (i) => {
    if (i !== chosen && (i % every !== 0 || Math.abs(i - chosen) * step < LINE)) return null;
    const fill = i === chosen ? palette.ink : palette.muted;
    const weight = i === chosen ? 600 : undefined;
    const x = anchor === 'end' ? right : left;
    return text(x, top + (i + 0.5) * step + 4, all[i], { fill, weight, anchor, within: 80 });
  });
}
