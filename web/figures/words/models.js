// The models of <attn-words>, one a language, and what they make of sentences.

import { attentionOf } from '../../language/index.js';
import { openModel } from '../../language/recorded/open.js';
import { MOST_WORDS, wordsOf } from './attend.js';

/**
 * @import { LayerAttention, LoadedModel } from '../../language/index.js'
 * @import { Language } from '../kit/language.js'
 * @import { Word } from './attend.js'
 * @typedef {{ words: Word[], layers: LayerAttention[], scale: number, isCut: boolean,
 *   parameters: number }} Reading
 */

/** @type {Map<Language, LoadedModel>} */
const models = new Map();

/** Fetches the model of a language. @param {Language} language */
export async function fetchModel(language) {
  models.set(language, await openModel(`${language}-sqrt-1500`));
}

/**
 * Lets the model of a language read a sentence.
 * @param {Language} language  whose model has been fetched
 * @param {string} sentence
 * @returns {Reading}
 */
export function read(language, sentence) {
  const { config, parameters, tokenizer } = /** @type {LoadedModel} */ (models.get(language));
  const { encode, decode, pieces } = /** @type {NonNullable<typeof tokenizer>} */ (tokenizer);
  const tokens = encode(sentence);
  const all = wordsOf(tokens.map((token) => pieces[token]));
  const end = config.context - 1;
  const words = all
    .filter(({ first }, i) => i < MOST_WORDS && first <= end)
    .map(({ first, last: given }) => {
      const last = Math.min(given, end);
      return { first, last, text: decode(tokens.slice(first, last + 1)).trim() };
    });
  const kept = tokens.slice(0, words[words.length - 1].last + 1);
  return {
    words,
    layers: attentionOf({ config, parameters }, kept),
    scale: config.scale,
    parameters: Object.values(parameters).reduce((sum, { data }) => sum + data.length, 0),
    isCut: kept.length < tokens.length,
  };
}
