// <attn-flow>: one attention head on four tokens, every number of it, forwards and backwards
// (Vaswani et al. 2017, §3.2). A cell shows the row and the column that it is made of.

import { attentionFlow, FLOW_GIVEN, flowSample } from '../../experiments/index.js';
import { sumsOf } from '../../experiments/statistics.js';
import { overlay, styles } from './cells.js';
import { explain } from './explain.js';
import {
  aspect,
  GIVEN,
  headingOf,
  isGiven,
  layoutOf,
  NAMES,
  parseCell,
  pick,
  SHAPES,
  shown,
  written,
} from './matrices.js';
import { en, zh } from './words.js';
import { blueSeries, orangeSeries, picture, text } from '../kit/chart.js';
import { FigureElement } from '../kit/figure.js';
import { choiceField, matrixField, matrixOf, seedField } from '../kit/state.js';
import { renderStatic } from '../kit/static.js';
import { node } from '../kit/svg.js';
import { line, say } from '../kit/words.js';
import { recordOf } from '../../shared/keys.js';
import { times } from '../../shared/times.js';

/**
 * @import { TextLook } from '../kit/chart.js'
 * @import { Given, Name } from '../../experiments/flow.js'
 * @import { Layout, Place } from './matrices.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { Field, StateOf } from '../kit/state.js'
 * @import { TidyRow } from '../kit/download.js'
 * @import { StaticOptions } from '../kit/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof en, State>} View
 */

const LARGEST_ENTRY = 9;

/** The empty text stands for the sample. @param {Given} name */
const given = (name) => {
  const [rows, columns] = FLOW_GIVEN[name];
  return matrixField({ initial: '', count: rows * columns, largest: LARGEST_ENTRY });
};

// ---- state ----------------------------------------------------------------------------------

/** @type {Field<string>} */
const cellField = {
  kind: 'picture',
  initial: 'scores-2-3',
  /** @param {unknown} raw */
  parse(raw) {
    if (typeof raw !== 'string' || !/^[a-zA-Z]+-[1-9]-[1-9]$/.test(raw)) return undefined;
    const { name, row, column } = parseCell(raw);
    const shape = SHAPES[name] ?? [];
    return row < shape[0] && column < shape[1] ? raw : undefined;
  },
};

const fields = {
  scaling: choiceField({ initial: 'on', options: ['on', 'off'] }),
  causal: choiceField({ initial: 'no', options: ['no', 'yes'] }),
  gradients: choiceField({ initial: 'values', options: ['values', 'gradients'] }),
  seed: seedField(11),
  cell: cellField,
  x: given('x'),
  queryWeight: given('queryWeight'),
  keyWeight: given('keyWeight'),
  valueWeight: given('valueWeight'),
};

/**
 * @param {State} state
 * @param {Context} context
 */
function* compute(state, { memo }) {
  const inputs = [state.scaling, state.causal, state.seed, ...GIVEN.map((name) => state[name])];
  return yield* memo('flow', inputs, () => {
    const matrices = flowSample(state.seed);
    for (const name of GIVEN) {
      if (state[name]) matrices[name] = matrixOf(state[name], FLOW_GIVEN[name][1]);
    }
    const causal = state.causal === 'yes';
    const rows = attentionFlow({ given: matrices, scaling: state.scaling === 'on', causal });
    return { rows, values: matricesOf(rows, 'value'), gradients: matricesOf(rows, 'gradient') };
  });
}

/** @param {ReturnType<typeof attentionFlow>} rows  @param {'value' | 'gradient'} measure */
function matricesOf(rows, measure) {
  const matrices = recordOf(NAMES, () => /** @type {number[][]} */ ([]));
  for (const { matrix, row, column, [measure]: value } of rows) {
    (matrices[matrix][row] ??= [])[column] = value;
  }
  return matrices;
}

/** Room for a product. */
const TERM = 100;

// ---- drawing ----------------------------------------------------------------------------------

/** @param {View} view  @param {Name} name  @param {number} width  of a cell */
function numberFormat(view, name, width) {
  const { state } = view;
  const tenths = state.gradients === 'values' && isGiven(name);
  const bounded = name === 'weights' && state.gradients === 'values';
  const digits = tenths || (width < 40 && !bounded) ? 1 : 2;
  return (/** @type {number} */ value) => written(view, value, digits);
}

/** @param {Place} place */
function brackets({ x, y, rows, columns, width, height }) {
  const [right, tall] = [x + columns * width, rows * height];
  return `M${x + 2},${y}h-5v${tall}h5M${right - 2},${y}h5v${tall}h-5`;
}

/**
 * @param {Name} name
 * @param {{ view: View, layout: Layout, parts: ReturnType<typeof explain> }} context
 */
function matrix(name, { view, layout: { places }, parts }) {
  const { palette, state, text: words } = view;
  const place = places[name];
  const { width, height } = place;
  const write = numberFormat(view, name, width);
  const selected = parseCell(state.cell);
  const corner = (/** @type {number} */ row, /** @type {number} */ column) => ({
    x: place.x + column * width,
    y: place.y + row * height,
  });
  const fill = (
    /** @type {string} */ colour,
    /** @type {number} */ opacity,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) =>
    node('rect', {
      ...corner(row, column),
      width,
      height,
      fill: colour,
      'fill-opacity': opacity,
    });
  const used = (/** @type {'left' | 'right'} */ side) =>
    parts[side].filter((part) => part.name === name);
  const tinted = name === 'weights' && state.gradients === 'values';
  return [
    text(place.x, place.y - 8, `${headingOf(view, name)}`, { fill: palette.ink, weight: 600 }),
    tinted &&
      view.data.values.weights.map((row, i) =>
        row.map((weight, j) => fill(palette.third, 0.45 * weight, i, j)),
      ),
    used('left').map(({ row, column }) => fill(palette.scaled, 0.22, row, column)),
    used('right').map(({ row, column }) => fill(palette.unscaled, 0.24, row, column)),
    node('path', {
      d: brackets(place),
      fill: 'none',
      stroke: isGiven(name) ? palette.ink : palette.muted,
    }),
    shown(view)[name].map((row, i) =>
      row.map((value, j) =>
        text(corner(i, j).x + width / 2, corner(i, j).y + height / 2 + 4, write(value), {
          within: width - 6,
          anchor: 'middle',
          fill: value === -Infinity ? palette.muted : palette.ink,
        }),
      ),
    ),
    name === selected.name &&
      node('rect', {
        ...corner(selected.row, selected.column),
        width,
        height,
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
  ];
}

/**
 * Sums of rows and columns of the weights, or of the columns of the scores' gradient.
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

/** @param {View} view  @returns {Parameters<typeof explain>[0]} */
const explained = ({ data, state }) => ({
  ...parseCell(state.cell),
  values: data.values,
  gradients: data.gradients,
  backwards: state.gradients === 'gradients',
  scaling: state.scaling === 'on',
  causal: state.causal === 'yes',
});

/**
 * The arithmetic of the chosen cell: what is multiplied, in its colours, and the result.
 * @param {View} view
 * @param {Layout} layout
 * @param {ReturnType<typeof explain>} parts
 */
function arithmetic(view, { corner }, parts) {
  const { palette, format, text: words, state } = view;
  const { name, row, column } = parseCell(state.cell);
  const two = (/** @type {number} */ value) => format.fixed(value, 2);
  const across = Math.max(1, Math.floor(corner.width / TERM));
  const y = (/** @type {number} */ line) => corner.y + 16 + 18 * line;
  const products = parts.terms.map(([left, right], index) => [
    index > 0 ? ' + ' : '',
    node('tspan', { fill: palette.scaledText }, two(left)),
    ' · ',
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
  return [
    text(0, y(0), `${heading} [${row + 1}, ${column + 1}] = ${written(view, value)}`, {
      fill: palette.ink,
      weight: 600,
      size: 14,
    }),
    text(0, y(1), howOf(parts, view), { fill: palette.muted }),
    terms,
    parts.formula &&
      text(0, y(2 + lines), parts.formula(two, format.significant), {
        fill: palette.ink,
        within: corner.width,
      }),
  ];
}

/** How a cell is made, in words. @param {ReturnType<typeof explain>} parts  @param {View} view */
const howOf = ({ note, sources }, view) =>
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

/** @param {View} view */
function draw(view) {
  const { width, palette } = view;
  const layout = layoutOf(width);
  const parts = explain(explained(view));
  const headings = NAMES.map((name) => headingOf(view, name));
  return picture(
    {
      width,
      height: layout.height,
      title: title(view),
      palette,
      description: `${headings.join('; ')}. ${status(view)}`,
    },
    NAMES.map((name) => matrix(name, { view, layout, parts })),
    arithmetic(view, layout, parts),
  );
}

// ---- the figure -----------------------------------------------------------------------------

/** Smallest and largest. @param {number[]} values */
const ends = (values) => ({ low: Math.min(...values), high: Math.max(...values) });

/** The chosen cell and how it is made. @param {View} view  @returns {string} */
function status(view) {
  const { state, text: words } = view;
  const { name, row, column } = parseCell(state.cell);
  const value = shown(view)[name][row][column];
  return say(view, words.status, {
    name: headingOf(view, name),
    row: row + 1,
    column: column + 1,
    value: written(view, value),
    how: howOf(explain(explained(view)), view),
  }).replaceAll('_', '');
}

/** @param {View} view  @returns {string} */
function title(view) {
  const { data, state, text: words, format } = view;
  const gradients = state.gradients === 'gradients';
  const { columns } = sumsOf(gradients ? data.gradients.scores : data.values.weights);
  const [low, high] = Object.values(ends(columns)).map((end) => format.fixed(end, 2));
  // Together they sum to 0: where they are alike, each of them is 0.
  const learned = low === high ? '' : words.learned;
  return say(view, gradients ? words.gradientTitle : words.title, { low, high, learned });
}

/** @param {View} view  @returns {ReadoutGroup[]} */
function readout({ data, text: words, format, palette }) {
  const three = (/** @type {number} */ value) => format.fixed(value, 3);
  const lines = (/** @type {number[][]} */ matrix, /** @type {number} */ rowSum) => {
    const { rows, columns } = sumsOf(matrix);
    return [
      line(words.smallestRow, three, ends(rows).low, rowSum),
      line(words.largestRow, three, ends(rows).high, rowSum),
      line(words.smallestColumn, three, ends(columns).low),
      line(words.largestColumn, three, ends(columns).high),
    ];
  };
  return [
    {
      series: { ...blueSeries(palette, 'weights'), marker: 'square' },
      label: words.weightGroup,
      formula: 'softmax(c · Q Kᵀ)',
      rows: lines(data.values.weights, 1),
    },
    {
      series: orangeSeries(palette, 'gradient'),
      label: words.gradientGroup,
      formula: 'c · A∘(dA − Σ A∘dA)',
      rows: lines(data.gradients.scores, 0),
    },
  ];
}

/** @param {View} view  @returns {TidyRow[]} */
const rows = (view) =>
  view.data.rows.flatMap(({ matrix: name, row, column, value, gradient }) => {
    const place = { series: say(view, view.text.rowName, { index: row + 1 }), x: column + 1 };
    return [
      {
        panel: view.text.symbols[name],
        ...place,
        measured: value === -Infinity ? undefined : value,
      },
      { panel: `∂L/∂${view.text.symbols[name]}`, ...place, measured: gradient },
    ];
  });

/** @type {FigureSpec<Data, typeof en, State>} */
export const spec = {
  name: 'flow',
  fields,
  visible: ['scaling', 'causal', 'gradients'],
  messages: { en, zh },
  aspect,
  compute,
  draw,
  pick,
  follows: true,
  overlay,
  styles: [styles],
  title,
  readout,
  rows,
  status,
  caption: ({ text: words }) => words.caption,
};

/** One attention head on four tokens: every matrix, its arithmetic and its gradient. */
export class AttnFlow extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnFlow);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
