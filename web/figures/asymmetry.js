// <attn-asymmetry>: queries and keys have different roles. Softmax normalises over keys, and a
// directed relation such as rock–paper–scissors needs scores that are not symmetric.

import { html } from 'lit/html.js';
import { measureRelation, quickRelation, relationWeights } from '../experiments/index.js';
import { tiedRingFloor } from '../theory/index.js';
import { en, zh } from './asymmetry.messages.js';
import {
  blueSeries,
  bottomAxis,
  dots,
  endLabels,
  greySeries,
  inside,
  leftAxis,
  marks,
  orangeSeries,
  panelTitle,
  picture,
  segment,
  STACK_BELOW,
  text,
  textWidth,
  theoryLine,
} from './kit/chart.js';
import { css } from './kit/element.js';
import { FigureElement } from './kit/figure.js';
import { powerOfTen } from './kit/language.js';
import { clamped, scaleLinear, scaleLog } from './kit/scale.js';
import { choiceField, matrixField, matrixOf, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { node } from './kit/svg.js';

/**
 * @typedef {import('../experiments/relation.js').RelationRow} RelationRow
 * @typedef {import('../experiments/relation.js').Relation} Relation
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Box} Box
 * @typedef {import('./kit/chart.js').Scale} ChartScale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {'queries' | 'keys'} Role
 * @typedef {'tied' | 'untied'} SeriesKey
 * @typedef {'QK' | 'KQ'} Order
 */

const RING_SIZE = { ring3: 3, pairs: 2, ring8: 8 };
const STEPS = 4000;
const QUICK_STEPS = 200;
/** Room for a weight with two decimals. */
const NUMBER = 30;
/** Half the side of the plane. */
const REACH = 2.5;
const NUDGE = 0.1;
const LOSS_RANGE = /** @type {import('./kit/scale.js').Ends} */ ([1e-5, 10]);
const SERIES = /** @type {const} */ (['tied', 'untied']);

/** Corners of a triangle, the first as many turns ahead as asked. @param {number} turns  @param {number} length */
const triangle = (turns, length) =>
  [0, 1, 2]
    .flatMap((i) => {
      const angle = Math.PI / 2 + ((i + turns) * 2 * Math.PI) / 3;
      return [Math.cos(angle), Math.sin(angle)].map((part) => (length * part).toFixed(2));
    })
    .map(Number)
    .join(' ');

const MIXED = { queries: '1.4 0.6 -0.4 1.8 -0.9 -1', keys: '1.6 -0.5 0.9 1.5 -1.2 0.3' };
const PRESETS = {
  mixed: MIXED,
  ring: { queries: triangle(0, 1.6), keys: triangle(-1, 1.8) },
  aligned: { queries: triangle(0, 1.6), keys: triangle(0, 1.8) },
};

const fields = {
  dK: numberField({ initial: 3, min: 1, max: 8 }),
  tie: choiceField({ initial: 'separate', options: ['separate', 'tied'] }),
  relation: choiceField({ initial: 'ring3', options: Object.keys(RING_SIZE) }),
  vectors: choiceField({ initial: 'mixed', options: Object.keys(PRESETS), presets: PRESETS }),
  seed: numberField({ initial: 1, min: 0, max: 999_999, slider: false }),
  queries: matrixField({ initial: MIXED.queries, count: 6, largest: REACH }),
  keys: matrixField({ initial: MIXED.keys, count: 6, largest: REACH }),
};

/** @param {import('./kit/state.js').State} state */
const trainingOf = ({ relation, dK, seed }) => ({
  relation: /** @type {Relation} */ (relation),
  d: Number(dK),
  seed: Number(seed),
});

/**
 * @param {import('./kit/state.js').State} state
 * @param {import('./kit/spec.js').Context<RelationRow[]>} context
 */
function compute(state, { memo, result }) {
  const queries = matrixOf(String(state.queries), 2);
  const keys = state.tie === 'tied' ? queries : matrixOf(String(state.keys), 2);
  const training = trainingOf(state);
  const coursesOf = (/** @type {RelationRow[]} */ runs) =>
    SERIES.flatMap((series) => courseOf(runs, series));
  const courses = coursesOf(result ?? []);
  const measured = SERIES.every((key) => courses.some(({ series }) => series === key));
  const quick = () => coursesOf(quickRelation({ ...training, steps: QUICK_STEPS }));
  return {
    queries,
    keys,
    weights: relationWeights({ queries, keys }),
    measured,
    courses: measured ? courses : memo('quick', [training], quick),
    floor: tiedRingFloor(RING_SIZE[training.relation]),
  };
}

/**
 * Median, smallest and largest over the runs, at each step that all of them have reached.
 * @param {readonly RelationRow[]} rows
 * @param {SeriesKey} series
 */
function courseOf(rows, series) {
  const own = rows.filter((row) => row.series === series);
  const runs = new Set(own.map(({ seed }) => seed)).size;
  const steps = [...new Set(own.map(({ step }) => step))].filter((step) => step > 0);
  return steps.flatMap((step) => {
    const at = own.filter((row) => row.step === step);
    if (at.length < runs) return [];
    const spread = (/** @type {'loss' | 'asymmetry'} */ measure) => {
      const sorted = at.map((row) => row[measure]).sort((a, b) => a - b);
      const middle = (sorted[(runs - 1) >> 1] + sorted[runs >> 1]) / 2;
      return { y: middle, low: sorted[0], high: sorted[runs - 1] };
    };
    return [{ series, step, runs, loss: spread('loss'), asymmetry: spread('asymmetry') }];
  });
}

/** What a series ended with. @param {Data} data  @param {SeriesKey} series */
function endOf({ courses }, series) {
  const own = courses.filter((point) => point.series === series);
  return own[own.length - 1];
}

/** @param {Data} data  @param {Order} order  @returns {number[][]} */
function mapOf({ weights }, order) {
  /** @type {number[][]} */
  const map = [[], [], []];
  for (const row of weights) if (row.order === order) map[row.row][row.column] = row.weight;
  return map;
}

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);
/** @param {number[][]} map */
const columnSums = (map) => map[0].map((_, column) => sum(map.map((row) => row[column])));

/** @param {import('./kit/palette.js').Palette} palette  @returns {Record<SeriesKey, Series>} */
const seriesOf = (palette) => ({
  tied: orangeSeries(palette, 'tied'),
  untied: blueSeries(palette, 'untied'),
});

// ---- where everything lies --------------------------------------------------------------------

const aspect = { wide: 0.8, narrow: 3.02 };
const GUTTER = 24;

/** @param {number} width  @returns {Record<'plane' | 'QK' | 'KQ' | 'loss' | 'asymmetry', Panel>} */
function layoutOf(width) {
  const panel = (/** @type {number[]} */ [x, y, w, h]) => ({ x, y, width: w, height: h });
  if (width < STACK_BELOW) {
    const half = (width - 12) / 2;
    const at = (/** @type {number} */ share) => share * width;
    return {
      plane: panel([0, 0, width, at(0.98)]),
      QK: panel([0, at(0.98), half, at(0.6)]),
      KQ: panel([half + 12, at(0.98), half, at(0.6)]),
      loss: panel([0, at(1.58), width, at(0.72)]),
      asymmetry: panel([0, at(2.3), width, at(0.72)]),
    };
  }
  const third = (width - 2 * GUTTER) / 3;
  const half = (width - GUTTER) / 2;
  const upper = 0.4 * width;
  return {
    plane: panel([0, 0, third, upper]),
    QK: panel([third + GUTTER, 0, third, upper]),
    KQ: panel([2 * (third + GUTTER), 0, third, upper]),
    loss: panel([0, upper, half, upper]),
    asymmetry: panel([half + GUTTER, upper, half, upper]),
  };
}

/** The square of the plane. @param {number} width */
function planeOf(width) {
  const { plane } = layoutOf(width);
  const side = Math.min(plane.width, plane.height - 34) - 6;
  const left = plane.x + (plane.width - side) / 2;
  const top = plane.y + 30;
  const x = scaleLinear([-REACH, REACH], [left, left + side]);
  const y = scaleLinear([-REACH, REACH], [top + side, top]);
  return { x, y, left, top, side };
}

// ---- the panels -------------------------------------------------------------------------------

/** Both kinds of vectors. @param {View} view */
function roles({ state, data, palette }) {
  const all = seriesOf(palette);
  return [
    {
      role: /** @type {Role} */ ('queries'),
      letter: 'q',
      vectors: data.queries,
      series: { ...all.untied, key: 'queries' },
    },
    {
      role: /** @type {Role} */ ('keys'),
      letter: 'k',
      vectors: data.keys,
      series: { ...all.tied, key: 'keys' },
    },
  ].filter(({ role }) => role === 'queries' || state.tie === 'separate');
}

const SUBSCRIPTS = ['₁', '₂', '₃'];

/** @param {View} view  @returns {SvgChild[]} */
function planePanel(view) {
  const { width, state, text: words, palette } = view;
  const { x, y, left, top, side } = planeOf(width);
  const tied = state.tie === 'tied';
  return [
    panelTitle(layoutOf(width).plane, words.plane, palette),
    node('rect', {
      x: left,
      y: top,
      width: side,
      height: side,
      fill: 'none',
      stroke: palette.faint,
    }),
    segment({ x1: left, x2: left + side, y1: y(0), y2: y(0) }, palette.faint),
    segment({ x1: x(0), x2: x(0), y1: top, y2: top + side }, palette.faint),
    roles(view).map(({ letter, vectors, series }) =>
      vectors.map(([a, b], index) => {
        const outwards = Math.hypot(a, b) || 1;
        const name = (tied ? 'q = k' : letter) + SUBSCRIPTS[index];
        return [
          segment({ x1: x(0), y1: y(0), x2: x(a), y2: y(b) }, series.colour, { width: 1.75 }),
          marks(series, [[x(a), y(b)]], 5),
          text(x(a) + ((tied ? 28 : 15) * a) / outwards, y(b) - (15 * b) / outwards + 4, name, {
            ...{ fill: series.textColour, anchor: 'middle', weight: 600, halo: palette.paper },
          }),
        ];
      }),
    ),
  ];
}

/** @param {Order} order  @param {View} view  @returns {SvgChild[]} */
function mapPanel(order, view) {
  const { width, data, text: words, format, palette } = view;
  const panel = layoutOf(width)[order];
  const { title: name, lines } = words.maps[order];
  const map = mapOf(data, order);
  const [from, to] = order === 'QK' ? ['q', 'k'] : ['k', 'q'];
  const left = panel.x + 20;
  const across = (panel.width - 54) / 3;
  const cell = Math.min(across, (panel.height - 118) / 3);
  const wide = Math.min(across, Math.max(cell, NUMBER));
  const write = (/** @type {number} */ value) => format.fixed(value, wide < NUMBER ? 1 : 2);
  const top = panel.y + 76;
  const middle = (/** @type {number} */ i) => (i + 0.5) * cell;
  const centre = (/** @type {number} */ j) => left + (j + 0.5) * wide;
  const look = { fill: palette.muted, anchor: /** @type {const} */ ('middle') };
  const beside = left + 3 * wide + 18;
  const below = top + 3 * cell + 18;
  return [
    panelTitle(panel, name, palette),
    lines.map((line, i) => text(panel.x, panel.y + 36 + 15 * i, line, { fill: palette.muted })),
    SUBSCRIPTS.map((sign, i) => [
      text(left - 11, top + middle(i) + 4, from + sign, look),
      text(centre(i), top - 6, to + sign, look),
    ]),
    map.map((row, i) =>
      row.map((weight, j) => [
        node('rect', {
          ...{ x: left + j * wide, y: top + i * cell, width: wide - 1, height: cell - 1 },
          ...{ fill: palette.third, 'fill-opacity': 0.05 + 0.45 * weight },
        }),
        text(centre(j), top + middle(i) + 4, write(weight), {
          ...{ fill: palette.ink, anchor: 'middle' },
        }),
      ]),
    ),
    map.map((row, i) => text(beside, top + middle(i) + 4, write(sum(row)), look)),
    columnSums(map).map((total, j) => text(centre(j), below, write(total), look)),
    text(beside, below, 'Σ', look),
  ];
}

/**
 * One measure of the training against steps.
 * @param {'loss' | 'asymmetry'} measure
 * @param {View} view
 * @returns {SvgChild[]}
 */
function coursePanel(measure, view) {
  const { width, data, text: words, format, palette } = view;
  const panel = layoutOf(width)[measure];
  const all = seriesOf(palette);
  const isLoss = measure === 'loss';
  const names = { tied: words.tied, untied: words.untied };
  const room = Math.max(...Object.values(names).map((name) => textWidth(name)));
  const box = inside(panel, { left: 36, right: 14 + room });
  const x = scaleLog([1, STEPS], [box.left, box.right]);
  const y = clamped(
    isLoss
      ? scaleLog(LOSS_RANGE, [box.bottom, box.top])
      : scaleLinear([0, 2], [box.bottom, box.top]),
  );
  const power = (/** @type {number} */ value) =>
    value === 1 ? '1' : powerOfTen(Math.round(Math.log10(value)));
  return [
    panelTitle(panel, isLoss ? words.lossPanel : words.asymmetryPanel, palette),
    leftAxis(box, y, {
      ticks: isLoss ? [1e-4, 1e-2, 1] : [0, 1, 2],
      format: isLoss ? power : format.plain,
      palette,
    }),
    isLoss && [
      theoryLine(
        [1, STEPS].map((step) => ({ x: step, y: data.floor })),
        {
          ...{ x, y, series: all.tied },
        },
      ),
      text(box.right, y(data.floor) + 17, `${words.floor} ${format.fixed(data.floor, 4)}`, {
        ...{ fill: all.tied.textColour, series: 'tied', halo: palette.paper, anchor: 'end' },
      }),
    ],
    SERIES.map((key) => {
      const points = data.courses.filter(({ series }) => series === key);
      return dots(
        points.map((point) => ({ x: point.step, ...point[measure] })),
        { x, y, series: all[key], radius: 2.5 },
      );
    }),
    endLabels(
      box,
      SERIES.map((key) => ({
        y: y(endOf(data, key)[measure].y),
        label: names[key],
        series: all[key],
      })),
    ),
    bottomAxis(box, x, {
      ticks: [1, 10, 100, 1000],
      format: format.plain,
      name: words.stepAxis,
      palette,
    }),
  ];
}

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const height = width * (width >= STACK_BELOW ? aspect.wide : aspect.narrow);
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    planePanel(view),
    mapPanel('QK', view),
    mapPanel('KQ', view),
    coursePanel('loss', view),
    coursePanel('asymmetry', view),
  );
}

// ---- the vectors as handles ---------------------------------------------------------------------

/** @typedef {(key: string, value: unknown, settled: boolean) => void} Change */

const styles = css`
  .handles button {
    position: absolute;
    width: 30px;
    height: 30px;
    min-height: 0;
    margin: -15px 0 0 -15px;
    padding: 0;
    border-radius: 50%;
    cursor: grab;
    touch-action: none;
  }
  .handles button:active {
    cursor: grabbing;
  }
`;

const STEPS_OF_KEYS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-NUDGE, 0],
  ArrowRight: [NUDGE, 0],
  ArrowUp: [0, NUDGE],
  ArrowDown: [0, -NUDGE],
});

/** @param {View} view  @param {Change} change */
function overlay(view, change) {
  const { x, y } = planeOf(view.width);
  return html`<div class="handles">
    ${roles(view).flatMap(({ role, vectors }) =>
      vectors.map((vector, index) => {
        const move = (/** @type {number[]} */ to, /** @type {boolean} */ settled) => {
          const all = vectors.map((each, i) => (i === index ? to : each));
          change(
            role,
            all
              .flat()
              .map((part) => part.toFixed(2))
              .join(' '),
            settled,
          );
        };
        return handle({ vector, role, index, x, y, view, move });
      }),
    )}
  </div>`;
}

/**
 * A place to grab one vector: by pointer, or with the arrow keys.
 * @param {{ vector: number[], role: Role, index: number, x: ChartScale, y: ChartScale, view: View,
 *   move: (to: number[], settled: boolean) => void }} options
 */
function handle({ vector: [a, b], role, index, x, y, view, move }) {
  const { text: words, format } = view;
  const name = words.handle(
    role === 'queries' ? 'query' : 'key',
    index + 1,
    format.fixed(a, 2),
    format.fixed(b, 2),
  );
  const pull = (/** @type {PointerEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!target.hasPointerCapture(event.pointerId)) return;
    const { left, top } = /** @type {HTMLElement} */ (
      target.closest('.plot')
    ).getBoundingClientRect();
    const to = [x.invert(event.clientX - left), y.invert(event.clientY - top)];
    move(to, event.type === 'pointerup');
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = STEPS_OF_KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    move([a + step[0], b + step[1]], true);
  };
  return html`<button
    aria-label=${name}
    .style=${`left: ${x(a)}px; top: ${y(b)}px`}
    @pointerdown=${(/** @type {PointerEvent} */ event) =>
      /** @type {HTMLElement} */ (event.target).setPointerCapture(event.pointerId)}
    @pointermove=${pull}
    @pointerup=${pull}
    @keydown=${press}
  ></button>`;
}

// ---- the figure -----------------------------------------------------------------------------

/** @param {View} view */
function ends({ data, state, text: words, format }) {
  const [tied, untied] = [endOf(data, 'tied'), endOf(data, 'untied')];
  return {
    relation: words.relations[/** @type {Relation} */ (state.relation)],
    floor: format.fixed(data.floor, 4),
    tied: format.fixed(tied.loss.y, 4),
    untied: format.significant(untied.loss.y, 2),
    steps: format.plain(untied.step),
    runs: words.runs(untied.runs),
  };
}

/** @param {View} view  @returns {string} */
const title = (view) => view.text.title(ends(view));

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout({ data, state, text: words, format, palette }) {
  const all = seriesOf(palette);
  const line = (
    /** @type {string} */ quantity,
    /** @type {number} */ measured,
    /** @type {number} */ theory = NaN,
  ) => ({
    ...{ quantity, measured, theory },
    format: (/** @type {number} */ value) =>
      value !== 0 && Math.abs(value) < 0.01 ? format.significant(value, 2) : format.fixed(value, 4),
  });
  const [map, other] = [mapOf(data, 'QK'), mapOf(data, 'KQ')];
  const apart = map.flatMap((row, i) => row.map((weight, j) => Math.abs(weight - other[j][i])));
  const floor = { tied: data.floor, untied: NaN };
  const training = SERIES.map((key) => {
    const { loss, asymmetry } = endOf(data, key);
    return {
      series: all[key],
      label: words[key],
      formula: key === 'tied' ? words.floors[/** @type {Relation} */ (state.relation)] : '',
      rows: [
        line(words.loss, loss.y, floor[key]),
        line(words.asymmetry, asymmetry.y, key === 'tied' ? 0 : NaN),
      ],
    };
  });
  const sums = columnSums(map);
  return [
    ...training,
    {
      series: greySeries(palette, 'maps'),
      label: 'softmax(QKᵀ)',
      formula: words.queryKey,
      rows: [
        line(words.rowSums, sum(map[0]), 1),
        line(words.largestColumn, Math.max(...sums)),
        line(words.smallestColumn, Math.min(...sums)),
        line(words.transposed, Math.max(...apart)),
      ],
    },
  ];
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words }) {
  const courses = /** @type {const} */ (['loss', 'asymmetry']).flatMap((measure) =>
    data.courses.map((point) => ({
      panel: measure === 'loss' ? words.lossPanel : words.asymmetryPanel,
      series: words[point.series],
      x: point.step,
      measured: point[measure].y,
      low: point[measure].low,
      high: point[measure].high,
      theory: measure === 'loss' && point.series === 'tied' ? data.floor : undefined,
    })),
  );
  const maps = data.weights.map(({ order, row, column, weight }) => ({
    panel: words.maps[order].title,
    series: (order === 'QK' ? 'q' : 'k') + SUBSCRIPTS[row],
    x: column + 1,
    measured: weight,
  }));
  return [...maps, ...courses];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en, RelationRow[]>} */
export const spec = {
  name: 'asymmetry',
  fields,
  visible: ['dK', 'tie', 'relation'],
  messages: { en, zh },
  aspect,
  seeded: true,
  compute,
  run: (state, { signal, onProgress }) =>
    measureRelation({
      ...trainingOf(state),
      steps: STEPS,
      signal,
      onProgress: ({ fraction, rows: found }) => onProgress(fraction, found),
    }),
  keeps: ['tie', 'vectors', 'queries', 'keys'],
  draw,
  overlay,
  styles: [styles],
  title,
  readout,
  rows,
  status: (view) => view.text.status(ends(view)),
  note: ({ data, text: words }) => (data.measured ? words.longNote : words.quickNote),
  caption: ({ text: words }) => words.caption,
};

/**
 * Queries and keys are not interchangeable: two ways to normalise, and relations that Q = K cannot learn.
 *
 * @attr {number} d-k - length of the trained queries and keys, 1 … 8 (3)
 * @attr {'separate' | 'tied'} tie - whether the keys in the plane are the queries (separate)
 * @attr {'ring3' | 'pairs' | 'ring8'} relation - what is learned (ring3, rock–paper–scissors)
 * @attr {'mixed' | 'ring' | 'aligned'} vectors - choosing one sets the vectors in the plane (mixed)
 * @attr {number} seed - of the first run (1)
 * @attr {string} queries - 3 × 2 numbers, row by row
 * @attr {string} keys - 3 × 2 numbers, row by row
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnAsymmetry extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnAsymmetry);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
