// <attn-heads>: the cost of more heads, and what they are for. With d_k = d_model/h they take no parameters
// at all; grouped heads (Ainslie et al. 2023, "GQA") save the cache of keys and values; and two heads keep
// apart what one softmax mixes.

import { keysOf } from '../../shared/keys.js';
import { groupedHeads, headCache, headParameters } from '../../experiments/heads.js';
import { layerParameters } from '../../theory/parameters.js';
import { points } from '../kit/chart/series.js';
import { curve } from '../kit/chart/marks/curve.js';
import { PAIR_FROM, text, textWidth } from '../kit/chart/chart.js';
import { blueLook, folkLook, greyLook, orangeLook } from '../kit/chart/looks.js';
import { FigureElement } from '../kit/element/figure.js';
import { twoAboveOne } from '../kit/chart/layout.js';
import { panelled } from '../kit/chart/panels.js';
import { ring } from '../kit/chart/marks/ring.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { choiceField, numberField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { node } from '../kit/chart/svg.js';
import { line, say } from '../kit/state/words.js';
import { measureRelations, relationsPanel } from './relations.js';
import { messages } from './generated/words.js';
import { times } from '../../shared/times.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Axis, Frame, Panel } from '../kit/chart/panels.js'
 * @import { Matrix } from '../../experiments/heads.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

const MOST_HEADS = 64;
const DRAWN_HEADS = [1, 2, 4, 8, 16, 32, 64];
/** The heads of published models. */
const MODELS = {
  512: { heads: 8, kvHeads: 'heads' },
  768: { heads: 12, kvHeads: 'heads' },
  4096: { heads: 32, kvHeads: '8' },
};
/** Their d_k, which stays when it is not tied to the heads. */
const KEY_SIZES = { 512: 64, 768: 64, 4096: 128 };
/** Half the width of a bar, in octaves. */
const HALF_BAR = 0.3;

const fields = {
  model: choiceField({ initial: '512', options: keysOf(MODELS), presets: MODELS }),
  heads: numberField({ initial: 8, min: 1, max: MOST_HEADS }),
  kvHeads: choiceField({ initial: 'heads', options: ['heads', '8', '4', '2', '1'] }),
  headSize: choiceField({ initial: 'tied', options: ['tied', 'fixed'] }),
  bias: choiceField({ initial: 'no', options: ['no', 'yes'] }),
};

/** Returns the sizes of the layer. @param {State} state */
const sizesOf = ({ model }) => ({
  dModel: Number(model),
  dKey: KEY_SIZES[model],
});

/** Returns the options of the experiment. @param {State} state */
function settingOf(state) {
  const { dModel, dKey } = sizesOf(state);
  return {
    dModel,
    kvHeads: state.kvHeads === 'heads' ? undefined : Number(state.kvHeads),
    dKey: state.headSize === 'fixed' ? dKey : undefined,
    bias: state.bias === 'yes',
  };
}

/** Computes the data of a state. @param {State} state  @param {Context} context */
function* compute(state, { memo }) {
  return {
    ...(yield* memo('counts', state, () => countsOf(state))),
    relations: yield* memo('relations', [], measureRelations),
  };
}

/** Counts the parameters at the drawn numbers of heads, and the cache. @param {State} state */
function countsOf(state) {
  const { heads } = state;
  const setting = settingOf(state);
  const near = (/** @type {number} */ count) => Math.abs(Math.log2(count / heads)) < 2 * HALF_BAR;
  const drawn = [...DRAWN_HEADS.filter((count) => !near(count)), heads].sort((a, b) => a - b);
  const parameters = headParameters({ ...setting, heads: drawn });
  const kvHeads = groupedHeads(heads, setting.kvHeads ?? heads);
  const cache = headCache({ ...setting, heads });
  const single = { ...setting, kvHeads: 1 };
  return {
    parameters,
    kvHeads,
    cache,
    now: parameters.filter((row) => row.heads === heads),
    cacheNow: cache.find((row) => row.kvHeads === kvHeads) ?? cache[0],
    one: headParameters({ ...single, heads: [1] })[0].total,
    /** The parameters that each head adds according to the common claim. */
    perHead: layerParameters({ ...single, heads: 1, dKey: sizesOf(state).dKey }),
  };
}

/**
 * Returns the looks of the series.
 * @param {Palette} palette
 * @returns {Record<Matrix, Look<Matrix> & { opacity: number }>}
 */
const seriesOf = (palette) => ({
  query: { ...blueLook(palette, 'query'), opacity: 1 },
  key: { ...orangeLook(palette, 'key'), opacity: 1 },
  value: { ...orangeLook(palette, 'value'), marker: 'square', opacity: 0.55 },
  output: { ...greyLook(palette, 'output'), opacity: 0.5 },
});

// ---- the panels -------------------------------------------------------------------------

/**
 * The axis of heads, in octaves, with room for half a bar at either end.
 * @type {Omit<Axis, 'ticks'>}
 */
const OCTAVES = { mapping: logarithmic, ends: [2 ** -0.5, MOST_HEADS * 2 ** 0.5] };

/** Stacks the four matrices on top of each other. @param {Data['parameters']} rows of one number of heads */
function stacked(rows) {
  let low = 0;
  return rows.map((row) => {
    const place = { ...row, low, high: low + row.parameters };
    low = place.high;
    return place;
  });
}

/** Draws one bar for each number of heads. @param {View} view @param {Frame} frame */
function stacks({ data, state, palette }, { x, y }) {
  const all = seriesOf(palette);
  return [...new Set(data.parameters.map(({ heads }) => heads))].map((heads) => {
    const left = x(heads * 2 ** -HALF_BAR);
    const width = x(heads * 2 ** HALF_BAR) - left;
    const faint = heads === state.heads ? 1 : 0.45;
    const rows = data.parameters.filter((row) => row.heads === heads);
    return stacked(rows).map(({ matrix, low, high }) =>
      node('rect', {
        x: left,
        y: y(high),
        width,
        height: Math.max(0, y(low) - y(high) - 1),
        fill: all[matrix].colour,
        'fill-opacity': all[matrix].opacity * faint,
        'data-series': matrix,
      }),
    );
  });
}

/**
 * Returns numbers of heads from 1 on, also between whole ones, since octaves bend straight lines.
 * @param {number} most
 */
const headsTo = (most) => times(33, (i) => most ** (i / 32));

/** Describes the panel of parameters. @param {View} view  @returns {Panel} */
function parameterPanel(view) {
  const { data, state, text: words, format, palette } = view;
  const { dModel, dKey } = sizesOf(state);
  const unit = dModel ** 2;
  const top = state.headSize === 'fixed' ? 4 * dModel * dKey * MOST_HEADS : 6 * unit;
  const step = top > 12 * unit ? 8 : 2;
  const [{ theory, dK }] = data.now;
  const all = seriesOf(palette);
  const { length, [length - 1]: end } = data.parameters;
  const last = data.parameters.filter((row) => row.heads === end?.heads);
  // The line of the common claim goes up to the edge of the panel.
  const until = Math.min(MOST_HEADS, top / data.perHead);
  const table = { panel: words.parameterPanel, across: words.headsAxis };
  return {
    title: words.parameterPanel,
    note: say(view, words.now, { dK, g: data.kvHeads }),
    x: { ...OCTAVES, ticks: DRAWN_HEADS, name: words.headsAxis },
    y: {
      ends: [0, top * 1.02],
      ticks: times(1 + Math.floor(top / unit / step), (i) => i * step * unit),
      format: (value) => format.plain(value / unit),
    },
    margin: { left: 24, right: 40, top: 60 },
    picks: (heads) => ({ heads }),
    series: stacked(last).map(({ matrix, low, high }) => ({
      look: all[matrix],
      label: words.matrices[matrix],
      end: { y: (low + high) / 2 },
    })),
    marks(frame) {
      const { box, x, y } = frame;
      const left = Math.min(x(until) + 8, box.right - textWidth(words.folk));
      return [
        stacks(view, frame),
        curve(
          headsTo(until).map((count) => ({ x: count, y: count * data.perHead })),
          { x, y, look: folkLook(palette), dash: '6 4', width: 1.5 },
        ),
        text(left, box.top - 6, words.folk, { fill: palette.folkText, series: 'folk' }),
        ring([x(state.heads), y(theory)], palette, { r: 6 }),
      ];
    },
    rows: [
      ...data.parameters.map(({ heads, matrix, parameters }) => ({
        ...table,
        series: words.matrices[matrix],
        x: heads,
        measured: parameters,
      })),
      ...data.parameters
        .filter(({ matrix }) => matrix === 'query')
        .map(({ heads, total, theory: expected }) => ({
          ...table,
          series: words.total,
          x: heads,
          measured: total,
          theory: expected,
        })),
    ],
  };
}

/** Describes the panel of the cache. @param {View} view  @returns {Panel} */
function cachePanel({ data, state, text: words, format, palette }) {
  const { dModel, dKey } = sizesOf(state);
  const largest = state.headSize === 'fixed' ? 2 * dKey * MOST_HEADS : 2 * dModel;
  const look = orangeLook(palette, 'cache');
  const { kvHeads: most, theory } = data.cache[data.cache.length - 1];
  const { kvHeads, numbers } = data.cacheNow;
  return {
    title: words.cachePanel,
    x: { ...OCTAVES, ticks: DRAWN_HEADS, name: words.kvAxis },
    y: {
      ends: [0, largest * 1.02],
      ticks: [0, largest / 2, largest],
      format: format.count,
    },
    margin: { left: 44, top: 60 },
    series: [
      {
        look,
        name: words.cache,
        measured: points(data.cache, { x: 'kvHeads', y: 'numbers', theory: 'theory' }),
        theory: headsTo(most).map((g) => ({ x: g, y: (theory * g) / most })),
        width: 1.25,
        chosen: { x: kvHeads, y: numbers },
      },
    ],
    marks({ x, y }) {
      const isFirst = kvHeads === 1;
      // Left of the mark, unless the ticks are above it.
      const [across, down] = isFirst ? [0, -14] : [-12, 4];
      return text(x(kvHeads) + across, y(numbers) + down, format.count(numbers), {
        fill: look.textColour,
        anchor: isFirst ? 'middle' : 'end',
        weight: 600,
        halo: palette.paper,
        series: 'cache',
      });
    },
  };
}

// ---- the figure -----------------------------------------------------------------------------

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, state, text: words, format } = view;
  const [{ total }] = data.now;
  const { single, fixed, grouped, same, rest } = words.titles;
  const template = () => {
    if (state.heads === 1) return single;
    if (state.headSize === 'fixed') return fixed;
    if (data.kvHeads < state.heads) return grouped;
    return total === data.one ? same : rest;
  };
  return say(view, template(), {
    total: format.count(total),
    one: format.count(data.one),
    groups: data.kvHeads,
  });
}

/** Returns the numbers beside theory. @param {View} view  @returns {ReadoutGroup[]} */
function readout({ data, state, text: words, format, palette }) {
  const columns = { measuredAs: words.counted, theoryAs: words.formula };
  const [{ total, theory, dK }] = data.now;
  const { dModel, bias } = settingOf(state);
  const matrices = data.now.map(({ matrix, parameters, kvHeads }) => {
    const width = dK * (matrix === 'key' || matrix === 'value' ? kvHeads : state.heads);
    const added = matrix === 'output' ? dModel : width;
    const expected = dModel * width + (bias ? added : 0);
    return line(words.matrices[matrix], format.count, parameters, expected);
  });
  const { numbers, theory: expected } = data.cacheNow;
  return [
    {
      ...columns,
      series: blueLook(palette, 'query'),
      label: words.count,
      formula: 'd_model·(h + g)·(d_k + d_v)' + (bias ? ' + h·d_k + g·(d_k + d_v) + d_model' : ''),
      rows: [...matrices, line(words.total, format.count, total, theory)],
    },
    {
      ...columns,
      series: orangeLook(palette, 'cache'),
      label: words.cache,
      formula: 'g·(d_k + d_v)',
      rows: [line(words.numbers, format.count, numbers, expected)],
    },
  ];
}

/** The heights of the first two panels and of the third, as shares of the width. */
const SHARES = {
  upper: { wide: 0.44, narrow: 1.75 },
  lower: { wide: 0.26, narrow: 0.7 },
  below: PAIR_FROM,
};

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'heads',
  room: { wide: 420, narrow: 400 },
  fields,
  visible: ['model', 'heads', 'kvHeads'],
  messages,
  compute,
  ...panelled({
    title,
    panels: { parameters: parameterPanel, cache: cachePanel, relations: relationsPanel },
    layout: (width) => twoAboveOne(width, SHARES),
    aspect: { wide: 0.7, narrow: 2.45, below: PAIR_FROM },
  }),
  readout,
};

/** The cost of more heads: parameters of a layer and cached numbers per token. */
export class AttnHeads extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnHeads);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
