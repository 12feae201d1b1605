// <attn-heads>: what more heads cost. With d_k = d_model/h, no parameters at all; what grouped heads
// (Ainslie et al. 2023, "GQA") save is the cache of keys and values.

import { groupedHeads, headCache, headParameters } from '../experiments/index.js';
import { layerParameters } from '../theory/index.js';
import { en, zh } from './heads.messages.js';
import {
  bottomAxis,
  endLabels,
  folkSeries,
  grid,
  handle,
  holds,
  inside,
  leftAxis,
  marks,
  orangeSeries,
  panelTitle,
  picture,
  text,
  textWidth,
  theoryLine,
} from './kit/chart.js';
import { FigureElement } from './kit/figure.js';
import { scaleLinear, scaleLog } from './kit/scale.js';
import { choiceField, numberField } from './kit/state.js';
import { renderStatic } from './kit/static.js';
import { node } from './kit/svg.js';

/**
 * @typedef {ReturnType<typeof compute>} Data
 * @typedef {import('./kit/spec.js').View<Data, typeof en>} View
 * @typedef {import('./kit/chart.js').Series} Series
 * @typedef {import('./kit/chart.js').Panel} Panel
 * @typedef {import('./kit/chart.js').Box} Box
 * @typedef {import('./kit/chart.js').Scale} ChartScale
 * @typedef {import('./kit/svg.js').SvgChild} SvgChild
 * @typedef {import('./heads.messages.js').Matrix} Matrix
 */

const MOST_HEADS = 64;
const DRAWN_HEADS = [1, 2, 4, 8, 16, 32, 64];
/** Published models: their heads, and the d_k that stays when it is not tied to them. */
const MODELS = {
  512: { heads: 8, kvHeads: 'heads', dKey: 64 },
  768: { heads: 12, kvHeads: 'heads', dKey: 64 },
  4096: { heads: 32, kvHeads: '8', dKey: 128 },
};
/** Half the width of a bar, in octaves. */
const HALF_BAR = 0.3;

const presets = Object.fromEntries(
  Object.entries(MODELS).map(([name, { heads, kvHeads }]) => [name, { heads, kvHeads }]),
);

const fields = {
  model: choiceField({ initial: '512', options: Object.keys(MODELS), presets }),
  heads: numberField({ initial: 8, min: 1, max: MOST_HEADS }),
  kvHeads: choiceField({ initial: 'heads', options: ['heads', '8', '4', '2', '1'] }),
  headSize: choiceField({ initial: 'tied', options: ['tied', 'fixed'] }),
  bias: choiceField({ initial: 'no', options: ['no', 'yes'] }),
};

/** @param {import('./kit/state.js').State} state */
function settingOf({ model, kvHeads, headSize, bias }) {
  const { dKey } = MODELS[/** @type {'512'} */ (model)];
  return {
    dModel: Number(model),
    kvHeads: kvHeads === 'heads' ? undefined : Number(kvHeads),
    dKey: headSize === 'fixed' ? dKey : undefined,
    bias: bias === 'yes',
  };
}

/** @param {import('./kit/state.js').State} state */
function compute(state) {
  const heads = Number(state.heads);
  const setting = settingOf(state);
  const { dKey } = MODELS[/** @type {'512'} */ (state.model)];
  const near = (/** @type {number} */ count) => Math.abs(Math.log2(count / heads)) < 2 * HALF_BAR;
  const drawn = [...DRAWN_HEADS.filter((count) => !near(count)), heads].sort((a, b) => a - b);
  const parameters = headParameters({ ...setting, heads: drawn });
  const now = parameters.filter((row) => row.heads === heads);
  return {
    parameters,
    now,
    one: headParameters({ ...setting, kvHeads: undefined, heads: [1] })[0].total,
    cache: headCache({ ...setting, heads }),
    folk: DRAWN_HEADS.map((count) => ({
      heads: count,
      total: layerParameters({ ...setting, kvHeads: undefined, heads: count, dKey }),
    })),
    kvHeads: groupedHeads(heads, setting.kvHeads ?? heads),
  };
}

/** @param {import('./kit/palette.js').Palette} palette  @returns {Record<Matrix, Series & { opacity: number }>} */
const seriesOf = ({ scaled, scaledText, unscaled, unscaledText, third, ink }) => ({
  query: { key: 'query', colour: scaled, textColour: scaledText, marker: 'circle', opacity: 1 },
  key: { key: 'key', colour: unscaled, textColour: unscaledText, marker: 'diamond', opacity: 1 },
  value: {
    ...{ key: 'value', colour: unscaled, textColour: unscaledText, marker: 'square' },
    opacity: 0.55,
  },
  output: { key: 'output', colour: third, textColour: ink, marker: 'square', opacity: 0.5 },
});

/** @param {import('./kit/palette.js').Palette} palette  @returns {Series} */
const cacheSeries = (palette) => orangeSeries(palette, 'cache');

// ---- the two panels -------------------------------------------------------------------------

/** Heads on an axis of octaves, with room for half a bar at either end. @param {Box} box */
const octaves = ({ left, right }) => scaleLog([2 ** -0.5, MOST_HEADS * 2 ** 0.5], [left, right]);

/**
 * A bar with straight edges.
 * @param {{ at: number, low: number, high: number, x: ChartScale, y: ChartScale }} place
 * @param {Series} series
 * @param {number} opacity
 */
function bar({ at, low, high, x, y }, series, opacity) {
  const left = x(at * 2 ** -HALF_BAR);
  return node('rect', {
    ...{ x: left, width: x(at * 2 ** HALF_BAR) - left },
    ...{ y: y(high), height: Math.max(0, y(low) - y(high) - 1) },
    fill: series.colour,
    'fill-opacity': opacity,
    'data-series': series.key,
  });
}

/** The four matrices on top of each other. @param {Data['parameters']} rows  of one number of heads */
function stacked(rows) {
  let low = 0;
  return rows.map((row) => {
    const place = { ...row, low, high: low + row.parameters };
    low = place.high;
    return place;
  });
}

/**
 * @param {View} view
 * @param {{ x: ChartScale, y: ChartScale }} scales
 */
function stacks({ data, state, palette }, { x, y }) {
  const all = seriesOf(palette);
  return [...new Set(data.parameters.map(({ heads }) => heads))].map((heads) =>
    stacked(data.parameters.filter((row) => row.heads === heads)).map(({ matrix, low, high }) => {
      const { opacity } = all[matrix];
      const faint = heads === Number(state.heads) ? 1 : 0.45;
      return bar({ at: heads, low, high, x, y }, all[matrix], opacity * faint);
    }),
  );
}

/** @param {Panel} panel  @param {View} view */
function parameterFrame(panel, { state }) {
  const box = inside(panel, { left: 24, right: 40, top: 60 });
  const dModel = Number(state.model);
  const { dKey } = MODELS[/** @type {'512'} */ (state.model)];
  const unit = dModel ** 2;
  const top = state.headSize === 'fixed' ? 4 * dModel * dKey * MOST_HEADS : 6 * unit;
  const step = top > 12 * unit ? 8 : 2;
  const ticks = Array.from(
    { length: 1 + Math.floor(top / unit / step) },
    (_, i) => i * step * unit,
  );
  const y = scaleLinear([0, top * 1.02], [box.bottom, box.top]);
  return { box, x: octaves(box), y, top, unit, ticks };
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function parameterPanel(panel, view) {
  const { data, state, text: words, format, palette } = view;
  const { box, x, y, top, unit, ticks } = parameterFrame(panel, view);
  const folk = folkSeries(palette);
  const [{ theory, dK }] = data.now;
  const heads = Number(state.heads);
  const all = seriesOf(palette);
  const last = data.parameters.filter((row) => row.heads === data.parameters.at(-1)?.heads);
  const ends = stacked(last).map(({ matrix, low, high }) => ({
    y: y((low + high) / 2),
    label: words.matrices[matrix],
    series: all[matrix],
  }));
  // The line is drawn as far as the panel goes.
  const perHead = data.folk[0].total;
  const until = Math.min(MOST_HEADS, top / perHead);
  const claimed = Array.from({ length: 33 }, (_, i) => until ** (i / 32));
  return [
    handle(box),
    panelTitle(panel, words.parameterPanel, palette),
    leftAxis(box, y, { ticks, format: (value) => format.plain(value / unit), palette }),
    stacks(view, { x, y }),
    theoryLine(
      claimed.map((count) => ({ x: count, y: count * perHead })),
      { x, y, series: folk, dash: '6 4', width: 1.5 },
    ),
    text(Math.min(x(until) + 8, box.right - textWidth(words.folk)), box.top - 6, words.folk, {
      fill: palette.muted,
      series: 'folk',
    }),
    node('circle', {
      ...{ cx: x(heads), cy: y(theory), r: 6, fill: 'none' },
      ...{ stroke: palette.ink, 'stroke-width': 1.25 },
    }),
    text(panel.x, box.top - 22, words.now(format.plain(dK), format.plain(data.kvHeads)), {
      fill: palette.ink,
    }),
    endLabels(box, ends),
    bottomAxis(box, x, {
      ticks: DRAWN_HEADS,
      format: format.plain,
      name: words.headsAxis,
      palette,
    }),
  ];
}

/** The formula between whole numbers of heads, which an axis of octaves bends. @param {Data} data */
function cacheLine({ cache }) {
  const { kvHeads, theory } = cache[cache.length - 1];
  return Array.from({ length: 33 }, (_, i) => kvHeads ** (i / 32)).map((g) => ({
    x: g,
    y: (theory * g) / kvHeads,
  }));
}

/** @param {Panel} panel  @param {View} view  @returns {SvgChild[]} */
function cachePanel(panel, view) {
  const { data, state, text: words, format, palette } = view;
  const { dKey } = MODELS[/** @type {'512'} */ (state.model)];
  const box = inside(panel, { left: 44, top: 60 });
  const x = octaves(box);
  const largest = state.headSize === 'fixed' ? 2 * dKey * MOST_HEADS : 2 * Number(state.model);
  const y = scaleLinear([0, largest * 1.02], [box.bottom, box.top]);
  const series = cacheSeries(palette);
  const now = data.cache.find(({ kvHeads }) => kvHeads === data.kvHeads);
  return [
    panelTitle(panel, words.cachePanel, palette),
    leftAxis(box, y, { ticks: [0, largest / 2, largest], format: format.plain, palette }),
    theoryLine(cacheLine(data), { x, y, series, width: 1.25 }),
    marks(
      series,
      data.cache.map(({ kvHeads, numbers }) => [x(kvHeads), y(numbers)]),
    ),
    now && [
      node('circle', {
        ...{ cx: x(now.kvHeads), cy: y(now.numbers), r: 7, fill: 'none' },
        ...{ stroke: palette.ink, 'stroke-width': 1.25 },
      }),
      text(x(now.kvHeads) - 12, y(now.numbers) + 4, format.plain(now.numbers), {
        ...{ fill: series.textColour, anchor: 'end', weight: 600 },
        ...{ halo: palette.paper, series: 'cache' },
      }),
    ],
    bottomAxis(box, x, { ticks: DRAWN_HEADS, format: format.plain, name: words.kvAxis, palette }),
  ];
}

// ---- the figure -----------------------------------------------------------------------------

const aspect = { wide: 0.44, narrow: 1.75 };

/** @param {number} width */
const layout = (width) => grid({ width, count: 2, columns: 2, aspect });

/** @param {View} view */
function draw(view) {
  const { width, text: words, palette } = view;
  const { panels, height } = layout(width);
  return picture(
    { width, height, title: title(view), description: words.description, palette },
    parameterPanel(panels[0], view),
    cachePanel(panels[1], view),
  );
}

/** @type {NonNullable<import('./kit/spec.js').FigureSpec<Data, typeof en>['pick']>} */
function pick(view, point) {
  const { box, x } = parameterFrame(layout(view.width).panels[0], view);
  return holds(box, point) ? { heads: Math.round(x.invert(point.x)) } : undefined;
}

/** @param {View} view  @returns {string} */
function title(view) {
  const { data, state, text: words, format } = view;
  const [{ total }] = data.now;
  return words.title({
    heads: format.plain(Number(state.heads)),
    total: format.count(total),
    one: format.count(data.one),
    grouped: data.kvHeads < Number(state.heads),
    tied: state.headSize === 'tied',
    dModel: format.plain(Number(state.model)),
    same: total === data.one,
  });
}

/** @param {View} view  @returns {import('./kit/spec.js').ReadoutGroup[]} */
function readout({ data, state, text: words, format, palette }) {
  const heads = { measuredAs: words.counted, theoryAs: words.formula };
  const all = seriesOf(palette);
  const [{ total, theory, dK }] = data.now;
  const { dModel, bias } = settingOf(state);
  const line = (
    /** @type {string} */ quantity,
    /** @type {number} */ measured,
    /** @type {number} */ formula,
  ) => ({
    ...{ quantity, measured, theory: formula, format: format.count },
  });
  const rows = data.now.map(({ matrix, parameters, kvHeads }) => {
    const columns = dK * (matrix === 'key' || matrix === 'value' ? kvHeads : Number(state.heads));
    const added = matrix === 'output' ? dModel : columns;
    return line(words.matrices[matrix], parameters, dModel * columns + (bias ? added : 0));
  });
  const cache = data.cache.find(({ kvHeads }) => kvHeads === data.kvHeads);
  return [
    {
      ...heads,
      series: all.query,
      label: words.count,
      formula: 'd_model·d_k·(h + g) + d_model·d_v·g + h·d_v·d_model',
      rows: [...rows, line(words.total, total, theory)],
    },
    {
      ...heads,
      series: cacheSeries(palette),
      label: words.cache,
      formula: words.cacheFormula,
      rows: [line(words.numbers, cache?.numbers ?? NaN, cache?.theory ?? NaN)],
    },
  ];
}

/** @param {View} view  @returns {import('./kit/download.js').TidyRow[]} */
function rows({ data, text: words }) {
  const counted = data.parameters.map(({ heads, matrix, parameters }) => ({
    panel: words.parameterPanel,
    series: words.matrices[matrix],
    x: heads,
    measured: parameters,
  }));
  const totals = data.parameters
    .filter(({ matrix }) => matrix === 'query')
    .map(({ heads, total, theory }) => ({
      ...{ panel: words.parameterPanel, series: words.total, x: heads, measured: total, theory },
    }));
  const cache = data.cache.map(({ kvHeads, numbers, theory }) => ({
    ...{ panel: words.cachePanel, series: words.cache, x: kvHeads, measured: numbers, theory },
  }));
  return [...counted, ...totals, ...cache];
}

/** @type {import('./kit/spec.js').FigureSpec<Data, typeof en>} */
export const spec = {
  name: 'heads',
  fields,
  visible: ['model', 'heads', 'kvHeads'],
  messages: { en, zh },
  aspect,
  compute,
  draw,
  pick,
  title,
  readout,
  rows,
  status: ({ data, state, text: words, format }) => {
    const [{ total, dK }] = data.now;
    return words.status({
      heads: format.plain(Number(state.heads)),
      kvHeads: format.plain(data.kvHeads),
      dK: format.plain(dK),
      total: format.count(total),
      cache: format.count(2 * dK * data.kvHeads),
    });
  },
  caption: ({ text: words }) => words.caption,
};

/**
 * What more heads cost: parameters of a layer and cached numbers a token.
 *
 * @attr {'512' | '768' | '4096'} model - d_model; choosing one also sets the heads of a published model (512)
 * @attr {number} heads - query heads h, 1 … 64 (8)
 * @attr {'heads' | '8' | '4' | '2' | '1'} kv-heads - heads of keys and values (as many as heads)
 * @attr {'tied' | 'fixed'} head-size - d_k = d_model/h, or that of the published model (tied)
 * @attr {'no' | 'yes'} bias - whether the projections have biases (no)
 * @attr {string} lang - en or zh
 * @attr {string} controls - which controls are visible, by attribute name, or `none`
 */
export class AttnHeads extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnHeads);

/**
 * The figure as self-contained SVG text; needs no document.
 * @param {import('./kit/static.js').StaticOptions & Record<string, unknown>} [options]
 * @returns {string}
 */
export const staticSvg = (options) => renderStatic(spec, options);
