// The models of <attn-words>, one a language.

import { openModel } from '../../language/recorded/open.js';
import { readSentence } from '../common/read-sentence.js';

/**
 * @import { LoadedModel } from '../../language/index.js'
 * @import { Reading } from '../common/read-sentence.js'
 * @import { Language } from '../kit/state/language.js'
 */

/** @type {Map<Language, LoadedModel>} */
const models = new Map();

/** Fetches the model of a language. @param {Language} language */
export async function fetchModel(language) {
  models.set(language, await openModel(language));
}

/**
 * Lets the model of a language read a sentence.
 * @param {Language} language  whose model has been fetched
 * @param {string} sentence
 * @returns {Reading & { scale: number, parameters: number }}
 */
export function read(language, sentence) {
  const model = /** @type {LoadedModel} */ (models.get(language));
  return {
    ...readSentence(model, sentence),
    scale: model.config.scale,
    parameters: Object.values(model.parameters).reduce((sum, { data }) => sum + data.length, 0),
  };
}
