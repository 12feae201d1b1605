// The weights of <attn-walk>: a bar for each key of one query, from the highest score to the lowest, each with
// a line from the end of its walk; symbols mark what the other scales would give.

import { tenth, text } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';
import { WALK_KEYS } from '../../experiments/walk.js';
import { chosenLook, looksOf, rowsOfScale, scoreLimit } from './series.js';

/**
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 */

/** The height of a bar as a share of its place. */
const BAR = 0.62;

/** Draws the bars and the lines that lead to them. @param {View} view @param {Frame} frame */
function bars(view, { place, box, x, y }) {
  const { data, state, palette, format } = view;
  const look = chosenLook(view);
  const height = (box.bottom - box.top) / WALK_KEYS;
  const middle = (/** @type {number} */ row) => box.top + (row + 0.5) * height;
  const ranked = rowsOfScale(data.weights, state.scale).sort((a, b) => b.score - a.score);
  const bend = (place.x + box.left) / 2;
  const leads = ranked.map(({ score }, row) => {
    const [from, to] = [tenth(y(score)), tenth(middle(row))];
    return `M${tenth(place.x)},${from}C${tenth(bend)},${from},${tenth(bend)},${to},${tenth(box.left)},${to}`;
  });
  const others = looksOf(palette).filter(({ key }) => key !== state.scale);
  return [
    node('path', {
      d: leads.join(''),
      fill: 'none',
      stroke: look.colour,
      'stroke-opacity': 0.6,
      'stroke-width': 0.75,
      'data-series': look.key,
    }),
    ranked.map(({ weight }, row) => [
      node('rect', {
        x: box.left,
        y: middle(row) - (BAR * height) / 2,
        width: Math.max(0.75, x(weight) - box.left),
        height: BAR * height,
        fill: look.colour,
        'fill-opacity': row === 0 ? 1 : 0.55,
        'data-series': look.key,
      }),
      text(box.right + 54, middle(row) + 4, format.percent(weight), {
        anchor: 'end',
        fill: look.textColour,
        series: look.key,
      }),
    ]),
    others.map((other) =>
      symbols(
        other,
        rowsOfScale(data.weights, other.key)
          .sort((a, b) => b.score - a.score)
          .map(({ weight }, row) => [x(weight), middle(row)]),
        2.5,
      ),
    ),
  ];
}

/** Describes the panel of weights. @param {View} view  @returns {Panel} */
export function weightPanel(view) {
  const { data, state, text: words, format } = view;
  const look = chosenLook(view);
  const [{ largestWeight, largestWeightTheory }] = rowsOfScale(data.summary, state.scale);
  return {
    title: words.weightPanel,
    note: say(view, words.expected, { value: format.percent(largestWeightTheory) }),
    rule: largestWeightTheory,
    x: { ends: [0, 1], ticks: [0, 0.5, 1], name: words.weightAxis },
    y: { ends: [-scoreLimit(state), scoreLimit(state)], ticks: [] },
    margin: { left: view.width < 600 ? 22 : 56, right: 58, top: 48 },
    marks: (frame) => [
      bars(view, frame),
      symbols(look, [[frame.x(largestWeight), frame.box.top - 3]], 3.5),
    ],
    rows: looksOf(view.palette).flatMap(({ key }) =>
      rowsOfScale(data.weights, key).map(({ key: index, weight }) => ({
        panel: words.weightPanel,
        series: words.options[key],
        across: words.keyAxis,
        x: index + 1,
        measured: weight,
      })),
    ),
  };
}
