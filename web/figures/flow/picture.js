// The picture of <attn-flow>: its matrices, and the arithmetic of the chosen cell.

import { sumsOf } from '../../experiments/statistics.js';
import { times } from '../../shared/times.js';
import { STACK_BELOW, text } from '../kit/chart/chart.js';
import { cells } from '../kit/chart/marks/cells.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';
import { chosenCell, headingOf, isGiven, shown, written } from './matrices.js';
import { isInStep, numberOf } from './steps.js';

/**
 * @import { Name } from '../../experiments/flow.js'
 * @import { TextLook } from '../kit/chart/chart.js'
 * @import { View } from './element.js'
 * @import { explain } from './explain.js'
 * @import { Layout, Place } from './matrices.js'
 */

/** The opacity of matrices that the step shown does not use. */
const OUT_OF_STEP = 0.35;
/** The width of a cell from which two decimals and a sign have room beside the next cell's. */
const HUNDREDTHS = 44;
/** Of the weights: numbers stand on them, and the read-out highlights them. */
const SHADES = { opacities: /** @type {const} */ ([0, 0.45]), series: 'weights' };
/** Room for a product. */
const TERM = 108;

/** Returns the format of a matrix's numbers. @param {View} view  @param {Name} name  @param {number} width  of a cell */
function numberFormat(view, name, width) {
  const { state } = view;
  const tenths = state.gradients === 'values' && isGiven(name);
  const bounded = name === 'weights' && state.gradients === 'values';
  const digits = tenths || (width < HUNDREDTHS && !bounded) ? 1 : 2;
  return (/** @type {number} */ value) => written(view, value, digits);
}

/** Returns the path of the brackets around a matrix. @param {Place} place */
function brackets({ x, y, rows, columns, width, height }) {
  const [right, tall] = [x + columns * width, rows * height];
  return `M${x + 2},${y}h-5v${tall}h5M${right - 2},${y}h5v${tall}h-5`;
}

/** Returns the box of a matrix. @param {Place} place */
const boxOf = ({ x, y, rows, columns, width, height }) => ({
  left: x,
  right: x + columns * width,
  top: y,
  bottom: y + rows * height,
});

/**
 * Returns the rectangle of a cell, in pixels.
 * @param {Place} place
 * @param {number} row
 * @param {number} column
 */
const cellOf = ({ x, y, width, height }, row, column) => ({
  x: x + column * width,
  y: y + row * height,
  width,
  height,
});

/**
 * Draws the colours behind the numbers of a matrix: those of weights, and of the factors that the
 * arithmetic of the chosen cell uses.
 * @param {Name} name
 * @param {{ view: View, place: Place, parts: ReturnType<typeof explain> }} context
 */
function tints(name, { view: { palette, state, data }, place, parts }) {
  const fill = (
    /** @type {string} */ colour,
    /** @type {number} */ opacity,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) => node('rect', { ...cellOf(place, row, column), fill: colour, 'fill-opacity': opacity });
  const used = (/** @type {'left' | 'right'} */ side) =>
    parts[side].filter((part) => part.name === name);
  const isTinted = name === 'weights' && state.gradients === 'values';
  const matrix = { data: data.values.weights.flat(), shape: [place.rows, place.columns] };
  return [
    isTinted && cells(matrix, boxOf(place), { ...SHADES, colour: palette.third }),
    used('left').map(({ row, column }) => fill(palette.scaled, 0.22, row, column)),
    used('right').map(({ row, column }) => fill(palette.unscaled, 0.24, row, column)),
  ];
}

/**
 * Draws a matrix: its name, its numbers in brackets, and a frame around the chosen cell.
 * @param {Name} name
 * @param {{ view: View, layout: Layout, parts: ReturnType<typeof explain> }} context
 */
export function matrix(name, { view, layout: { places }, parts }) {
  const { palette, state, text: words } = view;
  const place = places[name];
  const { width, height } = place;
  const write = numberFormat(view, name, width);
  const selected = chosenCell(state);
  const isShown =
    isInStep(view, name) || [...parts.left, ...parts.right].some((part) => part.name === name);
  const heading = `${numberOf(view, name)} ${headingOf(view, name)}`;
  return node(
    'g',
    { opacity: !isShown && OUT_OF_STEP },
    text(place.x, place.y - 8, heading, { fill: palette.ink, weight: 600 }),
    tints(name, { view, place, parts }),
    node('path', {
      d: brackets(place),
      fill: 'none',
      stroke: isGiven(name) ? palette.ink : palette.muted,
    }),
    shown(view)[name].map((row, i) =>
      row.map((value, j) => {
        const { x, y } = cellOf(place, i, j);
        return text(x + width / 2, y + height / 2 + 4, write(value), {
          within: width - 3,
          anchor: 'middle',
          fill: value === -Infinity ? palette.muted : palette.ink,
        });
      }),
    ),
    name === selected.name &&
      node('rect', {
        ...cellOf(place, selected.row, selected.column),
        fill: 'none',
        stroke: palette.ink,
        'stroke-width': 2,
      }),
    sums(name, view, place),
    name === 'x' &&
      text(place.x + 6 * width, place.y - 8, `4 ${words.tokens} × d_model`, {
        fill: palette.muted,
        anchor: 'end',
      }),
  );
}

/**
 * Writes the words at rows: left of each row of matrices, at those made of another text, and below the columns
 * of scores, which are keys.
 * @param {View} view
 * @param {Layout} layout
 */
export function rowWords({ text: words, palette, state, width }, { places }) {
  const isCross = state.cross === 'yes';
  /** @type {TextLook} */
  const look = { fill: palette.muted, anchor: 'end' };
  const beside = (/** @type {Name} */ name, /** @type {readonly string[]} */ texts) => {
    const { x, y, height } = places[name];
    return texts.map((word, row) => text(x - 5, y + (row + 0.5) * height + 4, word, look));
  };
  const isStacked = width < STACK_BELOW;
  /** @type {readonly Name[]} */
  const own = isStacked ? ['x', 'query', 'scores', 'weights'] : ['x', 'scores'];
  /** @type {readonly Name[]} */
  const others = isStacked ? ['y'] : ['y', 'key', 'value'];
  /** @type {readonly Name[]} */
  const across = ['scores', 'scaled'];
  return [
    own.map((name) => beside(name, words.rows)),
    isCross && others.map((name) => beside(name, words.otherRows)),
    across.map((name) => {
      const { x, y, width: wide, rows, height } = places[name];
      return (isCross ? words.otherRows : words.rows).map((word, column) =>
        text(x + (column + 0.5) * wide, y + rows * height + 14, word, {
          ...look,
          anchor: 'middle',
        }),
      );
    }),
  ];
}

/**
 * Draws the sums of rows and columns of the weights, or of the columns of the scores' gradient.
 * @param {Name} name
 * @param {View} view
 * @param {Place} place
 */
function sums(name, view, { x, y, columns, width, height }) {
  const { state, palette } = view;
  const gradients = state.gradients === 'gradients';
  if (name !== (gradients ? 'scores' : 'weights')) return null;
  const totals = sumsOf(shown(view)[name]);
  /** @type {TextLook} */
  const look = { fill: palette.muted, anchor: 'middle' };
  const write = numberFormat(view, name, width);
  const below = totals.columns.map((total, column) =>
    text(x + (column + 0.5) * width, y + 4.5 * height + 6, write(total), look),
  );
  const beside = totals.rows.map((total, row) =>
    text(x + (columns + 0.58) * width, y + (row + 0.5) * height + 4, write(total), look),
  );
  const sign = text(x + (columns + 0.58) * width, y + 4.5 * height + 6, 'Σ', look);
  return [below, !gradients && beside, sign];
}

/** Returns the arithmetic of the chosen cell. @param {View} view @returns {Parameters<typeof explain>[0]} */
export const explained = ({ data, state }) => ({
  ...chosenCell(state),
  values: data.values,
  gradients: data.gradients,
  backwards: state.gradients === 'gradients',
  scaling: state.scaling === 'on',
  causal: state.causal === 'yes' && state.cross === 'no',
  cross: state.cross === 'yes',
});

/**
 * Draws the arithmetic of the chosen cell: the factors, in their colours, and the result.
 * @param {View} view
 * @param {Layout} layout
 * @param {ReturnType<typeof explain>} parts
 */
export function arithmetic(view, { corner }, parts) {
  const { palette, format, text: words, state } = view;
  const { name, row, column } = chosenCell(state);
  const two = (/** @type {number} */ value) => {
    const number = format.fixed(value, 2);
    return number.startsWith('−') ? `(${number})` : number;
  };
  const across = Math.max(1, Math.floor(corner.width / TERM));
  const y = (/** @type {number} */ line) => corner.y + 16 + 18 * line;
  const products = parts.terms.map(([left, right], index) => [
    index > 0 ? ' + ' : '',
    node('tspan', { fill: palette.scaledText }, two(left)),
    '×',
    node('tspan', { fill: palette.unscaledText }, two(right)),
  ]);
  const lines = Math.ceil(products.length / across);
  const terms = times(lines, (k) =>
    node(
      'text',
      { x: 0, y: y(2 + k), fill: palette.muted },
      products.slice(k * across, (k + 1) * across),
    ),
  );
  const value = shown(view)[name][row][column];
  const heading = state.gradients === 'gradients' ? headingOf(view, name) : words.symbols[name];
  const result = [
    text(0, y(0), `${heading} [${row + 1}, ${column + 1}] = ${written(view, value)}`, {
      fill: palette.ink,
      weight: 600,
      size: 14,
    }),
    text(0, y(1), howOf(parts, view), { fill: palette.muted }),
  ];
  if (corner.isShort) return result;
  return [
    result,
    terms,
    parts.formula &&
      text(0, y(2 + lines), parts.formula(two, format.significant), {
        fill: palette.ink,
        within: corner.width,
      }),
  ];
}

/** Returns the arithmetic of a cell in words. @param {ReturnType<typeof explain>} parts @param {View} view */
export const howOf = ({ note, sources }, view) =>
  note
    ? view.text[note]
    : sources
        .map(({ name, along, index, gradient }) =>
          say(view, view.text[along], {
            matrix: `${gradient ? '∂L/∂' : ''}${view.text.symbols[name]}`,
            index: index + 1,
          }),
        )
        .join(' · ');
