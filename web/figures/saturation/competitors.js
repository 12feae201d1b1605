// The competitors of the largest score in <attn-saturation>, in place of its fourth panel: how many keys lie
// within a gap below it, and by which law the gap with one of them shrinks as keys are added; Gaussian
// scores, and those of a trained head.

import {
  competitorCounts,
  competitorGaps,
  GROWTH_POWERS,
  growthLaws,
} from '../../experiments/index.js';
import recorded from '../../language/recorded/competitors.js';
import { GAPS } from '../../language/recorded/gaps.js';
import { competitorsWithin } from '../../theory/index.js';
import { ofSeries, nameOf, seriesOf } from '../common/factors.js';
import { dots, marks, segment, theoryLine } from '../kit/chart/chart.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { blueSeries, greySeries } from '../kit/chart/series.js';
import { line, say } from '../kit/state/words.js';

/**
 * @import { Series } from '../kit/chart/chart.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { ReadoutGroup } from '../kit/spec.js'
 * @import { TidyRow } from '../kit/shell/download.js'
 * @import { Language } from '../kit/state/language.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { SaturationOptions } from '../../experiments/saturation.js'
 * @import { View } from './element.js'
 */

/** What the fourth panel shows. */
export const LOWER = /** @type {const} */ (['entropy', 'competitors', 'growth']);
/** The trained heads, layer and head. */
export const HEADS = /** @type {const} */ (['none', '1-1', '1-2', '2-1', '2-2']);

/** The gap, in scores, within which the read-out counts: such a key has 1/e of the top weight or more. */
const GAP = 1;
const LEAST_COUNT = 0.1;

const SIZES = [4, 8, 16, 32, 64, 128, 256, 512];
const GROWTH = { least: 1, most: 16, ticks: [1, 2, 4, 8, 16] };
/** The size at which the laws meet the Gaussian one. */
const MEETING = 64;

/**
 * Returns what was recorded of a head of the model in a language.
 * @param {string} name
 * @param {Language} language
 */
export function trainedHead(name, language) {
  if (name === 'none') return undefined;
  const [layer, head] = name.split('-').map(Number);
  const found = recorded[language].find(
    (each) => each.layer === layer - 1 && each.head === head - 1,
  );
  if (!found) return undefined;
  return { ...found, longest: found.sizes[found.sizes.length - 1] };
}

/** Counts competitors for the panel. @param {SaturationOptions} setting */
export const countsOf = (setting) => competitorCounts({ ...setting, gaps: GAPS });

/** Measures gaps for the panel. @param {{ dK: number, queries: number, seed: number }} setting */
export const gapsOf = (setting) => competitorGaps({ ...setting, sizes: SIZES });

/** Returns the look of a trained head. @param {Palette} palette  @returns {Series} */
const trainedSeries = (palette) => ({ ...greySeries(palette, 'trained'), marker: 'triangle' });

/** Returns the name of the trained head. @param {View} view */
function trainedName(view) {
  const [layer, head] = view.state.head.split('-');
  return say(view, view.text.trainedHead, { layer, head });
}

/** Describes the panel of competitors within a gap. @param {View} view  @returns {Panel} */
export function competitorPanel(view) {
  const { state, data, text: words, palette } = view;
  const { counts, trained } = data;
  const most = Math.max(state.keys, trained?.longest.keys ?? 0);
  const look = trainedSeries(palette);
  const inSight = (/** @type {number} */ count) => Math.max(LEAST_COUNT, count);
  const series = seriesOf(palette).map((each) => {
    const rows = ofSeries(counts, each);
    const [measured, theory] = /** @type {const} */ (['count', 'theory']).map((column) =>
      rows.map((row) => ({ x: row.gap, y: inSight(row[column]) })),
    );
    return { series: each, measured, theory, last: theory[theory.length - 1] };
  });
  return {
    title: words.competitorCurve,
    x: { ends: [0, 8], ticks: [0, 2, 4, 6, 8], name: words.gapAxis },
    y: {
      mapping: logarithmic,
      ends: [LEAST_COUNT, most],
      ticks: [0.1, 1, 10, 100].filter((tick) => tick <= most),
    },
    margin: { left: 36 },
    ends: [
      ...series.map(({ series: each, last }) => ({
        y: last.y,
        label: nameOf(view, each.key),
        series: each,
      })),
      ...(trained
        ? [{ y: trained.counts[GAPS.length - 1], label: words.trained, series: look }]
        : []),
    ],
    marks: ({ box, x, y }) => [
      segment({ x1: x(GAP), x2: x(GAP), y1: box.top, y2: box.bottom }, palette.muted, {
        dash: '2 3',
      }),
      series.map(({ series: each, measured, theory }) => [
        theoryLine(theory, { x, y, series: each }),
        dots(measured, { x, y, series: each, radius: 3 }),
      ]),
      trained &&
        marks(
          look,
          GAPS.map((gap, i) => [x(gap), y(inSight(trained.counts[i]))]),
        ),
    ],
  };
}

/** Describes the panel of the laws of growth. @param {View} view  @returns {Panel} */
export function growthPanel(view) {
  const { data, text: words, palette } = view;
  const { gaps, trained } = data;
  const gaussian = blueSeries(palette, 'gaussian');
  const grey = { ...greySeries(palette, 'law'), colour: palette.folk };
  const look = trainedSeries(palette);
  const inSight = (/** @type {number} */ value) =>
    Math.min(GROWTH.most, Math.max(GROWTH.least, value));
  const exact = gaps.map(({ keys, theory }) => ({ x: keys, y: inSight(1 / theory) }));
  const meeting = gaps.find(({ keys }) => keys === MEETING);
  const laws = growthLaws({ keys: MEETING, value: 1 / (meeting?.theory ?? 1) }, SIZES);
  const sizes = trained?.sizes ?? [];
  return {
    title: words.growthCurve,
    x: {
      mapping: logarithmic,
      ends: [SIZES[0], SIZES[SIZES.length - 1]],
      ticks: [4, 16, 64, 256],
      name: words.keysAxis,
    },
    y: { mapping: logarithmic, ends: [GROWTH.least, GROWTH.most], ticks: GROWTH.ticks },
    ends: [
      ...laws.map(({ points }, i) => ({
        y: inSight(points[points.length - 1].y),
        label: words.laws[GROWTH_POWERS[i]],
        series: grey,
      })),
      { y: exact[exact.length - 1].y, label: words.gaussian, series: gaussian },
      ...sizes.slice(-1).map(({ keys, deviation, gap }) => {
        return { x: keys, y: inSight(deviation / gap), label: words.trained, series: look };
      }),
    ],
    marks: ({ x, y }) => [
      laws.map(({ points }) =>
        theoryLine(
          points.filter((point) => point.y >= GROWTH.least),
          { x, y, series: grey, width: 1 },
        ),
      ),
      theoryLine(exact, { x, y, series: gaussian }),
      dots(
        gaps.map(({ keys, gap }) => ({ x: keys, y: inSight(1 / gap) })),
        { x, y, series: gaussian, radius: 3 },
      ),
      marks(
        look,
        sizes.map(({ keys, deviation, gap }) => [x(keys), y(inSight(deviation / gap))]),
      ),
    ],
  };
}

/** Returns the numbers of the trained head, beside Gaussian scores as wide. @param {View} view */
export function trainedGroup(view) {
  const { data, text: words, format, palette } = view;
  const { trained } = data;
  if (!trained) return [];
  const { keys, deviation } = trained.longest;
  const dK = 1e9; // whose scores are normal
  const law = { dK, keys, factor: deviation / Math.sqrt(dK) };
  const row = line(
    words.competitors,
    format.significant,
    trained.counts[GAPS.indexOf(GAP)],
    competitorsWithin(GAP, law),
  );
  /** @type {ReadoutGroup} */
  const group = {
    series: trainedSeries(palette),
    label: trainedName(view),
    formula: `n = ${keys}, σ = ${format.significant(deviation)}`,
    rows: [row],
    measuredAs: words.recorded,
    theoryAs: words.asWide,
    errorAs: words.difference,
  };
  return [group];
}

/** Returns the data of the panels as rows of a table. @param {View} view  @returns {TidyRow[]} */
export function competitorRows(view) {
  const { state, data, text: words } = view;
  const { counts, gaps, trained } = data;
  const name = trained ? trainedName(view) : '';
  const near = { panel: words.competitorCurve, across: words.gapAxis };
  const growth = { panel: words.growthCurve, across: 'n' };
  const ofTrained = {
    entropy: () => [],
    competitors: () =>
      trained?.counts.map((measured, i) => ({ ...near, series: name, x: GAPS[i], measured })),
    growth: () =>
      trained?.sizes.map(({ keys, deviation, gap }) => {
        return { ...growth, series: name, x: keys, measured: deviation / gap };
      }),
  };
  return [
    ...counts.map(({ scaling, gap, count, theory }) => {
      return { ...near, series: nameOf(view, scaling), x: gap, measured: count, theory };
    }),
    ...gaps.map(({ keys, gap, theory }) => {
      const series = words.gaussian;
      return { ...growth, series, x: keys, measured: 1 / gap, theory: 1 / theory };
    }),
    ...(ofTrained[state.lower]() ?? []),
  ];
}
