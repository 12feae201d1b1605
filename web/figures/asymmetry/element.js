// <attn-asymmetry>: queries and keys have different roles. Softmax normalises over keys, and a
// directed relation such as rock–paper–scissors needs scores that are not symmetric.

import { keysOf } from '../../shared/keys.js';
import { measureRelation, quickRelation, relationWeights } from '../../experiments/relation.js';
import { sumsOf } from '../../experiments/statistics.js';
import { tiedRingFloor } from '../../theory/relation.js';
import { aspect, layout, overlay, planePanel, REACH, ROLES, styles, SUBSCRIPTS } from './plane.js';
import { points } from '../kit/chart/series.js';
import { text } from '../kit/chart/chart.js';
import { greyLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { asPower } from '../kit/state/language.js';
import { panelled } from '../kit/chart/panels.js';
import { bySteps, medianOf, MODELS, seriesOf, spread } from '../common/tied-runs.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { choiceField, matrixField, matrixOf, numberField, seedField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { node } from '../kit/chart/svg.js';
import { line, say } from '../kit/state/words.js';
import { messages } from './generated/words.js';

/**
 * @import { Relation, RelationRow } from '../../experiments/relation.js'
 * @import { Box, Panel as Place } from '../kit/chart/chart.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Model } from '../common/tied-runs.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 * @typedef {'QK' | 'KQ'} Order
 */

const RING_SIZE = { ring3: 3, pairs: 2, ring8: 8 };
/** The least loss of a tied model. @type {Record<Relation, string>} */
const FLOORS = {
  ring3: 'ln 3',
  pairs: 'ln 2',
  ring8: 'min ln Σ exp(r cos 2πk/8) − r cos 2π/8',
};
const STEPS = 4000;
const QUICK_STEPS = 200;
/** Room for a weight with two decimals. */
const NUMBER = 30;

const MIXED = { queries: '1.4 0.6 -0.4 1.8 -0.9 -1', keys: '1.6 -0.5 0.9 1.5 -1.2 0.3' };
/** @type {Record<'mixed' | 'ring' | 'aligned' | 'own', Partial<typeof MIXED>>} */
const PRESETS = {
  mixed: MIXED,
  // Corners of two triangles, 1.6 and 1.8 from the middle.
  ring: { queries: '0 1.6 -1.39 -0.8 1.39 -0.8', keys: '1.56 -0.9 0 1.8 -1.56 -0.9' },
  aligned: { queries: '0 1.6 -1.39 -0.8 1.39 -0.8', keys: '0 1.8 -1.56 -0.9 1.56 -0.9' },
  own: {},
};

/** The empty text stands for the vectors of the preset. */
const vectorsField = matrixField({
  initial: '',
  count: 6,
  largest: REACH,
  also: { vectors: 'own' },
});

const fields = {
  dK: numberField({ initial: 3, min: 1, max: 8 }),
  tie: choiceField({ initial: 'separate', options: ['separate', 'tied'] }),
  relation: choiceField({ initial: 'ring3', options: keysOf(RING_SIZE) }),
  vectors: choiceField({ initial: 'mixed', options: keysOf(PRESETS), presets: PRESETS }),
  seed: seedField(1),
  queries: vectorsField,
  keys: vectorsField,
};

/** Returns the options of the training. @param {State} state */
const trainingOf = ({ relation, dK: d, seed }) => ({ relation, d, seed });

/** Returns the course of one model. @param {readonly RelationRow[]} rows @param {Model} series */
const courseOf = (rows, series) =>
  bySteps(rows.filter((row) => row.series === series && row.step > 0)).map(
    ({ step, runs, at }) => ({
      series,
      step,
      runs,
      loss: spread(at.map(({ loss }) => loss)),
      asymmetry: spread(at.map(({ asymmetry }) => asymmetry)),
    }),
  );

/** Computes the data of a state. @param {State} state @param {Context<RelationRow[]>} context */
function* compute(state, { memo, result = [] }) {
  const [queries, keys] = ROLES.map((role) =>
    matrixOf(state[role] || (PRESETS[state.vectors][role] ?? MIXED[role]), 2),
  );
  const training = trainingOf(state);
  const coursesOf = (/** @type {readonly RelationRow[]} */ rows) => ({
    tied: courseOf(rows, 'tied'),
    untied: courseOf(rows, 'untied'),
  });
  const trained = coursesOf(result);
  const measured = MODELS.every((key) => trained[key].length > 0);
  const quick = () => coursesOf(quickRelation({ ...training, steps: QUICK_STEPS }));
  return {
    queries,
    keys,
    weights: relationWeights({ queries, keys: state.tie === 'tied' ? queries : keys }),
    measured,
    courses: measured ? trained : yield* memo('quick', [training], quick),
    floor: tiedRingFloor(RING_SIZE[training.relation]),
  };
}

/** Returns the last loss of a model. @param {Data} data @param {Model} key */
const endOf = ({ courses }, key) => courses[key][courses[key].length - 1];

/** Returns the weights as a matrix. @param {Data} data  @param {Order} order  @returns {number[][]} */
function mapOf({ weights }, order) {
  /** @type {number[][]} */
  const map = [[], [], []];
  for (const row of weights) if (row.order === order) map[row.row][row.column] = row.weight;
  return map;
}

// ---- the panels -------------------------------------------------------------------------------

/** Returns the plot of a map, whose cells have room for a number. @param {Place} place @returns {Box} */
function plotOfMap({ x, y, width, height }) {
  const across = (width - 54) / 3;
  const high = Math.min(across, (height - 118) / 3);
  const wide = Math.min(across, Math.max(high, NUMBER));
  const [left, top] = [x + 20, y + 76];
  return { left, right: left + 3 * wide, top, bottom: top + 3 * high };
}

/** Describes the panel of a map. @param {Order} order  @param {View} view  @returns {Panel} */
function mapPanel(order, view) {
  const { data, text: words, palette } = view;
  const map = mapOf(data, order);
  const [rowNames, columnNames] = [...order.toLowerCase()].map((letter) =>
    map.map((_, i) => letter + SUBSCRIPTS[i]),
  );
  return {
    title: `softmax(${order}ᵀ)`,
    note: words.maps[order],
    plot: plotOfMap,
    series: [
      {
        look: greyLook(palette, order === 'QK' ? 'maps' : 'transposed'),
        cells: {
          rows: 3,
          columns: 3,
          rowNames,
          columnNames,
          matrix: { data: map.flat(), shape: [3, 3] },
          opacities: [0.05, 0.5],
          gap: 1,
          write: (weight, width) => written(view, weight, width),
          valueAt: (row, column) => map[row][column],
        },
      },
    ],
    marks: ({ box }) => sumsAround(view, map, box),
  };
}

/** Writes a weight where it has so much room. @param {View} view @param {number} weight @param {number} width */
const written = ({ format }, weight, width) => format.fixed(weight, width < NUMBER ? 1 : 2);

/**
 * Writes the sums of rows and columns at the right and below.
 * @param {View} view
 * @param {number[][]} map
 * @param {Box} box
 */
function sumsAround(view, map, { left, right, top, bottom }) {
  const sums = sumsOf(map);
  const [wide, high] = [(right - left) / 3, (bottom - top) / 3];
  const write = (/** @type {number} */ sum) => written(view, sum, wide);
  const [beside, below] = [right + 18, bottom + 18];
  return node(
    'g',
    { fill: view.palette.muted, 'text-anchor': 'middle' },
    sums.rows.map((sum, i) => text(beside, top + (i + 0.5) * high + 4, write(sum))),
    sums.columns.map((sum, j) => text(left + (j + 0.5) * wide, below, write(sum))),
    text(beside, below, 'Σ'),
  );
}

/**
 * Draws one measure of the training against steps.
 * @param {'loss' | 'asymmetry'} measure
 * @param {View} view
 * @returns {Panel}
 */
function coursePanel(measure, { data, text: words, format, palette }) {
  const all = seriesOf(palette);
  const { floor } = data;
  const isLoss = measure === 'loss';
  return {
    title: isLoss ? words.lossPanel : words.asymmetryPanel,
    x: { mapping: logarithmic, ends: [1, STEPS], ticks: [1, 10, 100, 1000], name: words.stepAxis },
    y: isLoss
      ? {
          mapping: logarithmic,
          ends: [1e-5, 10],
          ticks: [1e-4, 1e-2, 1],
          format: asPower,
        }
      : { ends: [0, 2], ticks: [0, 1, 2] },
    margin: { left: 36 },
    series: [
      ...MODELS.map((key) => {
        const measured = points(data.courses[key], {
          x: 'step',
          y: (row) => row[measure].y,
          low: (row) => row[measure].low,
          high: (row) => row[measure].high,
          theory: () => (isLoss && key === 'tied' ? floor : undefined),
        });
        const end = measured[measured.length - 1];
        return { look: all[key], label: words[key], end, measured, size: 2.5 };
      }),
      {
        look: all.tied,
        label: `${words.floor} ${format.fixed(floor, 4)}`,
        level: isLoss ? floor : NaN,
      },
    ],
  };
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, state, text: words, format } = view;
  const [tied, untied] = MODELS.map((key) => endOf(data, key));
  return say(view, words.title, {
    relation: words.options[state.relation],
    floor: format.fixed(data.floor, 4),
    tied: format.fixed(tied.loss.y, 4),
    untied: format.significant(untied.loss.y, 2),
    steps: untied.step,
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, state, text: words, format, palette } = view;
  const all = seriesOf(palette);
  const number = (/** @type {number} */ value) =>
    value !== 0 && Math.abs(value) < 0.01 ? format.significant(value, 2) : format.fixed(value, 4);
  const [map, other] = [mapOf(data, 'QK'), mapOf(data, 'KQ')];
  const apart = map.flatMap((row, i) => row.map((weight, j) => Math.abs(weight - other[j][i])));
  const { rows, columns } = sumsOf(map);
  return [
    ...MODELS.map((key) => {
      const tied = key === 'tied';
      const { loss, asymmetry, runs } = endOf(data, key);
      return {
        series: all[key],
        label: words[key],
        formula: tied ? FLOORS[state.relation] : '',
        measuredAs: medianOf(view, runs),
        rows: [
          line(words.loss, number, loss.y, tied ? data.floor : NaN),
          line(words.asymmetry, number, asymmetry.y, tied ? 0 : NaN),
        ],
      };
    }),
    {
      series: greyLook(palette, 'maps'),
      label: 'softmax(QKᵀ)',
      formula: words.queryKey,
      rows: [
        line(words.rowSums, number, rows[0], 1),
        line(words.largestColumn, number, Math.max(...columns)),
        line(words.smallestColumn, number, Math.min(...columns)),
        line(words.transposed, number, Math.max(...apart)),
      ],
    },
  ];
}

const drawing = panelled({
  title,
  aspect,
  layout,
  panels: {
    plane: planePanel,
    'query-key': (/** @type {View} */ view) => mapPanel('QK', view),
    'key-query': (/** @type {View} */ view) => mapPanel('KQ', view),
    loss: (/** @type {View} */ view) => coursePanel('loss', view),
    asymmetry: (/** @type {View} */ view) => coursePanel('asymmetry', view),
  },
  columns: 3,
  main: 'loss',
});

/** @type {FigureSpec<Data, typeof messages.en, State, RelationRow[]>} */
export const spec = {
  name: 'asymmetry',
  room: { wide: 520, narrow: 620 },
  fields,
  visible: ['dK', 'tie', 'relation'],
  messages,
  compute,
  run: (state, { signal, onProgress }) =>
    measureRelation({ ...trainingOf(state), steps: STEPS, signal, onProgress }),
  keeps: ['tie', 'vectors', 'queries', 'keys'],
  ...drawing,
  overlay(view, change) {
    const shown = view.panels ?? drawing.panels;
    if (!shown.includes('plane')) return undefined;
    return overlay(view, change, drawing.layout(view.width, shown.length).panels[0]);
  },
  styles: [styles],
  readout,
  note: ({ data, text: words }) => (data.measured ? words.longNote : words.quickNote),
};

/** Queries and keys are not interchangeable: two ways to normalise, and relations that Q = K cannot learn. */
export class AttnAsymmetry extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnAsymmetry);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
