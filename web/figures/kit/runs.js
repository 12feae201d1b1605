// A tied and an untied model, each trained several times.

import * as statistics from '../../experiments/statistics.js';
import { blueSeries, orangeSeries } from './chart.js';
import { say } from './words.js';

/** @typedef {'tied' | 'untied'} Model */
/** @typedef {ReturnType<typeof spread>} Spread */

export const MODELS = /** @type {const} */ (['tied', 'untied']);

/** @param {import('./palette.js').Palette} palette  @returns {Record<Model, import('./chart.js').Series>} */
export const seriesOf = (palette) => ({
  tied: orangeSeries(palette, 'tied'),
  untied: blueSeries(palette, 'untied'),
});

/** The median as a point, and how far runs reach. @param {number[]} values */
export function spread(values) {
  const { middle: y, ...ends } = statistics.spread(values);
  return { y, ...ends };
}

/**
 * The rows of one model step by step, as far as all of its runs have come.
 * @template {{ step: number, seed: number }} Row
 * @param {readonly Row[]} rows
 */
export function bySteps(rows) {
  const runs = new Set(rows.map(({ seed }) => seed)).size;
  return [...new Set(rows.map(({ step }) => step))]
    .map((step) => ({ step, runs, at: rows.filter((row) => row.step === step) }))
    .filter(({ at }) => at.length === runs);
}

/** What a column of medians is called. @param {import('./spec.js').View<any, any>} view  @param {number} runs */
export const medianOf = (view, runs) =>
  runs === 1 ? view.text.oneRun : say(view, view.text.runs, { runs });
