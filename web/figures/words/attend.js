// What a head of a recorded model attends to in a sentence, by words.

import { entropy, softmax } from '../../attention/index.js';

/**
 * @import { LayerAttention } from '../../language/index.js'
 * @typedef {{ text: string, first: number, last: number }} Word  first and last: its tokens
 * @typedef {{ text: string, weight: number, unscaled: number }} Weighed
 * @typedef {{ words: Weighed[], chosen: number, factor: number, entropyRatio: number,
 *   unscaledRatio: number, isCut: boolean }} Row chosen: from 0; the last words come after it
 */

/** The most words that a figure shows, which is the end of its slider. */
export const MOST_WORDS = 24;

/** Returns the kind of a piece's first or last character. @param {string} character */
const kindOf = (character) => (/[\p{L}\p{N}'’<>]/u.test(character) ? 'word' : 'sign');

/**
 * Groups the pieces of a text into words: a model for English has parts of words. Chinese characters
 * stand alone.
 * @param {readonly string[]} pieces
 * @returns {Word[]}
 */
export function wordsOf(pieces) {
  /** @type {Word[]} */
  const words = [];
  pieces.forEach((piece, index) => {
    const word = words.at(-1);
    const isNext =
      !word ||
      /^\s/.test(piece) ||
      /\p{Script=Han}/u.test(piece) ||
      kindOf(piece[0]) !== kindOf(word.text[word.text.length - 1]);
    if (isNext) words.push({ text: piece.trim(), first: index, last: index });
    else Object.assign(word, { text: word.text + piece, last: index });
  });
  return words;
}

/**
 * Returns the weights of a query, with the scores multiplied by a factor.
 * @param {Float32Array} scores  of the keys that the query sees
 * @param {number} factor
 */
const weigh = (scores, factor) => softmax(Float32Array.from(scores, (score) => factor * score));

/**
 * Returns the row of the chosen word: how its query weighs the words up to it.
 * @param {LayerAttention} layer
 * @param {readonly Word[]} words
 * @param {{ head: number, chosen: number, factor: number, scale: number }} options  scale: of the scores,
 *   which is left out for comparison
 * @returns {Pick<Row, 'words' | 'entropyRatio' | 'unscaledRatio'>}
 */
export function attend({ scores }, words, { head, chosen, factor, scale }) {
  const n = scores.shape[3];
  const query = words[chosen].last;
  const start = (head * n + query) * n;
  const seen = scores.data.subarray(start, start + query + 1);
  const [weights, unscaled] = [weigh(seen, factor), weigh(seen, 1 / scale)];
  const sumOf = (/** @type {Float32Array} */ data, /** @type {Word} */ { first, last }) =>
    data.subarray(first, last + 1).reduce((a, b) => a + b, 0);
  const ratio = (/** @type {typeof weights} */ p) => entropy(p).data[0] / Math.log(query + 1);
  return {
    words: words.map((word) => ({
      text: word.text,
      weight: sumOf(weights.data, word),
      unscaled: sumOf(unscaled.data, word),
    })),
    entropyRatio: ratio(weights),
    unscaledRatio: ratio(unscaled),
  };
}
