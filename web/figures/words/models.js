// The models of <attn-words>, one a language.

import { openModel } from '../../language/recorded/open.js';
import { readSentence, sizeOf } from '../common/read-sentence.js';

/**
 * @import { Reading } from '../common/read-sentence.js'
 * @import { Language } from '../kit/state/language.js'
 * @typedef {{ read: (sentence: string) => Reading & { scale: number, parameters: number } }} Reader
 */

/**
 * Fetches the model of a language, to read sentences.
 * @param {Language} language
 * @returns {Promise<Reader>}
 */
export async function openReader(language) {
  const model = await openModel(language);
  const about = { scale: model.config.scale, parameters: sizeOf(model) };
  return { read: (sentence) => ({ ...readSentence(model, sentence), ...about }) };
}
