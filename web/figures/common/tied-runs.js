// A tied and an untied model, each trained several times.

import * as statistics from '../../experiments/statistics.js';
import { blueLook, orangeLook } from '../kit/chart/looks.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { AnyView } from '../kit/spec.js'
 */

/** @typedef {'tied' | 'untied'} Model */

/** @type {readonly Model[]} */
export const MODELS = ['tied', 'untied'];

/** Returns the looks of the two models. @param {Palette} palette @returns {Record<Model, Look>} */
export const seriesOf = (palette) => ({
  tied: orangeLook(palette, 'tied'),
  untied: blueLook(palette, 'untied'),
});

/** Returns the median of runs as a point, with the smallest and the largest. @param {number[]} values */
export function spread(values) {
  const { middle: y, ...ends } = statistics.spread(values);
  return { y, ...ends };
}

/**
 * Groups the rows of one model by steps that all of its runs have reached.
 * @template {{ step: number, seed: number }} Row
 * @param {readonly Row[]} rows
 */
export function bySteps(rows) {
  const runs = new Set(rows.map(({ seed }) => seed)).size;
  return [...new Set(rows.map(({ step }) => step))]
    .map((step) => ({ step, runs, at: rows.filter((row) => row.step === step) }))
    .filter(({ at }) => at.length === runs);
}

/** Returns the name of a column of medians. @param {AnyView} view @param {number} runs */
export const medianOf = (view, runs) =>
  runs === 1 ? view.text.oneRun : say(view, view.text.runs, { runs });
