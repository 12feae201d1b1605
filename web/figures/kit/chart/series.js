// Series as data: from one declaration follow its marks, its label and its rows of the table. The
// manual is above the typedef of a panel, in panels.js.

import { labelsOfCells, rowsOfCells, shadesOf } from './cells.js';
import { text } from './chart.js';
import { area } from './marks/area.js';
import { bars } from './marks/bars.js';
import { curve } from './marks/curve.js';
import { dots } from './marks/dots.js';
import { ring } from './marks/ring.js';
import { symbols } from './marks/symbols.js';

/**
 * @import { Cells } from './cells.js'
 * @import { SvgChild } from './svg.js'
 * @import { Look } from './looks.js'
 * @import { Palette } from './palette.js'
 * @import { Axis, Frame, Panel } from './panels.js'
 * @import { TidyRow } from './tidy-row.js'
 */

/**
 * A number of a series and its place, in data units.
 * @typedef {object} Point
 * @property {number} x
 * @property {number} y
 * @property {number} [low]  the range of y
 * @property {number} [high]
 * @property {number} [theory]  what y should be, for the table; by default the line of the series at x
 * @property {number} [from]  the ends of a bar on the horizontal axis
 * @property {number} [to]
 *
 * @typedef {object} Series
 * @property {Look} look  colour, symbol, and the key by which chart and read-out are linked
 * @property {string} [label]  stands at the end of its line and describes it
 * @property {string} [short]  stands there instead where labels would take more than a third of the panel
 * @property {{ x?: number, y: number }} [end]  the place of the label; by default the right edge, at the
 *   last value of the line, or else of the dots. A label without a number is not drawn, but gets room
 * @property {boolean} [inside]  the label stands on the line, at its end, and takes no room beside the plot
 * @property {string} [name]  in the table; by default the label
 * @property {string} [table]  the title of its table; by default that of the panel
 * @property {readonly Point[]} [measured]  dots
 * @property {readonly Point[]} [theory]  a line
 * @property {number} [level]  a theory of one number: a line across the panel
 * @property {number} [start]  where that line begins
 * @property {Point & { size?: number }} [chosen]  gets a ring; with a size, a dot too
 * @property {number} [size]  the radius of dots; 0 for none
 * @property {boolean} [hollow]  dots are outlines
 * @property {boolean} [joined]  a line joins the dots
 * @property {Cells} [cells]  a heat map
 * @property {number} [bars]  measurements are bars of this opacity
 * @property {'whiskers' | 'area' | 'none'} [range]  how low and high are drawn; whiskers by default
 * @property {boolean} [cut]  lines end where they leave the panel
 * @property {string} [dash]  of lines
 * @property {number} [width]
 */

/**
 * The column of a row, or a function of it.
 * @template Row
 * @typedef {{ [Key in keyof Row]: Row[Key] extends number | undefined ? Key : never }[keyof Row]
 *   | ((row: Row) => number | undefined)} Channel
 */

/**
 * Returns rows as points: `points(rows, { x: 'dK', y: 'trace', low: 'traceP10', high: 'traceP90' })`.
 * @template Row
 * @param {readonly Row[]} rows
 * @param {{ x: Channel<Row>, y: Channel<Row> } & { [Key in keyof Point]?: Channel<Row> }} channels
 */
export const points = (rows, channels) =>
  rows.map((row) => {
    const point = { x: NaN, y: NaN };
    for (const [key, channel] of Object.entries(channels)) {
      const value = typeof channel === 'function' ? channel(row) : row[channel];
      Object.assign(point, { [key]: value ?? (key === 'y' ? NaN : undefined) });
    }
    return /** @type {Point} */ (point);
  });

/** Returns whether a series is the claim as commonly made, which is no data. @param {Series} series */
const isClaim = ({ look }) => look.key === 'folk';

/** @typedef {{ x?: Axis, y?: Axis }} Axes */

/**
 * Returns the line of a theory.
 * @param {Series} series
 * @param {Axes} axes
 * @returns {readonly Point[]}
 */
function lineOf({ theory = [], level, start = -Infinity }, { x }) {
  const [first, last] = x?.ends ?? [0, 1];
  if (level === undefined || Number.isNaN(level)) return theory;
  return [Math.min(last, Math.max(first, start)), last].map((at) => ({ x: at, y: level }));
}

/**
 * Interrupts the line of a cut series where it is beyond the ends of the vertical axis.
 * @param {Series} series
 * @param {readonly Point[]} line
 * @param {Axes} axes
 */
function seen({ cut = false }, line, { y }) {
  const [low, high] = y?.ends ?? [0, 1];
  if (!cut) return line;
  return line.map((point) => (point.y >= low && point.y <= high ? point : { ...point, y: NaN }));
}

// ---- marks: all ranges and bars, then all lines, all dots, all rings -------------------------

/** @typedef {(series: Series, frame: Frame, panel: Panel, palette: Palette) => SvgChild} Layer */

/** @type {Layer} */
const ranges = ({ look, measured = [], range, bars: opacity, cells }, frame, panel, palette) => {
  const { box, x, y } = frame;
  return [
    cells && shadesOf(cells, look, frame, palette, panel.picks !== undefined),
    range === 'area' && area(measured, { x, y, look }),
    opacity !== undefined && bars(box, measured, { x, y, look, opacity }),
  ];
};

/** @type {Layer} */
function lines(series, { box, x, y: map }, panel) {
  const { look, measured = [], joined, level } = series;
  // A level at the end of the axis stays clear of it.
  const y =
    level === undefined
      ? map
      : Object.assign((/** @type {number} */ value) => Math.min(map(value), box.bottom - 1), map);
  const { dash, width } = { ...(isClaim(series) && { dash: '6 4', width: 1.5 }), ...series };
  const options = { x, y, look, dash, width };
  const line = seen(series, lineOf(series, panel), panel);
  return [
    line.length > 0 && curve(line, options),
    joined && curve(seen(series, measured, panel), options),
  ];
}

/** @type {Layer} */
function measurements(series, { x, y }, _, palette) {
  const { look, measured, size, hollow, range = 'whiskers', bars: opacity } = series;
  if (!measured || size === 0 || opacity !== undefined) return null;
  const shown =
    range === 'whiskers' ? measured : measured.map((each) => ({ x: each.x, y: each.y }));
  return dots(shown, { x, y, look, size, hollow: hollow ? palette.paper : undefined });
}

/** @type {Layer} */
function rings({ look, chosen }, { x, y }, _, palette) {
  if (!chosen) return null;
  /** @type {readonly [number, number]} */
  const place = [x(chosen.x), y(chosen.y)];
  return [
    chosen.size !== undefined && symbols(look, [place], chosen.size),
    ring(place, palette, { series: look.key }),
  ];
}

/** @type {Layer} */
const insideLabels = ({ look, label, level, inside }, { box, y }, _, palette) =>
  inside &&
  label &&
  level !== undefined &&
  text(box.right, Math.min(y(level) - 6, box.bottom - 12), label, {
    fill: look.textColour,
    anchor: 'end',
    halo: palette.paper,
    series: look.key,
  });

/** @type {Layer} */
const cellLabels = ({ cells }, frame, _, palette) => cells && labelsOfCells(cells, frame, palette);

const LAYERS = [ranges, lines, measurements, rings, insideLabels, cellLabels];

/**
 * Draws the series of a panel.
 * @param {Panel} panel
 * @param {Frame} frame
 * @param {Palette} palette
 * @returns {SvgChild[]}
 */
export const seriesMarks = (panel, frame, palette) =>
  LAYERS.map((layer) => (panel.series ?? []).map((each) => layer(each, frame, panel, palette)));

// ---- labels -----------------------------------------------------------------------------------

/** Returns the labels of a panel's series, in data units. @param {Panel} panel */
export const labelsOf = (panel) =>
  (panel.series ?? []).flatMap((series) => {
    const { look, label, short, end, inside = false, measured = [] } = series;
    const points = [...measured, ...seen(series, lineOf(series, panel), panel)];
    const y = points.filter((point) => Number.isFinite(point.y)).pop()?.y ?? NaN;
    return label ? [{ look, label, short, inside, ...(end ?? { y }) }] : [];
  });

// ---- the table --------------------------------------------------------------------------------

/** Returns a number, if it is one. @param {number | undefined} value */
const finite = (value) => (Number.isFinite(value) ? value : undefined);

/**
 * Returns the rows of a panel: what was measured, beside the theory at the same place, or where nothing
 * was, the theory; then the panel's own.
 * @param {Pick<Panel, 'title' | 'table' | 'x' | 'series' | 'rows'>} panel
 * @returns {TidyRow[]}
 */
export function rowsOf(panel) {
  const rows = (panel.series ?? []).flatMap((series) => {
    const { label = '', name = label, measured, cells } = series;
    const title = series.table ?? panel.table ?? panel.title;
    if (isClaim(series)) return [];
    if (cells) return rowsOfCells(cells, title);
    const line = lineOf(series, panel);
    const head = {
      panel: title,
      series: name,
      across: panel.x?.name,
    };
    if (!measured) {
      return line.map(({ x, y }) => ({ ...head, x, theory: finite(y) }));
    }
    return measured.map(({ x, y, low, high, theory = line.find((at) => at.x === x)?.y }) => {
      return { ...head, x, measured: finite(y), low, high, theory: finite(theory) };
    });
  });
  return [...rows, ...(panel.rows ?? [])];
}
