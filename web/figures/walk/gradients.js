// The gradients of <attn-walk>: how much of a mistake reaches each query, with each scale, a dot a query. On a
// logarithmic axis the cloud without a scale dies by decades, while the few dots that stay hold up the mean.

import { tenth, text, textWidth } from '../kit/chart/chart.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { node } from '../kit/chart/svg.js';
import { asPower } from '../kit/state/language.js';
import { say } from '../kit/state/words.js';
import { looksOf, rootOf, rowsOfScale, SCALES } from './series.js';

/**
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { WalkSummaryRow } from '../../experiments/walk.js'
 * @import { View } from './element.js'
 */

/** The ends of the axis: no gradient exceeds √512·4/3; smaller ones lie at the left end and are counted there. */
const [LEAST, MOST] = [1e-6, 31];
/** Half the height of a cloud, and of the line of the median, as shares of a row's place. */
const HALF = { cloud: 0.3, median: 0.42 };
/** Room for the median at the right. */
const VALUE = 60;

/**
 * Spreads dots over the height of a row: consecutive queries lie far apart, by the golden ratio.
 * @param {number} query
 * @returns {number} −1 to 1
 */
const scatter = (query) => 2 * ((query * 0.618034) % 1) - 1;

/**
 * Names the mean, right of its mark or left, where there is room.
 * @param {View} view
 * @param {{ row: WalkSummaryRow, look: Look, middle: number, mark: number, room: [number, number] }} options
 *   mark and room: in pixels
 */
function meanLabel({ text: words, format, palette }, { row, look, middle, mark, room }) {
  const label = `${words.mean} ${format.significant(row.gradient, 2)}`;
  const width = textWidth(label);
  const fits = mark + 10 + width < room[1];
  if (!fits && mark - 10 - width < room[0]) return null;
  return text(fits ? mark + 10 : mark - 10, middle + 4, label, {
    anchor: fits ? 'start' : 'end',
    fill: palette.ink,
    halo: palette.paper,
    series: look.key,
  });
}

/** Draws the cloud, the median and the mean of each scale. @param {View} view @param {Frame} frame */
function marks(view, { box, x, y }) {
  const { data, state, palette, format, text: words } = view;
  const place = y(1) - y(2);
  return looksOf(palette).map((look, i) => {
    const [row] = rowsOfScale(data.summary, look.key);
    const middle = y(SCALES.length - i);
    const at = (/** @type {number} */ value) => x(Math.max(LEAST, value));
    const dots = rowsOfScale(data.gradients, look.key);
    const beyond = dots.filter(({ gradient }) => gradient < LEAST).length;
    const count = beyond > 0 ? say(view, words.beyond, { count: beyond }) : '';
    const mark = at(row.gradient);
    const median = tenth(at(row.gradientMedian));
    return [
      node(
        'g',
        { opacity: 0.5 },
        symbols(
          look,
          dots.map(({ gradient, query }) => [
            at(gradient),
            middle + HALF.cloud * place * scatter(query),
          ]),
          2.2,
        ),
      ),
      node('path', {
        d: `M${median},${tenth(middle - HALF.median * place)}v${tenth(2 * HALF.median * place)}`,
        stroke: look.colour,
        'stroke-width': 3,
        'data-series': look.key,
      }),
      symbols(look, [[mark, middle]], 4.5),
      look.key === state.scale &&
        meanLabel(view, {
          row,
          look,
          middle,
          mark,
          room: [box.left + 16 + textWidth(count), box.right],
        }),
      count &&
        text(box.left + 8, middle + 4, count, {
          fill: look.textColour,
          halo: palette.paper,
          series: look.key,
        }),
      text(box.right + VALUE, middle + 4, format.significant(row.gradientMedian, 2), {
        anchor: 'end',
        fill: look.textColour,
        series: look.key,
      }),
    ];
  });
}

/** Describes the panel of the gradients. @param {View} view  @returns {Panel} */
export function gradientPanel(view) {
  const { data, text: words } = view;
  return {
    title: say(view, words.gradientPanel, { queries: data.shown }),
    x: {
      mapping: logarithmic,
      ends: [LEAST, MOST],
      ticks: [1e-6, 1e-4, 1e-2, 1],
      format: asPower,
      name: say(view, words.gradientAxis, { root: rootOf(view.state) }),
    },
    y: {
      ends: [0.5, SCALES.length + 0.5],
      ticks: [1, 2, 3],
      format: (row) => words.options[SCALES[SCALES.length - row]],
    },
    margin: { left: 70, right: VALUE + 4 },
    marks: (frame) => marks(view, frame),
    rows: SCALES.flatMap((scale) => {
      const [row] = rowsOfScale(data.summary, scale);
      const { gradient, gradientTheory, gradientMedian, gradientP10, gradientP90 } = row;
      const series = words.options[scale];
      const place = { series, across: words.scaleAxis, x: row.scale };
      return [
        {
          ...place,
          panel: words.medianTable,
          measured: gradientMedian,
          low: gradientP10,
          high: gradientP90,
        },
        { ...place, panel: words.meanTable, measured: gradient, theory: gradientTheory },
        ...rowsOfScale(data.gradients, scale).map(({ query, gradient: own }) => ({
          panel: words.queryTable,
          series,
          across: words.queryAxis,
          x: query + 1,
          measured: own,
        })),
      ];
    }),
  };
}
