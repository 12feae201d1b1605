// What the trained models of the figures have near the largest score of a row.
import { openModel, openText } from '../language/recorded/open.js';
import { measureCompetitors } from '../language/recorded/measure.js';
import { times } from '../shared/times.js';

/** @import { Lang } from './configs.js' */

/** Windows of text in which heads are measured. */
const WINDOWS = 256;

/** Opens the model that was trained with 1/√d_k, and the beginning of the text that it has read. @param {Lang} lang */
export async function openWindows(lang) {
  const model = await openModel(lang);
  const text = Array.from(await openText(lang));
  const { context } = model.config;
  return { model, windows: times(WINDOWS, (i) => text.slice(i * context, (i + 1) * context)) };
}

/** Measures the model on the beginning of its text. @param {Lang} lang */
export async function competitorsOf(lang) {
  const { model, windows } = await openWindows(lang);
  return measureCompetitors(model, windows);
}
