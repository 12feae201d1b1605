// The cells of a heat map as data: from one declaration follow shades, names of rows and columns, the frame of the
// chosen cell, numbers on the cells and rows of the table.

import { times } from '../../../shared/times.js';
import { tenth, text } from './chart.js';
import { cells } from './marks/cells.js';
import { node } from './svg.js';

/**
 * @import { SvgChild } from './svg.js'
 * @import { Ends } from './mapping.js'
 * @import { Look } from './looks.js'
 * @import { Matrix } from './marks/cells.js'
 * @import { Palette } from './palette.js'
 * @import { Frame } from './panels.js'
 * @import { TidyRow } from './tidy-row.js'
 */

/**
 * The cells of a heat map, which fill the plot of their panel; rows and columns are counted from 0, at the top left.
 * @typedef {object} Cells
 * @property {number} rows
 * @property {number} columns
 * @property {{ rows: Range, columns: Range }} [region]  the part that is shown, by default all
 * @property {Matrix} [matrix]  the shown part; each of its cells may stand for several; none where something else
 *   shows it
 * @property {readonly Matrix[]} [under]  what lies under it, in the colour of missing values
 * @property {number} [largest]  the magnitude of the darkest cell; 1 by default
 * @property {string} [less]  the colour of negative values
 * @property {Ends} [opacities]  of 0 and of the largest; by default small values stand out
 * @property {number} [gap]  between cells, in pixels
 * @property {readonly string[]} [rowNames]  written at the left, as many as have room
 * @property {readonly string[]} [columnNames]  written above
 * @property {boolean} [turned]  names of columns are turned upwards
 * @property {{ row: number, column: number, along: 'row' | 'column' }} [chosen]  framed, with its row or column
 * @property {(value: number, width: number) => string} [write]  what stands on a cell of a width in pixels
 * @property {(row: number, column: number) => number | undefined} [valueAt]  for the table: without it, the cells have
 *   no rows there
 * @property {readonly number[]} [listed]  the rows that the table has, by default all
 * @property {(row: number) => string} [seriesOf]  the name of a row in the table, by default the written one
 * @property {readonly string[]} [tokens]  what the table counts along the columns
 * @property {string} [across]  the name of that
 *
 * @typedef {{ from: number, to: number }} Range
 */

/** Least height of a line of names. */
const LINE = 12;
/** The least side of a frame, in pixels. */
const LEAST_FRAME = 4;
/** Between the edge of a panel, or its title, and names. */
const EDGE = { left: 8, top: 34 };
/** A single Chinese character or sign needs no turning. */
const UPRIGHT = /^[\p{Script=Han}\u3000-\u303f\uff00-\uffef]$/u;

/** @param {Range} range @param {number} index */
const contains = ({ from, to }, index) => index >= from && index < to;

/** Returns the part that is shown. @param {Cells} all */
const regionOf = ({ rows, columns, region }) =>
  region ?? { rows: { from: 0, to: rows }, columns: { from: 0, to: columns } };

/**
 * Draws the shades.
 * @param {Cells} all
 * @param {Look} look
 * @param {Frame} frame
 * @param {Palette} palette
 * @param {boolean} isPassed  a pointer passes through
 */
export function shadesOf(all, look, { box }, palette, isPassed) {
  const { matrix, under = [], less, largest, opacities, gap } = all;
  const shades = { less, largest, opacities, gap, isPassed };
  return [
    under.map((each) => cells(each, box, { colour: palette.faint })),
    matrix && cells(matrix, box, { ...shades, colour: look.colour, series: look.key }),
  ];
}

/**
 * Draws what stands on and around the shades: numbers, names and the frames of the chosen cell.
 * @param {Cells} all
 * @param {Frame} frame
 * @param {Palette} palette
 */
export const labelsOfCells = (all, frame, palette) => [
  numbers(all, frame, palette),
  columnNames(all, frame, palette),
  rowNames(all, frame, palette),
  frames(all, frame, palette),
];

/** @typedef {(all: Cells, frame: Frame, palette: Palette) => SvgChild} Part */

/** @type {Part} */
function numbers({ matrix, write }, { box }, palette) {
  if (!matrix || !write) return null;
  const { data, shape } = matrix;
  const [rows, columns] = shape;
  const [wide, high] = [(box.right - box.left) / columns, (box.bottom - box.top) / rows];
  return times(rows * columns, (at) =>
    text(
      box.left + ((at % columns) + 0.5) * wide,
      box.top + (Math.floor(at / columns) + 0.5) * high + 4,
      write(data[at], wide),
      { fill: palette.ink, anchor: 'middle' },
    ),
  );
}

/**
 * Returns the names that have room along an axis, each with its place; the chosen one stands out.
 * @param {readonly string[]} all
 * @param {Range} range
 * @param {number} length  of the axis, in pixels
 * @param {number | undefined} chosen
 * @param {Palette} palette
 */
export function namesAlong(all, { from, to }, length, chosen = NaN, palette) {
  const step = length / (to - from);
  const every = Math.ceil(LINE / step);
  return all.slice(from, to).flatMap((name, i) => {
    const away = Math.abs(i - (chosen - from));
    if (away !== 0 && (i % every !== 0 || away * step < LINE)) return [];
    const look =
      away === 0 ? { fill: palette.ink, weight: 600 } : { fill: palette.muted, weight: undefined };
    return [{ name, at: (i + 0.5) * step, look }];
  });
}

/** @type {Part} */
function rowNames(all, { place, box }, palette) {
  const { rows } = regionOf(all);
  const within = box.left - place.x - EDGE.left;
  const length = box.bottom - box.top;
  return namesAlong(all.rowNames ?? [], rows, length, all.chosen?.row, palette).map(
    ({ name, at, look }) =>
      text(box.left - 6, box.top + at + 4, name, { ...look, anchor: 'end', within }),
  );
}

/** @type {Part} */
function columnNames(all, { place, box }, palette) {
  const { columns } = regionOf(all);
  const within = box.top - place.y - EDGE.top;
  const length = box.right - box.left;
  const y = box.top - 6;
  return namesAlong(all.columnNames ?? [], columns, length, all.chosen?.column, palette).map(
    ({ name, at, look }) => {
      const x = box.left + at;
      if (!all.turned || UPRIGHT.test(name)) return text(x, y, name, { ...look, anchor: 'middle' });
      const turned = text(x + 4, y, name, { ...look, within });
      turned.attributes.transform = `rotate(-90 ${tenth(x + 4)} ${y})`;
      return turned;
    },
  );
}

/** @type {Part} */
function frames(all, { box }, palette) {
  const { rows, columns } = regionOf(all);
  const { chosen } = all;
  if (!chosen || !contains(chosen.along === 'row' ? rows : columns, chosen[chosen.along]))
    return null;
  const wide = (box.right - box.left) / (columns.to - columns.from);
  const high = (box.bottom - box.top) / (rows.to - rows.from);
  const x = box.left + (chosen.column - columns.from) * wide;
  const y = box.top + (chosen.row - rows.from) * high;
  const around = (
    /** @type {{ x: number, y: number, width: number, height: number }} */ at,
    /** @type {string} */ stroke,
    /** @type {number} */ width,
  ) => node('rect', { ...at, fill: 'none', stroke, 'stroke-width': width });
  const whole =
    chosen.along === 'row'
      ? { x: box.left, y, width: box.right - box.left, height: high }
      : { x, y: box.top, width: wide, height: box.bottom - box.top };
  const isCellShown = contains(rows, chosen.row) && contains(columns, chosen.column);
  const cell = {
    x: x - 1,
    y: y - 1,
    width: Math.max(wide, LEAST_FRAME) + 2,
    height: Math.max(high, LEAST_FRAME) + 2,
  };
  return [around(whole, palette.muted, 0.75), isCellShown && around(cell, palette.ink, 1.5)];
}

/**
 * Returns the cells as rows of a table.
 * @param {Cells} all
 * @param {string} panel  the title of the table
 * @returns {TidyRow[]}
 */
export function rowsOfCells({ rows, columns, listed = times(rows, (row) => row), ...all }, panel) {
  const { valueAt, rowNames = [], seriesOf = (row) => rowNames[row], across, tokens } = all;
  if (!valueAt) return [];
  return listed.flatMap((row) =>
    times(columns, (column) => ({
      panel,
      series: seriesOf(row),
      across,
      x: column + 1,
      name: tokens?.[column],
      measured: valueAt(row, column),
    })),
  );
}
