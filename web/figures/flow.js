// <attn-flow>: one attention head on four tokens, every number of it, forwards and backwards
// (Vaswani et al. 2017, §3.2). A cell shows the row and the column that it is made of.

import { html } from 'lit/html.js';
import { attentionFlow, FLOW_GIVEN, FLOW_SIZES, flowSample } from '../experiments/index.js';
import { explain } from './flow.explain.js';
import { en, zh } from './flow.messages.js';
import { picture, STACK_BELOW, text } from './kit/chart.js';
import { css } from './kit/element.js';
import { FigureElement } from './kit/figure.js';
import { choiceField, matrixField, matrixOf, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { node } from './kit/svg.js';
import { typed } from './kit/typed.js';

/**
 * @typedef {import('../experiments/flow.js').Name} Name
 * @typedef {import('../experiments/flow.js').Given} Given
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {{ x: number, y: number, rows: number, columns: number }} Place  of a matrix, in pixels
 * @typedef {{ places: Record<Name, Place>, cell: { width: number, height: number },
 *   corner: { x: number, y: number, width: number }, height: number }} Layout
 */

const { tokens, dK } = FLOW_SIZES;
const GIVEN = /** @type {Given[]} */ (Object.keys(FLOW_GIVEN));

/** Rows and columns of every matrix. @type {Record<Name, readonly [number, number]>} */
const SHAPES = {
  ...FLOW_GIVEN,
  ...{ query: [tokens, dK], key: [tokens, dK], value: [tokens, dK] },
  ...{ scores: [tokens, tokens], scaled: [tokens, tokens], weights: [tokens, tokens] },
  output: [tokens, dK],
};
const NAMES = /** @type {Name[]} */ (Object.keys(SHAPES));

const LARGEST_ENTRY = 9;

/** The empty text stands for the sample. @param {Given} name */
const given = (name) => {
  const [rows, columns] = FLOW_GIVEN[name];
  return matrixField({ initial: '', count: rows * columns, largest: LARGEST_ENTRY });
};

// ---- state ----------------------------------------------------------------------------------

/** @param {string} cell  as in `scores-2-3`  @returns {{ name: Name, row: number, column: number }} from 0 */
function parseCell(cell) {
  const [name, row, column] = cell.split('-');
  return { name: /** @type {Name} */ (name), row: Number(row) - 1, column: Number(column) - 1 };
}

/** @param {Name} name  @param {number} row  @param {number} column */
const cellName = (name, row, column) => `${name}-${row + 1}-${column + 1}`;

const cellField = {
  kind: /** @type {const} */ ('picture'),
  initial: 'scores-2-3',
  /** @param {unknown} raw */
  parse(raw) {
    if (typeof raw !== 'string' || !/^[a-zA-Z]+-[1-9]-[1-9]$/.test(raw)) return undefined;
    const { name, row, column } = parseCell(raw);
    if (!Object.hasOwn(SHAPES, name)) return undefined;
    return row < SHAPES[name][0] && column < SHAPES[name][1] ? raw : undefined;
  },
};

const fields = {
  scaling: choiceField({ initial: 'on', options: ['on', 'off'] }),
  causal: choiceField({ initial: 'no', options: ['no', 'yes'] }),
  gradients: choiceField({ initial: 'values', options: ['values', 'gradients'] }),
  seed: numberField({ initial: 11, min: 0, max: 999_999, slider: false }),
  cell: cellField,
  x: given('x'),
  queryWeight: given('queryWeight'),
  keyWeight: given('keyWeight'),
  valueWeight: given('valueWeight'),
};

/**
 * @param {import('./kit/state.js').State} state
 * @param {{ memo: import('./kit/spec.js').Memo }} context
 */
function compute(state, { memo }) {
  const inputs = [state.scaling, state.causal, state.seed, ...GIVEN.map((name) => state[name])];
  return memo('flow', inputs, () => {
    const matrices = flowSample(Number(state.seed));
    for (const name of GIVEN) {
      if (state[name]) matrices[name] = matrixOf(String(state[name]), FLOW_GIVEN[name][1]);
    }
    const causal = state.causal === 'yes';
    const rows = attentionFlow({ given: matrices, scaling: state.scaling === 'on', causal });
    return { rows, values: matricesOf(rows, 'value'), gradients: matricesOf(rows, 'gradient') };
  });
}

/** @param {ReturnType<typeof attentionFlow>} rows  @param {'value' | 'gradient'} measure */
function matricesOf(rows, measure) {
  const matrices = /** @type {Record<Name, number[][]>} */ ({});
  for (const row of rows) {
    const matrix = (matrices[row.matrix] ??= []);
    (matrix[row.row] ??= [])[row.column] = row[measure];
  }
  return matrices;
}

/** @param {number[][]} matrix */
const sumsOf = (matrix) => ({
  rows: matrix.map((row) => row.reduce((sum, value) => sum + value, 0)),
  columns: matrix[0].map((_, column) => matrix.reduce((sum, row) => sum + row[column], 0)),
});

// ---- where everything lies --------------------------------------------------------------------

const aspect = { wide: 0.74, narrow: 2.7 };
const TITLE = 24;
/** Room for a bracket. */
const EDGE = 4;
/** Room for a product. */
const TERM = 100;

/** Left to right: weights above what they make, then the way from scores to output. @param {number} width */
function wideLayout(width) {
  const gap = 30;
  const height = width * aspect.wide;
  const cell = {
    width: (width - 3 * gap - 2 * EDGE) / 16.2,
    height: (height - 3 * TITLE - 34) / 15,
  };
  const [first, second] = [TITLE, 2 * TITLE + 8 + 6 * cell.height];
  const third = second + 4 * cell.height + TITLE + 14;
  const right = width - EDGE - 3 * cell.width;
  const wider = (right - 12 * cell.width - EDGE) / 3;
  const at = (/** @type {number} */ k) => right - (2 - k) * (3 * cell.width + wider);
  const along = (/** @type {number} */ k) => EDGE + k * (4 * cell.width + gap);
  return {
    ...{ cell, height, corner: { x: 0, y: 0, width: at(0) - 14 } },
    origins: /** @type {Record<Name, [number, number]>} */ ({
      x: [EDGE, second],
      ...{ queryWeight: [at(0), first], keyWeight: [at(1), first], valueWeight: [at(2), first] },
      ...{ query: [at(0), second], key: [at(1), second], value: [at(2), second] },
      ...{ scores: [along(0), third], scaled: [along(1), third], weights: [along(2), third] },
      output: [right, third],
    }),
  };
}

/** Top to bottom. @param {number} width */
function narrowLayout(width) {
  const gap = 10;
  const height = width * aspect.narrow;
  const corner = { x: 0, y: 0, width };
  const top = 96;
  const cell = { width: (width - 2 * gap - 6) / 9, height: (height - top - 5 * (TITLE + 8)) / 23 };
  const below = (/** @type {number} */ rows, /** @type {number} */ titles) =>
    top + rows * cell.height + titles * (TITLE + 8);
  const at = (/** @type {number} */ k) => 3 + k * (3 * cell.width + gap);
  const right = width - 4 * cell.width - 3;
  return {
    ...{ cell, height, corner },
    origins: /** @type {Record<Name, [number, number]>} */ ({
      x: [3, below(0, 1)],
      queryWeight: [at(0), below(4, 2)],
      keyWeight: [at(1), below(4, 2)],
      valueWeight: [at(2), below(4, 2)],
      query: [at(0), below(10, 3)],
      key: [at(1), below(10, 3)],
      value: [at(2), below(10, 3)],
      scores: [3, below(14, 4)],
      scaled: [right, below(14, 4)],
      weights: [3, below(18, 5)],
      output: [width - 3 * cell.width - 3, below(18, 5)],
    }),
  };
}

/** @param {number} width  @returns {Layout} */
function layoutOf(width) {
  const { origins, ...layout } = width >= STACK_BELOW ? wideLayout(width) : narrowLayout(width);
  const places = NAMES.map((name) => {
    const [x, y] = origins[name];
    return [name, { x, y, rows: SHAPES[name][0], columns: SHAPES[name][1] }];
  });
  return { ...layout, places: Object.fromEntries(places) };
}

// ---- drawing ----------------------------------------------------------------------------------

/** What the cells show. @param {View} view */
const shown = ({ data, state }) => (state.gradients === 'gradients' ? data.gradients : data.values);

/** @param {View} view  @param {Name} name  @returns {string} */
function headingOf({ state, text: words }, name) {
  if (state.gradients === 'gradients') return `∂L/∂${words.symbols[name]}`;
  const unscaled = name === 'scaled' && state.scaling === 'off';
  return words.symbols[name] + (unscaled ? ' = S' : (words.formulas[name] ?? ''));
}

/** @param {View} view  @param {Name} name  @param {number} width  of a cell */
function numberFormat({ format, state }, name, width) {
  const tenths = state.gradients === 'values' && GIVEN.includes(/** @type {Given} */ (name));
  const bounded = name === 'weights' && state.gradients === 'values';
  const digits = tenths || (width < 40 && !bounded) ? 1 : 2;
  return (/** @type {number} */ value) =>
    value === -Infinity
      ? '−∞'
      : format.fixed(Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value, digits);
}

/** @param {Place} place  @param {Layout['cell']} cell */
function brackets({ x, y, rows, columns }, { width, height }) {
  const [right, tall] = [x + columns * width, rows * height];
  return `M${x + 2},${y}h-5v${tall}h5M${right - 2},${y}h5v${tall}h-5`;
}

/**
 * @param {Name} name
 * @param {{ view: View, layout: Layout, parts: ReturnType<typeof explain> }} context
 */
function matrix(name, { view, layout: { places, cell }, parts }) {
  const { palette, state, text: words } = view;
  const place = places[name];
  const write = numberFormat(view, name, cell.width);
  const selected = parseCell(String(state.cell));
  const isGiven = GIVEN.includes(/** @type {Given} */ (name));
  const corner = (/** @type {number} */ row, /** @type {number} */ column) => ({
    x: place.x + column * cell.width,
    y: place.y + row * cell.height,
  });
  const fill = (
    /** @type {string} */ colour,
    /** @type {number} */ opacity,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) =>
    node('rect', {
      ...corner(row, column),
      ...{ width: cell.width, height: cell.height, fill: colour, 'fill-opacity': opacity },
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
      d: brackets(place, cell),
      fill: 'none',
      stroke: isGiven ? palette.ink : palette.muted,
    }),
    shown(view)[name].map((row, i) =>
      row.map((value, j) =>
        text(corner(i, j).x + cell.width / 2, corner(i, j).y + cell.height / 2 + 4, write(value), {
          anchor: 'middle',
          fill: value === -Infinity ? palette.muted : palette.ink,
        }),
      ),
    ),
    name === selected.name &&
      node('rect', {
        ...corner(selected.row, selected.column),
        ...{ width: cell.width, height: cell.height, fill: 'none' },
        ...{ stroke: palette.ink, 'stroke-width': 2 },
      }),
    sums(name, view, { places, cell }),
    name === 'x' &&
      text(place.x + 6 * cell.width, place.y - 8, `4 ${words.tokens} × d_model`, {
        ...{ fill: palette.muted, anchor: 'end' },
      }),
  ];
}

/**
 * Sums of rows and columns of the weights, or of the columns of the scores' gradient.
 * @param {Name} name
 * @param {View} view
 * @param {Pick<Layout, 'places' | 'cell'>} layout
 */
function sums(name, view, { places, cell }) {
  const { state, palette } = view;
  const gradients = state.gradients === 'gradients';
  if (name !== (gradients ? 'scores' : 'weights')) return null;
  const { x, y, columns } = places[name];
  const totals = sumsOf(shown(view)[name]);
  const look = { fill: palette.muted, anchor: /** @type {const} */ ('middle') };
  const write = numberFormat(view, name, cell.width);
  const below = totals.columns.map((total, column) =>
    text(x + (column + 0.5) * cell.width, y + 4.5 * cell.height + 6, write(total), look),
  );
  const beside = totals.rows.map((total, row) =>
    text(x + (columns + 0.58) * cell.width, y + (row + 0.5) * cell.height + 4, write(total), look),
  );
  const sign = text(x + (columns + 0.58) * cell.width, y + 4.5 * cell.height + 6, 'Σ', look);
  return [below, !gradients && beside, sign];
}

/** @param {View} view  @returns {Parameters<typeof explain>[0]} */
const explained = ({ data, state }) => ({
  ...parseCell(String(state.cell)),
  ...{ values: data.values, gradients: data.gradients, backwards: state.gradients === 'gradients' },
  ...{ scaling: state.scaling === 'on', causal: state.causal === 'yes' },
});

/**
 * The arithmetic of the chosen cell: what is multiplied, in its colours, and the result.
 * @param {View} view
 * @param {Layout} layout
 * @param {ReturnType<typeof explain>} parts
 */
function arithmetic(view, { corner }, parts) {
  const { palette, format, text: words, state } = view;
  const { name, row, column } = parseCell(String(state.cell));
  const two = (/** @type {number} */ value) => format.fixed(value, 2);
  const across = Math.max(1, Math.floor(corner.width / TERM));
  const y = (/** @type {number} */ line) => corner.y + 16 + 18 * line;
  const terms = parts.terms.map(([left, right], index) =>
    node(
      'text',
      { x: corner.x + TERM * (index % across), y: y(2 + Math.floor(index / across)) },
      index > 0 ? node('tspan', { fill: palette.muted }, '+ ') : null,
      node('tspan', { fill: palette.scaledText }, two(left)),
      ' · ',
      node('tspan', { fill: palette.unscaledText }, two(right)),
    ),
  );
  const lines = Math.ceil(parts.terms.length / across);
  const value = shown(view)[name][row][column];
  const heading = state.gradients === 'gradients' ? headingOf(view, name) : words.symbols[name];
  const result = value === -Infinity ? '−∞' : format.fixed(value, 3);
  return [
    text(corner.x, y(0), `${heading} [${row + 1}, ${column + 1}] = ${result}`, {
      ...{ fill: palette.ink, weight: 600, size: 14 },
    }),
    text(corner.x, y(1), howOf(parts, words), { fill: palette.muted }),
    terms,
    parts.formula && text(corner.x, y(2 + lines), parts.formula(two), { fill: palette.ink }),
  ];
}

/** How a cell is made, in words. @param {ReturnType<typeof explain>} parts  @param {typeof en} words */
const howOf = ({ note, sources }, words) =>
  note
    ? words[note]
    : sources
        .map(({ name, along, index, gradient }) =>
          words[along](`${gradient ? '∂L/∂' : ''}${words.symbols[name]}`, index + 1),
        )
        .join(' · ');

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const layout = layoutOf(width);
  const parts = explain(explained(view));
  return picture(
    { width, height: layout.height, title: title(view), description: words.description, palette },
    NAMES.map((name) => matrix(name, { view, layout, parts })),
    arithmetic(view, layout, parts),
  );
}

// ---- the cells as controls ----------------------------------------------------------------------

/** @typedef {(key: string, value: unknown, settled: boolean) => void} Change */

const styles = css`
  .cells > * {
    position: absolute;
    display: grid;
  }
  .cells :is(button, input) {
    min-width: 0;
    min-height: 0;
    padding: 0;
    border: 0;
    border-radius: 0;
    text-align: center;
    cursor: cell;
  }
  .cells input {
    width: 100%;
    font-size: 12px;
    opacity: 0;
    background: var(--paper);
  }
  .cells input:focus {
    opacity: 1;
  }
  .cells :is(button, input):focus-visible {
    outline: 2px solid var(--scaledText);
    outline-offset: 0;
    z-index: 1;
  }
`;

/** The whole matrix with one entry changed, as the state holds it. @param {View} view @param {HTMLInputElement} input */
function edited({ data }, input) {
  const { name, row, column } = parseCell(String(input.dataset.cell));
  const typed = input.value.trim().replace('−', '-').replace(',', '.');
  const entries = data.values[name].map((line, i) =>
    line.map((value, j) => (i === row && j === column ? typed || 'NaN' : value)),
  );
  return { name, written: entries.flat().join(' ') };
}

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
});

/** Arrow keys move inside a matrix; Tab goes to the next one. @param {KeyboardEvent} event */
function move(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const step = STEPS[event.key];
  if (!step) return;
  const { name, row, column } = parseCell(String(target.dataset.cell));
  const next = cellName(name, row + step[0], column + step[1]);
  const found = target.parentElement?.querySelector(`[data-cell="${next}"]`);
  event.preventDefault();
  /** @type {HTMLElement | null | undefined} */ (found)?.focus();
}

/** @param {View} view  @param {Change} change */
function overlay(view, change) {
  const layout = layoutOf(view.width);
  const enter = (/** @type {FocusEvent} */ { target }) => {
    const cell = /** @type {HTMLInputElement} */ (target);
    change('cell', cell.dataset.cell, true);
    if (cell.localName === 'input') cell.select();
  };
  const edit = (/** @type {Event} */ { target }) => {
    const { name, written } = edited(view, /** @type {HTMLInputElement} */ (target));
    change(name, written, true);
  };
  return html`<div class="cells" @focusin=${enter} @change=${edit} @keydown=${move}>
    ${NAMES.map((name) => group(name, view, layout))}
  </div>`;
}

/** @param {Name} name  @param {View} view  @param {Layout} layout */
function group(name, view, { places, cell }) {
  const { x, y, rows, columns } = places[name];
  const selected = parseCell(String(view.state.cell));
  const [row, column] = selected.name === name ? [selected.row, selected.column] : [0, 0];
  const place = `left: ${x}px; top: ${y}px; width: ${columns * cell.width}px; height: ${
    rows * cell.height
  }px; grid-template: repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
  return html`<div
    role="group"
    aria-label=${headingOf(view, name).replaceAll('_', '')}
    .style=${place}
  >
    ${shown(view)[name].flatMap((line, i) =>
      line.map((value, j) =>
        control(name, { i, j, value, view, first: i === row && j === column }),
      ),
    )}
  </div>`;
}

/**
 * A cell that takes the focus; those of given matrices take a number too.
 * @param {Name} name
 * @param {{ i: number, j: number, value: number, view: View, first: boolean }} cell
 */
function control(name, { i, j, value, view, first }) {
  const { text: words, format, state } = view;
  const written = value === -Infinity ? '−∞' : format.fixed(value, 2);
  const label = words.cell(i + 1, j + 1, written);
  const tab = first ? '0' : '-1';
  return GIVEN.includes(/** @type {Given} */ (name)) && state.gradients === 'values'
    ? html`<input
        data-cell=${cellName(name, i, j)}
        tabindex=${tab}
        inputmode="decimal"
        autocomplete="off"
        aria-label=${label}
        ${typed(String(value))}
      />`
    : html`<button data-cell=${cellName(name, i, j)} tabindex=${tab} aria-label=${label}></button>`;
}

/** @type {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} */
function pick({ width }, point) {
  const { places, cell } = layoutOf(width);
  for (const name of NAMES) {
    const { x, y, rows, columns } = places[name];
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

// ---- the figure -----------------------------------------------------------------------------

/** Smallest and largest. @param {number[]} values */
const ends = (values) => ({ low: Math.min(...values), high: Math.max(...values) });

/** @param {View} view  @returns {string} */
function title({ data, state, text: words, format }) {
  const gradients = state.gradients === 'gradients';
  const { columns } = sumsOf(gradients ? data.gradients.scores : data.values.weights);
  const { low, high } = ends(columns);
  const written = { low: format.fixed(low, 2), high: format.fixed(high, 2) };
  return gradients ? words.gradientTitle(written) : words.title(written);
}

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout({ data, text: words, format, palette }) {
  const lines = (/** @type {number[][]} */ matrix, /** @type {number} */ rowSum) => {
    const { rows, columns } = sumsOf(matrix);
    const line = (
      /** @type {string} */ quantity,
      /** @type {number} */ measured,
      /** @type {number} */ theory,
    ) => ({
      ...{ quantity, measured, theory },
      format: (/** @type {number} */ value) => format.fixed(Math.abs(value) < 5e-4 ? 0 : value, 3),
    });
    return [
      line(words.smallestRow, ends(rows).low, rowSum),
      line(words.largestRow, ends(rows).high, rowSum),
      line(words.smallestColumn, ends(columns).low, NaN),
      line(words.largestColumn, ends(columns).high, NaN),
    ];
  };
  return [
    {
      series: {
        ...{ key: 'weights', colour: palette.scaled, textColour: palette.scaledText },
        marker: 'square',
      },
      label: words.weightGroup,
      formula: 'softmax(c · Q Kᵀ)',
      rows: lines(data.values.weights, 1),
    },
    {
      series: {
        ...{ key: 'gradient', colour: palette.unscaled, textColour: palette.unscaledText },
        marker: 'diamond',
      },
      label: words.gradientGroup,
      formula: 'c · A∘(dA − Σ A∘dA)',
      rows: lines(data.gradients.scores, 0),
    },
  ];
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
const rows = ({ data, text: words }) =>
  data.rows.flatMap(({ matrix: name, row, column, value, gradient }) => {
    const place = { series: words.rowName(row + 1), x: column + 1 };
    return [
      {
        ...{ panel: words.symbols[name], ...place },
        measured: value === -Infinity ? undefined : value,
      },
      { panel: `∂L/∂${words.symbols[name]}`, ...place, measured: gradient },
    ];
  });

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en>} */
export const spec = {
  name: 'flow',
  fields,
  visible: ['scaling', 'causal', 'gradients'],
  messages: { en, zh },
  aspect,
  seeded: true,
  compute,
  draw,
  pick,
  follows: true,
  overlay,
  styles: [styles],
  title,
  readout,
  rows,
  status: (view) => {
    const { state, text: words, format } = view;
    const { name, row, column } = parseCell(String(state.cell));
    const value = shown(view)[name][row][column];
    return words.status({
      name: headingOf(view, name).replaceAll('_', ''),
      row: format.plain(row + 1),
      column: format.plain(column + 1),
      value: value === -Infinity ? '−∞' : format.fixed(value, 3),
      how: howOf(explain(explained(view)), words).replaceAll('_', ''),
    });
  },
  caption: ({ text: words }) => words.caption,
};

/**
 * One attention head on four tokens: every matrix, its arithmetic and its gradient.
 *
 * @attr {'on' | 'off'} scaling - whether scores are divided by √d_k (on)
 * @attr {'no' | 'yes'} causal - whether a query may see only itself and earlier keys (no)
 * @attr {'values' | 'gradients'} gradients - what the cells show (values)
 * @attr {number} seed - of the matrices that are not given (11)
 * @attr {string} cell - the cell whose arithmetic is shown, as in `scores-2-3`
 * @attr {string} x - 4 × 6 numbers, row by row
 * @attr {string} query-weight - 6 × 3 numbers, row by row
 * @attr {string} key-weight - 6 × 3 numbers, row by row
 * @attr {string} value-weight - 6 × 3 numbers, row by row
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnFlow extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnFlow);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
