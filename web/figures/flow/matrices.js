// The matrices of <attn-flow>: their shapes, the names and numbers of their cells, and their places.

import { FLOW_GIVEN, FLOW_SIZES } from '../../experiments/flow.js';
import { keysOf } from '../../shared/keys.js';
import { heightBase, STACK_BELOW } from '../kit/chart/chart.js';
import { COMPACT_HEIGHT } from '../kit/chart/layout.js';

/**
 * @import { Given, Name } from '../../experiments/flow.js'
 * @import { View } from './element.js'
 * @import { AnyFigureSpec } from '../kit/spec.js'
 * @typedef {{ x: number, y: number, rows: number, columns: number, width: number, height: number }} Place
 *   of a matrix, in pixels; width and height are those of a cell
 * @typedef {{ places: Record<Name, Place>, corner: Corner, height: number }} Layout
 * @typedef {{ y: number, width: number, isShort: boolean }} Corner  of the arithmetic; isShort: of its first two lines
 */

const { tokens, others, dK, dV } = FLOW_SIZES;
export const GIVEN = keysOf(FLOW_GIVEN);

/** Returns whether a matrix is given, not computed. @param {Name} name  @returns {name is Given} */
export const isGiven = (name) => name in FLOW_GIVEN;

/** Returns whether the reader may change the numbers of a matrix. @param {View} view  @param {Name} name  @returns {name is Given} */
export const isEditable = ({ state }, name) => isGiven(name) && state.gradients === 'values';

const { x, y, ...WEIGHTS } = FLOW_GIVEN;

/** Returns the rows and columns of the matrices that are computed. @param {number} keys */
const computed = (keys) =>
  /** @type {const} */ ({
    query: [tokens, dK],
    key: [keys, dK],
    value: [keys, dV],
    scores: [tokens, keys],
    scaled: [tokens, keys],
    weights: [tokens, keys],
    output: [tokens, dV],
  });

/** @typedef {Partial<Record<Name, readonly [number, number]>>} Shapes  of the matrices that there are */

/** Rows and columns of every matrix, without cross-attention and with it. */
const SHAPES = {
  no: { x, ...WEIGHTS, ...computed(tokens) },
  yes: { x, y, ...WEIGHTS, ...computed(others) },
};

/** Returns the shapes of the matrices of a state. @param {{ cross: 'no' | 'yes' }} state  @returns {Shapes} */
export const shapesOf = ({ cross }) => SHAPES[cross];

/** Returns the names of the matrices of a state. @param {{ cross: 'no' | 'yes' }} state */
export const namesOf = (state) => keysOf(shapesOf(state));

/** Returns whether a matrix has a cell. @param {Shapes} shapes  @param {ReturnType<typeof parseCell>} cell */
export function hasCell(shapes, { name, row, column }) {
  const [rows, columns] = shapes[name] ?? [0, 0];
  return row < rows && column < columns;
}

/**
 * Reads the name of a cell.
 * @param {string} cell  as in `scores-2-3`
 * @returns {{ name: Name, row: number, column: number }} from 0
 */
export function parseCell(cell) {
  const [name, row, column] = cell.split('-');
  return { name: /** @type {Name} */ (name), row: Number(row) - 1, column: Number(column) - 1 };
}

/** The cell that is chosen at first, and where there is no longer a chosen one. */
export const FIRST_CELL = 'scores-2-3';

/** Returns the chosen cell. @param {{ cell: string, cross: 'no' | 'yes' }} state */
export function chosenCell(state) {
  const cell = parseCell(state.cell);
  return hasCell(shapesOf(state), cell) ? cell : parseCell(FIRST_CELL);
}

/** Returns the name of a cell. @param {Name} name  @param {number} row  @param {number} column */
export const cellName = (name, row, column) => `${name}-${row + 1}-${column + 1}`;

/** Returns the numbers that the cells show. @param {View} view */
export const shown = ({ data, state }) =>
  state.gradients === 'gradients' ? data.gradients : data.values;

/** A masked score is −∞. @param {View} view  @param {number} value  @param {number} [digits] */
export const written = ({ format }, value, digits = 3) =>
  value === -Infinity ? '−∞' : format.fixed(value, digits);

/** Returns the heading of a matrix. @param {View} view  @param {Name} name  @returns {string} */
export function headingOf({ state, text: words }, name) {
  if (state.gradients === 'gradients') return `∂L/∂${words.symbols[name]}`;
  const unscaled = name === 'scaled' && state.scaling === 'off';
  const formulas = state.cross === 'yes' ? words.crossFormulas : words.formulas;
  return words.symbols[name] + (unscaled ? ' = S' : (formulas[name] ?? ''));
}

/** Cells are 24 pixels high, and as wide, in the narrowest column of each. */
export const aspect = { wide: 0.78, narrow: 3 };
const TITLE = 24;
/** Room for a bracket. */
const EDGE = 4;
/** Room for a word at the left of a row. */
const ROW = 33;
/** Room for the sums of columns, in pixels. */
const SUMS = 18;
/**
 * The places where matrices begin, and the width of a cell where it differs. @typedef {Record<Name,
 * [number, number, number?]>} Origins
 * @typedef {{ cell: { width: number, height: number }, height: number, corner: Corner,
 *   origins: Origins }} Places
 */

/**
 * Places matrices from left to right: weights above their products, then from scores to output.
 * @param {number} width
 * @param {{ height: number, isCross: boolean, isCompact: boolean }} options
 * @returns {Places}
 */
function wideLayout(width, { height, isCross, isCompact }) {
  const gap = 30;
  const cell = {
    width: (width - 3 * gap - EDGE - ROW) / 16.2,
    height: (height - 3 * TITLE - 34) / 15,
  };
  // The arithmetic stands above the other text, which on a slide leaves room for two lines.
  const isShort = isCross && isCompact;
  const first = isCross && !isShort ? TITLE + 44 : TITLE;
  const second = first + TITLE + 8 + 6 * cell.height;
  const third = second + 4 * cell.height + TITLE + 14;
  const right = width - EDGE - 3 * cell.width;
  const wider = (right - 12 * cell.width - ROW) / 3;
  const at = (/** @type {number} */ k) => right - (2 - k) * (3 * cell.width + wider);
  const along = (/** @type {number} */ k) => ROW + k * (4 * cell.width + gap);
  return {
    cell,
    height: height + first - TITLE,
    corner: { y: 0, width: at(0) - 14, isShort },
    origins: {
      x: [ROW, second],
      y: [ROW, first + 3 * cell.height],
      queryWeight: [at(0), first],
      keyWeight: [at(1), first],
      valueWeight: [at(2), first],
      query: [at(0), second],
      key: [at(1), second],
      value: [at(2), second],
      scores: [along(0), third],
      scaled: [along(1), third],
      weights: [along(2), third],
      output: [right, third], // whose heading is wider than its two columns
    },
  };
}

/**
 * Places matrices from top to bottom, with the arithmetic in between, near both ends. So it does up to 600 pixels: side
 * by side, as on a page, a column of 560 would leave 27 pixels to a number with a sign, a column of 480 only 22.
 * @param {number} width
 * @param {{ isCross: boolean }} options
 * @returns {Places}
 */
function narrowLayout(width, { isCross }) {
  const gap = 10;
  const height = heightBase(width) * aspect.narrow;
  const arithmetic = 96;
  const room = width - ROW - 3;
  const cell = {
    width: (room - 2 * gap) / 9,
    height: (height - arithmetic - 5 * (TITLE + 8) - SUMS) / 22.8, // and the sums below
  };
  const wider = (room - gap) / 8;
  const other = isCross ? 3 * cell.height + TITLE + 8 : 0;
  const below = (/** @type {number} */ rows, /** @type {number} */ titles) =>
    (rows < 10 ? 0 : arithmetic) +
    (rows > 0 ? other : 0) +
    rows * cell.height +
    titles * (TITLE + 8);
  const at = (/** @type {number} */ k) => ROW + k * (3 * cell.width + gap);
  const last = below(18, 5) + SUMS;
  return {
    cell,
    height: height + other,
    corner: { y: below(10, 2) - arithmetic + 12, width, isShort: false },
    origins: {
      x: [ROW, below(0, 1), room / 6],
      y: [ROW, below(4, 2) - other, room / 6],
      queryWeight: [at(0), below(4, 2)],
      keyWeight: [at(1), below(4, 2)],
      valueWeight: [at(2), below(4, 2)],
      query: [at(0), below(10, 3)],
      key: [at(1), below(10, 3)],
      value: [at(2), below(10, 3)],
      scores: [ROW, below(14, 4), wider],
      scaled: [width - 4 * wider - 3, below(14, 4), wider],
      weights: [ROW, last, wider],
      output: [width - dV * wider - 3, last, wider],
    },
  };
}

/**
 * Returns the places of the matrices.
 * @param {{ width: number, compact?: boolean, state: { cross: 'no' | 'yes' } }} view
 * @returns {Layout}
 */
export function layoutOf({ width, compact, state }) {
  const height = Math.min(width * aspect.wide, compact ? COMPACT_HEIGHT : Infinity);
  const isCross = state.cross === 'yes';
  const { origins, cell, ...layout } =
    width >= STACK_BELOW
      ? wideLayout(width, { height, isCross, isCompact: compact === true })
      : narrowLayout(width, { isCross });
  const places = Object.entries(shapesOf(state)).map(([name, [rows, columns]]) => {
    const [x, y, across = cell.width] = origins[/** @type {Name} */ (name)];
    return [name, { x, y, rows, columns, width: across, height: cell.height }];
  });
  return { ...layout, places: Object.fromEntries(places) };
}

/** Returns the fields that a pointer sets. @type {NonNullable<AnyFigureSpec['pick']>} */
export function pick(view, point) {
  const { places } = layoutOf(view);
  for (const name of namesOf(view.state)) {
    const { x, y, rows, columns, ...cell } = places[name];
    const [row, column] = [
      Math.floor((point.y - y) / cell.height),
      Math.floor((point.x - x) / cell.width),
    ];
    if (row >= 0 && row < rows && column >= 0 && column < columns) {
      return { cell: cellName(name, row, column) };
    }
  }
  return undefined;
}
