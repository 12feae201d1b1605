// What a recorded model makes of a sentence; loaded with the models.

import { attentionOf } from '../../language/index.js';
import { verbatim } from '../kit/state/verbatim.js';
import { MOST_WORDS, UNKNOWN, wordsOf } from './words-of-pieces.js';

/**
 * @import { LayerAttention } from '../../language/index.js'
 * @import { RecordedModel } from '../../language/recorded/open.js'
 * @import { Word } from './words-of-pieces.js'
 * @typedef {{ words: Word[], pieces: string[], layers: LayerAttention[], isCut: boolean }} Reading
 *   words: what the reader has typed, which is no formula; pieces: the tokens that were read
 */

/**
 * Lets a model read a sentence, as far as it has room.
 * @param {RecordedModel} model
 * @param {string} sentence
 * @returns {Reading}
 */
export function readSentence({ config, parameters, tokenizer }, sentence) {
  const { encode, decode, pieces } = tokenizer;
  const tokens = encode(sentence);
  const characters = [...sentence];
  const all = wordsOf(tokens.map((token) => pieces[token]));
  const end = config.context - 1;
  const words = all
    .filter(({ first }, i) => i < MOST_WORDS && first <= end)
    .map(({ first, last: given }) => {
      const last = Math.min(given, end);
      // Only a vocabulary of characters has unknown ones, and a token for each.
      if (pieces[tokens[first]] === UNKNOWN) {
        return { first, last, text: verbatim(characters[first]), isUnknown: true };
      }
      return { first, last, text: verbatim(decode(tokens.slice(first, last + 1)).trim()) };
    });
  const kept = tokens.slice(0, words[words.length - 1].last + 1);
  return {
    words,
    pieces: kept.map((token) => pieces[token]),
    layers: attentionOf({ config, parameters }, kept),
    isCut: kept.length < tokens.length,
  };
}

/** Returns the number of a model's parameters. @param {RecordedModel} model */
export const sizeOf = ({ parameters }) =>
  Object.values(parameters).reduce((sum, { data }) => sum + data.length, 0);
