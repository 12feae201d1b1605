// The panels of <attn-scales> about how scores should grow with the number of keys: how many keys lie within a gap
// below the largest score, and by which law the gap with one of them shrinks as keys are added; Gaussian scores beside
// those of a trained head.

import {
  competitorCounts,
  gapOfOne,
  GROWTH_POWERS,
  growthLaws,
} from '../../experiments/competitors.js';
import recorded from '../../language/recorded/competitors.js';
import { GAPS } from '../../language/recorded/gaps.js';
import { modelsOf } from '../../shared/languages.js';
import { competitorsWithin } from '../../theory/precision.js';
import { byPlace, lastWhole, queriesNow } from '../common/sampling.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { points } from '../kit/chart/series.js';
import { line, say } from '../kit/state/words.js';
import { blueLook, greyLook } from '../kit/chart/looks.js';

/**
 * @import { Series } from '../kit/chart/series.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Context, ReadoutGroup } from '../kit/spec.js'
 * @import { State, View } from './element.js'
 */

/** The trained heads as layer.head, in the order in which they were recorded. */
export const HEADS = ['1.1', '1.2', '2.1', '2.2'];

/** The gaps of the panel, in deviations. */
const WITHIN = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3];
const WIDEST = WITHIN[WITHIN.length - 1];
const LEAST_COUNT = 0.04;

const SIZES = [4, 8, 16, 32, 64, 128, 256, 512];
/** The size at which the laws meet the Gaussian one. */
const MEETING = 64;
const LEAST_GROWTH = 0.5;

/** The gap, in scores, within which the read-out counts: such a key has 1/e of the top weight or more. */
const GAP = 1;

/** Computes the data of both panels. @param {State} state @param {Context} context */
export function* competitorData(state, context) {
  const { memo, language } = context;
  const { dK, keys, seed, head } = state;
  /** @param {number} at */
  const sampleAt = (at) => ({
    dK,
    keys: at,
    seed,
    queries: queriesNow({ ...state, keys: at }, context),
  });
  const own = sampleAt(keys);
  const inputs = [dK, seed, state.queries];
  const gaps = () =>
    byPlace(memo, 'gap', { inputs: [...inputs, context.coarse], places: SIZES }, (at) => [
      gapOfOne(sampleAt(at)),
    ]);
  return {
    counts: yield* memo('counts', own, () => competitorCounts({ ...own, gaps: WITHIN })),
    gaps: yield* lastWhole(context, { name: 'gaps', inputs }, gaps),
    head: recorded[modelsOf(language)][HEADS.indexOf(head)],
  };
}

/**
 * Declares the two series of a panel: Gaussian scores, and the trained head.
 * @param {View} view
 * @param {{ gaussian: Partial<Series>, trained: Partial<Series> }} measured
 * @returns {Series[]}
 */
function bothSeries(view, { gaussian, trained }) {
  const { text: words } = view;
  return [
    { look: blueLook(view.palette, 'gaussian'), label: words.gaussian, size: 3, ...gaussian },
    { look: trainedLook(view), label: words.trainedLabel, name: trainedName(view), ...trained },
  ];
}

/** @param {View} view */
const trainedLook = ({ palette }) => ({
  ...greyLook(palette, 'trained'),
  marker: /** @type {const} */ ('triangle'),
});

/** @param {View} view */
const trainedName = (view) => {
  const { options, trainedHead } = view.text;
  return say(view, trainedHead, { head: options[/** @type {'1.1'} */ (view.state.head)] });
};

/** Returns the longest rows of the trained head. @param {View} view */
const longest = ({ data: { head } }) => head.sizes[head.sizes.length - 1];

/** Describes the panel of competitors within a gap. @param {View} view  @returns {Panel} */
export function competitorPanel(view) {
  const { state, data, text: words } = view;
  const { keys, deviation } = longest(view);
  const most = Math.max(state.keys, keys);
  const trained = GAPS.map((gap, i) => ({ x: gap / deviation, y: data.head.counts[i] }));
  return {
    title: words.competitorCurve,
    x: { ends: [0, WIDEST], ticks: [0, 1, 2, 3], name: words.gapAxis },
    y: {
      mapping: logarithmic,
      ends: [LEAST_COUNT, most],
      ticks: [0.1, 1, 10, 100].filter((tick) => tick <= most),
    },
    series: bothSeries(view, {
      gaussian: {
        measured: points(data.counts, { x: 'gap', y: 'count' }),
        theory: points(data.counts, { x: 'gap', y: 'theory' }),
      },
      trained: { measured: trained.filter(({ x }) => x <= WIDEST) },
    }),
  };
}

/** Describes the panel of the laws of growth. @param {View} view  @returns {Panel} */
export function growthPanel(view) {
  const { data, text: words, palette } = view;
  const { gaps, head } = data;
  const grey = { ...greyLook(palette, 'law'), colour: palette.folk };
  const meeting = gaps[SIZES.indexOf(MEETING)];
  const trained = points(head.sizes, { x: 'keys', y: ({ deviation, gap }) => deviation / gap });
  const laws = growthLaws({ keys: MEETING, value: 1 / meeting.theory }, SIZES);
  return {
    title: words.growthCurve,
    x: {
      mapping: logarithmic,
      ends: [SIZES[0], SIZES[SIZES.length - 1]],
      ticks: [4, 16, 64, 256],
      name: words.fields.keys,
    },
    y: { mapping: logarithmic, ends: [LEAST_GROWTH, 8], ticks: [0.5, 1, 2, 4, 8] },
    series: [
      ...laws.map(({ points: theory }, i) => ({
        look: grey,
        label: words.laws[GROWTH_POWERS[i]],
        theory: theory.filter(({ y }) => y >= LEAST_GROWTH),
        width: 1,
      })),
      ...bothSeries(view, {
        gaussian: {
          measured: points(gaps, { x: 'keys', y: ({ gap }) => 1 / gap }),
          theory: points(gaps, { x: 'keys', y: ({ theory }) => 1 / theory }),
        },
        trained: { measured: trained, end: trained[trained.length - 1] },
      }),
    ],
  };
}

/** Returns the numbers of the trained head, beside Gaussian scores as wide. @param {View} view @returns {ReadoutGroup} */
export function trainedGroup(view) {
  const { data, text: words, format } = view;
  const { keys, deviation } = longest(view);
  const dK = 1e9; // whose scores are normal
  const asWide = competitorsWithin(GAP, { dK, keys, factor: deviation / Math.sqrt(dK) });
  const count = data.head.counts[GAPS.indexOf(GAP)];
  return {
    series: trainedLook(view),
    label: trainedName(view),
    formula: `n = ${keys}, σ = ${format.significant(deviation)}`,
    rows: [line(words.competitors, format.significant, count, asWide)],
    measuredAs: words.recorded,
    theoryAs: words.asWide,
    errorAs: words.difference,
  };
}
