// The arrows of <attn-walk>: how much gradient reaches the typical query, with each scale; the mean beside it.

import { tenth, text, textWidth } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { node } from '../kit/chart/svg.js';
import { looksOf, rowsOfScale, SCALES } from './series.js';

/**
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { WalkSummaryRow } from '../../experiments/walk.js'
 * @import { View } from './element.js'
 */

/** The end of the axis; the ranges of a few queries go beyond it. */
const LARGEST = 2;
/** Half the height of a range, and of the line of the exact mean. */
const HALF = { range: 7, mean: 10 };
/** The length of an arrow's head. */
const HEAD = 11;
/** Room for the median, in figures. */
const VALUE = 48;

/**
 * Draws one arrow, as long as the median.
 * @param {{ from: number, to: number, y: number, look: Look, isChosen: boolean }} options  in pixels
 */
function arrow({ from, to, y, look, isChosen }) {
  const half = isChosen ? 3 : 1.5;
  const neck = Math.max(from, to - HEAD);
  const side = isChosen ? 8 : 6;
  return node('path', {
    d:
      `M${tenth(from)},${tenth(y - half)}H${tenth(neck)}V${tenth(y - side)}L${tenth(Math.max(to, from + 1))},${tenth(y)}` +
      `L${tenth(neck)},${tenth(y + side)}V${tenth(y + half)}H${tenth(from)}Z`,
    fill: look.colour,
    'data-series': look.key,
  });
}

/**
 * Names the mean, right of its marks, or left where there is no room.
 * @param {View} view
 * @param {{ row: WalkSummaryRow, look: Look, middle: number, at: (value: number) => number, end: number }} options
 *   end: of the axis, in pixels
 */
function meanLabel({ text: words, format, palette }, { row, look, middle, at, end }) {
  const label = `${words.mean} ${format.significant(row.gradient, 2)}`;
  const marks = [at(row.gradient), at(row.gradientTheory)];
  const right = Math.max(...marks, at(row.gradientMedian)) + 10;
  const fits = right + textWidth(label) < end;
  return text(fits ? right : Math.min(...marks) - 10, middle + 4, label, {
    anchor: fits ? 'start' : 'end',
    fill: palette.ink,
    halo: palette.paper,
    series: look.key,
  });
}

/**
 * Draws range, arrow and mean of each scale.
 * @param {View} view
 * @param {Frame} frame
 */
function marks(view, { box, x, y }) {
  const { data, state, palette, format } = view;
  return looksOf(palette).map((look, i) => {
    const [row] = rowsOfScale(data.summary, look.key);
    const middle = y(SCALES.length - i);
    const at = (/** @type {number} */ value) => Math.min(box.right, x(value));
    const exact = tenth(at(row.gradientTheory));
    return [
      node('rect', {
        x: at(row.gradientP10),
        y: middle - HALF.range,
        width: at(row.gradientP90) - at(row.gradientP10),
        height: 2 * HALF.range,
        fill: look.colour,
        'fill-opacity': 0.18,
        'data-series': look.key,
      }),
      arrow({
        from: box.left,
        to: at(row.gradientMedian),
        y: middle,
        look,
        isChosen: look.key === state.scale,
      }),
      node('path', {
        d: `M${exact},${tenth(middle - HALF.mean)}v${2 * HALF.mean}`,
        stroke: look.colour,
        'stroke-width': 1.75,
        'data-series': look.key,
      }),
      symbols(look, [[at(row.gradient), middle]], 3.5, palette.paper),
      look.key === state.scale && meanLabel(view, { row, look, middle, at, end: box.right }),
      text(box.right + VALUE, middle + 4, format.significant(row.gradientMedian, 2), {
        anchor: 'end',
        fill: look.textColour,
        series: look.key,
      }),
    ];
  });
}

/** Describes the panel of the gradient. @param {View} view  @returns {Panel} */
export function gradientPanel(view) {
  const { data, text: words } = view;
  return {
    title: words.gradientPanel,
    x: {
      ends: [0, LARGEST],
      ticks: [0, 0.5, 1, 1.5, 2],
      name: words.gradientAxis,
    },
    y: {
      ends: [0.5, SCALES.length + 0.5],
      ticks: [1, 2, 3],
      format: (row) => words.options[SCALES[SCALES.length - row]],
    },
    margin: { left: 46, right: VALUE + 4 },
    marks: (frame) => marks(view, frame),
    rows: SCALES.flatMap((scale) => {
      const [row] = rowsOfScale(data.summary, scale);
      const { gradient, gradientTheory, gradientMedian, gradientP10, gradientP90 } = row;
      const place = { series: words.options[scale], across: words.scaleAxis, x: row.scale };
      return [
        {
          ...place,
          panel: words.medianTable,
          measured: gradientMedian,
          low: gradientP10,
          high: gradientP90,
        },
        { ...place, panel: words.meanTable, measured: gradient, theory: gradientTheory },
      ];
    }),
  };
}
