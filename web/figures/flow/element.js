// <attn-flow>: one attention head on four tokens, every number of it, forwards and backwards (Vaswani
// et al. 2017, §3.2). A cell shows the row and the column from which it is computed.

import { attentionFlow, FLOW_GIVEN, flowSample } from '../../experiments/flow.js';
import { sumsOf } from '../../experiments/statistics.js';
import { overlay, styles } from './cells.js';
import { explain } from './explain.js';
import {
  aspect,
  GIVEN,
  chosenCell,
  FIRST_CELL,
  hasCell,
  headingOf,
  layoutOf,
  namesOf,
  parseCell,
  pick,
  shapesOf,
  shown,
  written,
} from './matrices.js';
import { arithmetic, explained, howOf, matrix, rowWords } from './picture.js';
import { padStyles } from './pad.js';
import { lead, stepClaim, stepField, stepStyles, stepText } from './steps.js';
import { messages } from './generated/words.js';
import { picture } from '../kit/chart/chart.js';
import { blueLook, orangeLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { choiceField, matrixField, matrixOf, seedField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { line, say } from '../kit/state/words.js';

/**
 * @import { Given } from '../../experiments/flow.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { Field, StateOf } from '../kit/state/state.js'
 * @import { TidyRow } from '../kit/chart/tidy-row.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @import { Matrices } from './explain.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

const LARGEST_ENTRY = 9;

/** Makes the field of a given matrix; the empty text stands for the sample. @param {Given} name */
const given = (name) => {
  const [rows, columns] = FLOW_GIVEN[name];
  return matrixField({ initial: '', count: rows * columns, largest: LARGEST_ENTRY });
};

/** Whether keys and values are of another text. @type {readonly ['no', 'yes']} */
const CROSS = ['no', 'yes'];

// ---- state ----------------------------------------------------------------------------------

/** @type {Field<string>} */
const cellField = {
  kind: 'picture',
  initial: FIRST_CELL,
  /** @param {unknown} raw */
  parse(raw) {
    if (typeof raw !== 'string' || !/^[a-zA-Z]+-[1-9]-[1-9]$/.test(raw)) return undefined;
    const cell = parseCell(raw);
    const isSomewhere = CROSS.some((cross) => hasCell(shapesOf({ cross }), cell));
    return isSomewhere ? raw : undefined;
  },
};

const fields = {
  cross: choiceField({ initial: 'no', options: CROSS }),
  scaling: choiceField({ initial: 'on', options: ['on', 'off'] }),
  causal: choiceField({ initial: 'no', options: ['no', 'yes'] }),
  gradients: choiceField({ initial: 'values', options: ['values', 'gradients'] }),
  seed: seedField(11),
  cell: cellField,
  step: stepField,
  x: given('x'),
  queryWeight: given('queryWeight'),
  keyWeight: given('keyWeight'),
  valueWeight: given('valueWeight'),
  y: given('y'),
};

/** Computes the data of a state. @param {State} state @param {Context} context */
function* compute(state, { memo }) {
  const { scaling, seed } = state;
  const [causal, cross] = [state.causal, state.cross].map((choice) => choice === 'yes');
  const inputs = [scaling, causal, cross, seed, ...GIVEN.map((name) => state[name])];
  return yield* memo('flow', inputs, () => {
    const matrices = flowSample(seed);
    for (const name of GIVEN) {
      if (state[name]) matrices[name] = matrixOf(state[name], FLOW_GIVEN[name][1]);
    }
    const rows = attentionFlow({ given: matrices, scaling: scaling === 'on', causal, cross });
    return { rows, values: matricesOf(rows, 'value'), gradients: matricesOf(rows, 'gradient') };
  });
}

/**
 * Returns the rows of one measure as matrices, by name.
 * @param {ReturnType<typeof attentionFlow>} rows
 * @param {'value' | 'gradient'} measure
 */
function matricesOf(rows, measure) {
  const matrices = /** @type {Matrices} */ ({});
  for (const { matrix, row, column, [measure]: value } of rows) {
    ((matrices[matrix] ??= [])[row] ??= [])[column] = value;
  }
  return matrices;
}

// ---- drawing ----------------------------------------------------------------------------------

/** Draws the picture. @param {View} view */
function draw(view) {
  const { width, palette, format } = view;
  const layout = layoutOf(view);
  const parts = explain(explained(view));
  const names = namesOf(view.state);
  const headings = names.map((name) => headingOf(view, name));
  return picture(
    {
      width,
      height: layout.height,
      title: title(view),
      palette,
      format,
      description: `${headings.join('; ')}. ${status(view)}`,
    },
    names.map((name) => matrix(name, { view, layout, parts })),
    rowWords(view, layout),
    arithmetic(view, layout, parts),
  );
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the smallest and the largest value. @param {number[]} values */
const ends = (values) => ({ low: Math.min(...values), high: Math.max(...values) });

/** Describes the chosen cell and its arithmetic. @param {View} view @returns {string} */
function status(view) {
  const { state, text: words } = view;
  const { name, row, column } = chosenCell(state);
  const value = shown(view)[name][row][column];
  const cell = say(view, words.status, {
    name: headingOf(view, name),
    row: row + 1,
    column: column + 1,
    value: written(view, value),
    how: howOf(explain(explained(view)), view),
  });
  return `${state.step ? `${stepText(view)} ` : ''}${cell}`.replaceAll('_', '');
}

/** Returns the claim of the step, or else of all of them, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, state, text: words, format } = view;
  if (state.step > 0) return stepClaim(view);
  const gradients = state.gradients === 'gradients';
  const { columns } = sumsOf(gradients ? data.gradients.scores : data.values.weights);
  const [low, high] = Object.values(ends(columns)).map((end) => format.fixed(end, 2));
  // They sum to 0, so where they are alike, each of them is 0.
  const learned = low === high ? '' : words.learned;
  if (gradients) return say(view, words.gradientTitle, { low, high, learned });
  return say(view, state.cross === 'yes' ? words.crossTitle : words.title, { low, high });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
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
      series: { ...blueLook(palette, 'weights'), marker: 'square' },
      label: words.weightGroup,
      formula: 'softmax(c · Q Kᵀ)',
      rows: lines(data.values.weights, 1),
    },
    {
      series: orangeLook(palette, 'gradient'),
      label: words.gradientGroup,
      formula: 'c · A∘(dA − Σ A∘dA)',
      rows: lines(data.gradients.scores, 0),
    },
  ];
}

/** Returns the drawn data as rows of a table. @param {View} view  @returns {TidyRow[]} */
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

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'flow',
  room: { wide: 470, narrow: 590 },
  fields,
  visible: ['scaling', 'cross', 'gradients'],
  messages,
  aspect,
  compute,
  panels: ['matrices'],
  draw,
  pick,
  follows: true,
  lead,
  overlay,
  styles: [styles, stepStyles, padStyles],
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

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
