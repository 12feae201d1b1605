// <attn-walk>: a score as a walk of d_k random steps, what softmax makes of where eight walks end, and how much
// gradient comes back to each query, with every scale on the same axes. It plays as a film.

import {
  WALK_KEYS,
  walkEnds,
  walkGradients,
  walkPaths,
  walkSummary,
  walkWeights,
} from '../../experiments/walk.js';
import { times } from '../../shared/times.js';
import { heightBase, STACK_BELOW } from '../kit/chart/chart.js';
import { panelled } from '../kit/chart/panels.js';
import { renderStatic } from '../kit/chart/static.js';
import { FigureElement } from '../kit/element/figure.js';
import { BY_VARIANCE, entrySizeOf, startField, VARIANCES } from '../common/starts.js';
import { choiceField, isInterpreted, numberField, seedField } from '../kit/state/state.js';
import { formulas, line, say } from '../kit/state/words.js';
import { film } from './film.js';
import { gradientPanel } from './gradients.js';
import { looksOf, rootOf, rowsOfScale, SCALES } from './series.js';
import { walkPanel } from './walks.js';
import { weightPanel } from './weights.js';
import { messages } from './generated/words.js';

/**
 * @import { Context, DataOf, FigureSpec, ViewOf } from '../kit/spec.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** The most walks that are drawn as lines, and the most places of each; all are counted in the bell. */
const DRAWN = 36;
const PLACES = 65;
/** Queries whose gradients are drawn. */
const DOTS = 60;

const fields = {
  dK: numberField({ initial: 256, min: 1, max: 512 }),
  scale: choiceField({ initial: 'none', options: SCALES, buttons: true }),
  start: startField(),
  walks: numberField({ initial: isInterpreted ? 200 : 1000, min: 1, max: 2000 }),
  seed: seedField(898),
};

/** Computes the data of a state. @param {State} state  @param {Context} context */
function* compute(state, { memo }) {
  const { dK, walks, seed } = state;
  const queries = Math.ceil(walks / WALK_KEYS);
  const keys = Math.min(walks, WALK_KEYS);
  const entrySize = entrySizeOf(state);
  const sample = { dK, seed, queries, entrySize };
  const weights = yield* memo('weights', [sample, keys], () => walkWeights({ ...sample, keys }));
  const summary = yield* memo('summary', [sample], () => walkSummary(sample));
  const shown = Math.min(queries, DOTS);
  const gradients = yield* memo('gradients', [sample], () => walkGradients({ ...sample, shown }));
  const ends = yield* memo('ends', [sample, walks], () => walkEnds({ ...sample, walks }));
  const paths = yield* memo('paths', [sample, Math.min(walks, DRAWN)], () =>
    walkPaths({ ...sample, walks: Math.min(walks, DRAWN), points: PLACES }),
  );
  const scores = weights.slice(0, keys).map(({ score }) => score);
  return {
    queries,
    keys,
    /** The key with the highest score. */
    top: scores.indexOf(Math.max(...scores)),
    walks: times(Math.min(walks, DRAWN), (i) => paths.filter(({ walk }) => walk === i)),
    ends,
    weights,
    summary,
    shown,
    gradients,
  };
}

/** Returns the claim, with its live numbers. @param {View} view */
function title(view) {
  const { data, state, text: words, format } = view;
  const [row] = rowsOfScale(data.summary, state.scale);
  const [scaled] = rowsOfScale(data.summary, 'sqrt');
  return say(view, words.titles[state.scale], {
    deviation: format.plain(Number(row.deviationTheory.toPrecision(3))),
    times: BY_VARIANCE[state.start],
    weight: format.percent(row.largestWeight),
    scaled: format.percent(scaled.largestWeight),
    gradient: format.significant(row.gradientMedian, 2),
  });
}

/** Returns the numbers beside theory. @param {View} view */
const readout = ({ data, text: words, format, palette }) =>
  looksOf(palette).map((look) => {
    const { key } = look;
    const [row] = rowsOfScale(data.summary, key);
    return {
      series: look,
      label: words.options[key],
      formula: formulas[key],
      rows: [
        line(words.largestWeight, format.percent, row.largestWeight, row.largestWeightTheory),
        line(words.deviation, format.significant, row.deviation, row.deviationTheory),
        line(words.gradientMean, format.significant, row.gradient, row.gradientTheory),
        line(words.gradientMedian, (value) => format.significant(value, 2), row.gradientMedian),
      ],
    };
  });

/** The share of the width that the walks have, and the heights of the two rows of panels as shares of it. */
const SHAPES = {
  wide: { walks: 0.62, upper: 0.33, lower: 0.24 },
  narrow: { walks: 0.58, upper: 0.8, lower: 0.5 },
};

/** Places the weights right of the walks, whose ends they are of, and the gradients below. @param {number} width */
function layout(width) {
  const shape = width < STACK_BELOW ? SHAPES.narrow : SHAPES.wide;
  const left = shape.walks * width;
  const [upper, lower] = [shape.upper, shape.lower].map((share) => share * heightBase(width));
  return {
    panels: [
      { x: 0, y: 0, width: left, height: upper },
      { x: left, y: 0, width: width - left, height: upper },
      { x: 0, y: upper, width, height: lower },
    ],
    height: upper + lower,
  };
}

/** @type {FigureSpec<Data, typeof messages.en, State>} */
export const spec = {
  name: 'walk',
  room: { wide: 460, narrow: 630 },
  fields,
  visible: ['dK', 'scale'],
  messages,
  compute,
  film,
  ...panelled({
    title,
    panels: { walks: walkPanel, weights: weightPanel, gradient: gradientPanel },
    aspect: {
      wide: SHAPES.wide.upper + SHAPES.wide.lower,
      narrow: SHAPES.narrow.upper + SHAPES.narrow.lower,
    },
    layout,
  }),
  caption: (view) =>
    say(view, view.text.caption, {
      variance: VARIANCES[view.state.start],
      start: view.text.options[view.state.start],
      times: BY_VARIANCE[view.state.start],
      root: rootOf(view.state),
    }),
  readout,
};

/** A score as a random walk, the weights that softmax makes of it, and the gradient that comes back. */
export class AttnWalk extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnWalk);

/** Returns the figure as self-contained SVG text; needs no document. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
