// The competitors of the largest score in <attn-saturation>, in place of its fourth panel: how many keys lie
// within a gap below it, and by which law the gap with one of them shrinks as keys are added; Gaussian
// scores, and those of a trained head.

import {
  competitorCounts,
  competitorGaps,
  GROWTH_POWERS,
  growthLaws,
} from '../../experiments/competitors.js';
import recorded from '../../language/recorded/competitors.js';
import { GAPS } from '../../language/recorded/gaps.js';
import { modelsOf } from '../../shared/languages.js';
import { competitorsWithin } from '../../theory/precision.js';
import { ofSeries, nameOf, seriesOf } from '../common/factors.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { points } from '../kit/chart/series.js';
import { line, say } from '../kit/state/words.js';
import { blueLook, greyLook } from '../kit/chart/looks.js';

/**
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Series } from '../kit/chart/series.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { ReadoutGroup } from '../kit/spec.js'
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
  const found = recorded[modelsOf(language)].find(
    (each) => each.layer === layer - 1 && each.head === head - 1,
  );
  if (!found) return undefined;
  return { ...found, longest: found.sizes[found.sizes.length - 1] };
}

/** Counts competitors for the panel. @param {SaturationOptions} setting */
export const countsOf = (setting) => competitorCounts({ ...setting, gaps: GAPS });

/** Measures gaps for the panel. @param {{ dK: number, queries: number, seed: number }} setting */
export const gapsOf = (setting) => competitorGaps({ ...setting, sizes: SIZES });

/** Returns the look of a trained head. @param {Palette} palette  @returns {Look} */
const trainedLook = (palette) => ({ ...greyLook(palette, 'trained'), marker: 'triangle' });

/** Returns the name of the trained head. @param {View} view */
function trainedName(view) {
  const [layer, head] = view.state.head.split('-');
  return say(view, view.text.trainedHead, { layer, head });
}

/**
 * Declares the numbers of the trained head, where one is chosen.
 * @param {View} view
 * @param {(trained: NonNullable<View['data']['trained']>) => Partial<Series>} measured
 * @returns {Series[]}
 */
function trainedSeries(view, measured) {
  const { data, text: words, palette } = view;
  if (!data.trained) return [];
  const naming = { look: trainedLook(palette), label: words.trained, name: trainedName(view) };
  return [{ ...naming, ...measured(data.trained) }];
}

/** Describes the panel of competitors within a gap. @param {View} view  @returns {Panel} */
export function competitorPanel(view) {
  const { state, data, text: words, palette } = view;
  const { counts, trained } = data;
  const most = Math.max(state.keys, trained?.longest.keys ?? 0);
  return {
    title: words.competitorCurve,
    x: { ends: [0, 8], ticks: [0, 2, 4, 6, 8], name: words.gapAxis },
    y: {
      mapping: logarithmic,
      ends: [LEAST_COUNT, most],
      ticks: [0.1, 1, 10, 100].filter((tick) => tick <= most),
    },
    margin: { left: 36 },
    rule: GAP,
    series: [
      ...seriesOf(palette).map((look) => ({
        look,
        label: nameOf(view, look.key),
        measured: points(ofSeries(counts, look), { x: 'gap', y: 'count' }),
        size: 3,
        theory: points(ofSeries(counts, look), { x: 'gap', y: 'theory' }),
      })),
      ...trainedSeries(view, ({ counts: own }) => ({
        measured: own.map((y, i) => ({ x: GAPS[i], y })),
      })),
    ],
  };
}

/** Describes the panel of the laws of growth. @param {View} view  @returns {Panel} */
export function growthPanel(view) {
  const { data, text: words, palette } = view;
  const { gaps } = data;
  const grey = { ...greyLook(palette, 'law'), colour: palette.folk };
  const meeting = gaps.find(({ keys }) => keys === MEETING);
  const laws = growthLaws({ keys: MEETING, value: 1 / (meeting?.theory ?? 1) }, SIZES);
  return {
    title: words.growthCurve,
    x: {
      mapping: logarithmic,
      ends: [SIZES[0], SIZES[SIZES.length - 1]],
      ticks: [4, 16, 64, 256],
      name: words.keysAxis,
    },
    y: { mapping: logarithmic, ends: [GROWTH.least, GROWTH.most], ticks: GROWTH.ticks },
    series: [
      ...laws.map(({ points: theory }, i) => ({
        look: grey,
        label: words.laws[GROWTH_POWERS[i]],
        theory: theory.filter(({ y }) => y >= GROWTH.least),
        width: 1,
      })),
      {
        look: blueLook(palette, 'gaussian'),
        label: words.gaussian,
        measured: points(gaps, { x: 'keys', y: ({ gap }) => 1 / gap }),
        size: 3,
        theory: points(gaps, { x: 'keys', y: ({ theory }) => 1 / theory }),
      },
      ...trainedSeries(view, ({ sizes }) => {
        const measured = points(sizes, { x: 'keys', y: ({ deviation, gap }) => deviation / gap });
        return { measured, end: measured[measured.length - 1] };
      }),
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
    series: trainedLook(palette),
    label: trainedName(view),
    formula: `n = ${keys}, σ = ${format.significant(deviation)}`,
    rows: [row],
    measuredAs: words.recorded,
    theoryAs: words.asWide,
    errorAs: words.difference,
  };
  return [group];
}
