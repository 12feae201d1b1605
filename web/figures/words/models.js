// The models of <attn-words>, one a language.

import { openModel } from '../../language/recorded/open.js';
import { readSentence, sizeOf } from '../common/read-sentence.js';

/**
 * @import { RecordedModel } from '../../language/recorded/open.js'
 * @import { Reading } from '../common/read-sentence.js'
 * @import { Language } from '../kit/state/language.js'
 */

/** The fetched models by language. @type {Record<string, RecordedModel>} */
const models = {};

/** Fetches the model of a language. @param {Language} language */
export async function fetchModel(language) {
  models[language] = await openModel(language);
}

/**
 * Lets the model of a language read a sentence.
 * @param {Language} language  whose model has been fetched
 * @param {string} sentence
 * @returns {Reading & { scale: number, parameters: number }}
 */
export function read(language, sentence) {
  const model = models[language];
  return {
    ...readSentence(model, sentence),
    scale: model.config.scale,
    parameters: sizeOf(model),
  };
}
