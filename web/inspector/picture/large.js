// The large head of <attn-view>: as a matrix between the tokens of its queries and keys, or as lines from
// each query to its keys.

import { namesAlong } from '../../figures/kit/chart/cells.js';
import { segment, text } from '../../figures/kit/chart/chart.js';
import { blueLook } from '../../figures/kit/chart/looks.js';
import { opacityOf } from '../../figures/kit/chart/marks/cells.js';
import { own } from '../../figures/kit/chart/palette.js';
import { pictureOf } from './region.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { Cells, Range } from '../../figures/kit/chart/cells.js'
 * @import { Panel } from '../../figures/kit/chart/panels.js'
 * @import { SvgNode } from '../../figures/kit/chart/svg.js'
 * @import { Tensor } from '../../attention/index.js'
 * @import { View } from '../view/data.js'
 */

/** The most rows or columns of a picture; on a page, a canvas shows more. */
const MOST_DRAWN = 64;
/** In files, where there is no canvas. */
const MOST_IN_FILE = 256;
/** The largest matrix whose every cell is in the table. */
const MOST_CELLS = 4096;
/** The least weight that is drawn as a line, and the most queries that have lines at once. */
const LEAST_LINE = 0.02;
const MOST_LINED = 48;

/** Returns whether a canvas shows the cells, because they are many. @param {View} view */
export const needsCanvas = ({ data, palette, state }) =>
  palette === own && state.show === 'matrix' && Math.max(data.nQ, data.nK) > MOST_DRAWN;

/**
 * Describes the large head.
 * @param {View} view
 * @param {Box} box
 * @param {string} name  of the head
 * @returns {Panel}
 */
export function headPanel(view, box, name) {
  const { data, palette, state, text: words } = view;
  const { nQ: rows, nK: columns, matrix, query } = data;
  const isMatrix = state.show === 'matrix';
  const isSmall = matrix && rows * columns <= MOST_CELLS;
  /** @type {Cells} */
  const all = {
    rows,
    columns,
    valueAt: (i, j) => (i === query ? data.row[j] : matrix?.data[i * columns + j]),
    listed: isSmall ? undefined : [query],
    seriesOf: (i) => `${i + 1} ${data.labels[i]}`,
    tokens: data.attention.keyTokens && data.keyLabels,
    across: words.keys,
  };
  return {
    title: words.axes,
    table: name,
    plot: () => box,
    series: [
      { look: blueLook(palette, 'weights'), cells: isMatrix ? { ...all, ...shown(view) } : all },
    ],
    marks: () => !isMatrix && lines(view, box),
    area: isMatrix ? { stroke: palette.faint, cursor: 'crosshair' } : {},
    picks(x, y) {
      const row = placeIn(1 - y, isMatrix ? data.region.rows : { from: 0, to: rows });
      return { row, column: isMatrix ? placeIn(x, data.region.columns) : 0 };
    },
  };
}

/** Returns the number of the row or column, from 1, at a share of a range. @param {number} share @param {Range} range */
const placeIn = (share, { from, to }) => Math.min(to, from + Math.floor(share * (to - from)) + 1);

/** Returns what is drawn of the cells. @param {View} view @returns {Partial<Cells>} */
function shown(view) {
  const { data, palette } = view;
  const most = Math.max(data.nQ, data.nK) > MOST_DRAWN ? MOST_IN_FILE : MOST_DRAWN;
  return {
    region: data.region,
    matrix: needsCanvas(view) ? undefined : pictureOf(data, most),
    largest: data.largest,
    less: palette.unscaled,
    rowNames: data.labels,
    columnNames: data.keyLabels,
    turned: true,
    chosen: { row: data.query, column: data.key, along: 'row' },
  };
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
  const x = anchor === 'end' ? right : left;
  const range = { from: 0, to: all.length };
  return namesAlong(all, range, bottom - top, chosen, palette).map(({ name, at, look }) =>
    text(x, top + at + 4, name, { ...look, anchor, within: 80 }),
  );
}
