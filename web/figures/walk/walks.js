// The walks of <attn-walk>: those of one query thick, others thin, between ±√step; at the right the bell that
// the ends of all walks pile up into, on the same axis.

import { times } from '../../shared/times.js';
import { tenth } from '../kit/chart/chart.js';
import { curve } from '../kit/chart/marks/curve.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { points } from '../kit/chart/series.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';
import { BY_VARIANCE } from '../common/starts.js';
import { chosenLook, rowsOfScale, SCORE_LIMIT, scoreLimit } from './series.js';

/**
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { Point, Series } from '../kit/chart/series.js'
 * @import { View } from './element.js'
 */

/** The length of the bell's axis, as a share of that of the walks. */
const BELL = 0.34;
/** The density at its end, for scores of deviation 1: that of a normal score is .4 at most. */
const DENSEST = 0.5;
/** The steps for which the axis has room, so that walks up to this length grow into it. */
const FIXED = 256;
/** Points of the lines ±√step, and about as many of a thin walk. */
const ENVELOPE = 33;

/** Returns the walks, each as points of the scaled score. @param {View} view  @returns {Point[][]} */
function walksOf({ data, state }) {
  const [{ scale }] = rowsOfScale(data.summary, state.scale);
  return data.walks.map((walk) => points(walk, { x: 'step', y: ({ score }) => scale * score }));
}

/** Leaves out every second place of a long walk, which is half of the picture's text. @param {Point[]} walk */
const thinned = (walk) =>
  walk.length <= ENVELOPE ? walk : walk.filter((_, i) => i % 2 === 0 || i === walk.length - 1);

/** Returns the lines between which two thirds of the walks are. @param {View} view  @returns {Series[]} */
function envelopes(view) {
  const { data, state, text: words, format, palette } = view;
  const [{ deviationTheory }] = rowsOfScale(data.summary, state.scale);
  const look = { ...chosenLook(view), colour: palette.ink, textColour: palette.ink };
  const value = format.plain(Number(deviationTheory.toPrecision(3)));
  return [1, -1].map((sign) => {
    const theory = times(ENVELOPE, (i) => {
      const step = (state.dK * i) / (ENVELOPE - 1);
      return { x: step, y: sign * deviationTheory * Math.sqrt(step / state.dK) };
    });
    const name = say(view, words.envelopes[state.scale], {
      sign: sign > 0 ? '+' : '−',
      times: BY_VARIANCE[state.start],
    });
    const label = sign > 0 ? `±${value}` : undefined;
    return { look, name, label, end: theory.at(-1), theory, dash: '5 4', width: 1.25 };
  });
}

/**
 * Draws the bell, sideways: its bars were measured, its line is exact.
 * @param {View} view
 * @param {Frame} frame
 */
function bell(view, { box, x, y }) {
  const { state, data } = view;
  const look = chosenLook(view);
  const [{ deviationTheory }] = rowsOfScale(data.summary, state.scale);
  const left = x(state.dK);
  const limit = scoreLimit(state);
  const unit = ((box.right - x(Math.max(state.dK, FIXED))) * deviationTheory) / DENSEST;
  const at = (/** @type {number} */ density) => tenth(Math.min(box.right, left + unit * density));
  const bins = rowsOfScale(data.ends, state.scale).filter(
    ({ low, high }) => low < limit && high > -limit,
  );
  const bars = bins.map(({ density, high }) => `H${at(density)}V${tenth(y(high))}`);
  const line = bins.map(({ theory, low, high }) => `${at(theory)},${tenth(y((low + high) / 2))}`);
  const [start] = bins;
  return [
    node('path', {
      d: `M${tenth(left)},${tenth(y(start.low))}${bars.join('')}H${tenth(left)}Z`,
      fill: look.colour,
      'fill-opacity': 0.35,
      'data-series': look.key,
    }),
    node('path', {
      d: `M${line.join('L')}`,
      fill: 'none',
      stroke: look.colour,
      'stroke-width': 1.75,
      'data-series': look.key,
    }),
  ];
}

/** Describes the panel of walks and their ends. @param {View} view  @returns {Panel} */
export function walkPanel(view) {
  const { state, data, text: words, palette } = view;
  const look = chosenLook(view);
  const all = walksOf(view);
  const limit = scoreLimit(state);
  const tick = limit > SCORE_LIMIT ? 40 : 30;
  const own = all.slice(0, data.keys);
  const others = all.slice(data.keys);
  return {
    title: words.walkPanel,
    x: {
      ends: [0, Math.max(state.dK, FIXED) * (1 + BELL)],
      ticks: [0, state.dK],
      name: words.stepAxis,
    },
    y: { ends: [-limit, limit], ticks: [-2, -1, 0, 1, 2].map((i) => i * tick) },
    margin: { left: 33, right: 0, top: 48 },
    series: [
      ...own.map((walk, key) => ({
        look,
        name: say(view, words.key, { key: key + 1 }),
        measured: walk,
        size: 0,
        joined: true,
        cut: true,
        width: key === data.top ? 2.5 : 1.1,
      })),
      ...envelopes(view),
    ],
    marks(frame) {
      const { x, y, box } = frame;
      const pause = { x: NaN, y: NaN };
      const thin = others.flatMap((walk) => [
        ...thinned(walk).map((place) => (Math.abs(place.y) < limit ? place : pause)),
        pause,
      ]);
      const ends = own.map((walk) => y(walk[walk.length - 1].y));
      return [
        node(
          'g',
          { opacity: 0.6 },
          curve(thin, { x, y, look: { ...look, colour: palette.folk }, width: 0.7 }),
        ),
        bell(view, frame),
        // From the ends of this query's walks to its weights, at the right.
        node('path', {
          d: ends.map((end) => `M${tenth(x(state.dK))},${tenth(end)}H${tenth(box.right)}`).join(''),
          stroke: look.colour,
          'stroke-opacity': 0.6,
          'stroke-width': 0.75,
          'data-series': look.key,
        }),
        symbols(
          look,
          ends.map((end) => [x(state.dK), end]),
          3,
        ),
      ];
    },
    rows: rowsOfScale(data.ends, state.scale).map(({ low, high, density, theory }) => ({
      panel: words.endPanel,
      series: words.options[state.scale],
      across: words.scoreAxis,
      x: (low + high) / 2,
      measured: density,
      theory,
    })),
  };
}
