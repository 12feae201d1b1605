// What stands beside the large head, as panels: thumbnails of all heads, the largest weights of one query, and the
// products of queries and keys against the normal distribution that the scale assumes.

import { text } from '../../figures/kit/chart/chart.js';
import { cells, largestOf } from '../../figures/kit/chart/marks/cells.js';
import { linear } from '../../figures/kit/chart/mapping.js';
import { blueLook, greyLook } from '../../figures/kit/chart/looks.js';
import { points } from '../../figures/kit/chart/series.js';
import { node } from '../../figures/kit/chart/svg.js';
import { say } from '../../figures/kit/state/words.js';
import { times } from '../../shared/times.js';
import { numberOf } from '../heads/compared.js';
import { boxOfPatches, image } from './image.js';
import { thumbGrid } from './layout.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { Panel } from '../../figures/kit/chart/panels.js'
 * @import { Measured } from '../heads/known.js'
 * @import { View } from '../view/data.js'
 */

/** Deviations that the histogram spans, its bins, and the top of its axis as a density. */
export const BINS = { count: 40, reach: 4 };
const TOP = 0.5;
const CURVE_POINTS = 81;
const BAR = 18;
/** Room for a key's name before its bar, and for a number after it. */
const NAME = 88;
const NUMBER = 52;
const TICKS = [-4, -2, 0, 2, 4];
/** Room for the halves of labels that lie beyond the first and the last tick. */
const HALF_LABEL = 8;

/** What the table has of each head. @type {readonly ('entropyRatio' | 'effectiveKeys' | 'jacobianTrace')[]} */
const MEASURES = ['entropyRatio', 'effectiveKeys', 'jacobianTrace'];

/**
 * Describes the thumbnails, of which that of the shown head is framed.
 * @param {View} view
 * @param {Box} box
 * @param {readonly Measured[]} diagnosed
 * @returns {Panel}
 */
export function headsPanel(view, box, diagnosed) {
  const { data, text: words } = view;
  return {
    title: say(view, words.allHeads, { layers: data.layers, heads: data.heads }),
    plot: () => box,
    marks: () => thumbs(view, box),
    rows: diagnosed.flatMap((each) =>
      MEASURES.map((measure) => ({
        panel: words[measure],
        series: words.verdicts[each.diagnosis.verdict],
        across: words.headNumber,
        x: each.layer * data.heads + each.head + 1,
        measured: numberOf(each, (one) => one.diagnosis[measure]),
      })),
    ),
  };
}

/** Draws the thumbnails. @param {View} view @param {Box} box */
function thumbs({ data, palette }, box) {
  const { size, at } = thumbGrid(box, data);
  const pictures = data.patches ?? data.overview.map(({ thumb }) => thumb);
  const all = pictures.map((picture) => (picture ? largestOf(picture.data) : 0));
  const ofAll = data.compared?.isDifference ? Math.max(...all) : undefined; // so that heads compare
  return data.overview.map(({ layer, head }, i) => {
    const { x, y } = at(layer, head);
    const place = { left: x, top: y, right: x + size, bottom: y + size };
    const isShown = layer === data.layer && head === data.head;
    const shades = { colour: palette.scaled, less: palette.unscaled };
    const picture = pictures[i];
    const within = data.patches && picture ? boxOfPatches(place, picture.shape) : place;
    return [
      picture && cells(picture, within, { ...shades, largest: ofAll ?? all[i] }),
      node('rect', {
        x,
        y,
        width: size,
        height: size,
        fill: 'none',
        stroke: isShown ? palette.ink : palette.faint,
        'stroke-width': isShown ? 2 : 1,
      }),
    ];
  });
}

/** Returns what the largest weights of the chosen query tell; of a difference, where they are larger. @param {View} view */
export const titleOfKeys = (view) => {
  const { data, text: words } = view;
  const title = data.other ? words.barsTitleDifference : words.barsTitle;
  return say(view, title, { query: data.labels[data.query] });
};

/** Describes the largest weights of the chosen query, or where in an image they are. @param {View} view @param {Box} box @returns {Panel} */
export const keysPanel = (view, box) => ({
  title: titleOfKeys(view),
  plot: () => box,
  marks: () => (view.data.grid ? image(view, view.data.grid, box) : topBars(view, box)),
});

/** Draws bars with the name of the key at the left and the number at the right. @param {View} view @param {Box} box */
function topBars({ data, palette, format }, { left, right, top, bottom }) {
  const { colour, textColour } = blueLook(palette, 'weights');
  const count = Math.max(1, Math.floor((bottom - top) / BAR));
  const isDifference = data.other !== undefined;
  const x = linear([0, 1], [left + NAME, right - NUMBER]);
  return data.top.slice(0, count).map(({ key, weight }, i) => {
    const middle = top + i * BAR + 10;
    const isChosen = key === data.key;
    return [
      text(left + NAME - 6, middle, data.keyLabels[key], {
        anchor: 'end',
        within: NAME - 8,
        fill: isChosen ? palette.ink : palette.muted,
        weight: isChosen ? 600 : undefined,
      }),
      node('rect', {
        x: left + NAME,
        y: middle - 10,
        width: Math.max(0, x(Math.min(1, weight)) - left - NAME) || 0,
        height: BAR - 6,
        fill: colour,
      }),
      text(
        x(Math.min(1, weight || 0)) + 5,
        middle,
        (isDifference && weight > 0 ? '+' : '') + format.percent(weight),
        { fill: textColour },
      ),
    ];
  });
}

/** The density of N(0, 1), to compare. */
const NORMAL = times(CURVE_POINTS, (i) => {
  const x = -BINS.reach + (2 * BINS.reach * i) / (CURVE_POINTS - 1);
  return { x, y: Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) };
});

/** Describes the histogram of q·k and the density of N(0, d_k). @param {View} view @param {Box} box @returns {Panel} */
export function productsPanel({ data, palette, text: words }, box) {
  const { histogram = [], matrix } = data;
  return {
    title: matrix ? words.histogramTitle : words.histogramOfSome,
    plot: () => ({ ...box, left: box.left + HALF_LABEL, right: box.right - HALF_LABEL }),
    x: { ends: [-BINS.reach, BINS.reach], ticks: TICKS, name: words.histogramAxis },
    y: { ends: [0, TOP], ticks: [] },
    series: [
      {
        look: blueLook(palette, 'weights'),
        measured: points(histogram, { x: 'low', y: 'value', from: 'low', to: 'high' }),
        bars: 0.45,
      },
      { look: greyLook(palette, 'normal'), theory: NORMAL },
    ],
  };
}
