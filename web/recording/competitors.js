// What the trained models of the figures have near the largest score of a row.
import { openModel, openText } from '../language/recorded/open.js';
import { measureCompetitors } from '../language/recorded/measure.js';
import { times } from '../shared/times.js';

/** @import { Lang } from './configs.js' */

const WINDOWS = 256;

/**
 * Measures the model that was trained with 1/√d_k, on the beginning of the text that it has read.
 * @param {Lang} lang
 */
export async function competitorsOf(lang) {
  const model = await openModel(lang);
  const text = Array.from(await openText(lang));
  const { context } = model.config;
  const windows = times(WINDOWS, (i) => text.slice(i * context, (i + 1) * context));
  return measureCompetitors(model, windows);
}
