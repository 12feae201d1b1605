// What a head of a model attends to in a sentence, by words.

import { entropy, softmax } from '../../attention/index.js';

/**
 * @import { LayerAttention } from '../../language/index.js'
 * @import { Word } from '../common/words-of-pieces.js'
 * @typedef {{ text: string, weight: number, unscaled: number, tokens: number, isUnknown?: boolean }} Weighed
 *   tokens: how many it is; isUnknown: a sign that the model has never read
 * @typedef {{ words: Weighed[], seen: number, tokens: number, entropyRatio: number, unscaledRatio: number }} Row
 *   seen: the number of words that the query sees, the first ones; tokens: theirs
 */

/**
 * Returns the weights of a query, with the scores multiplied by a factor.
 * @param {ArrayLike<number>} scores  of the keys that the query sees
 * @param {number} factor
 */
const weigh = (scores, factor) => softmax(Float32Array.from(scores, (score) => factor * score));

/** @typedef {(token: number) => ArrayLike<number>} RowOf returns a token's scores with the tokens that it sees */

/**
 * Returns the rows of a head that reads from left to right.
 * @param {LayerAttention} layer
 * @param {number} head
 * @returns {RowOf}
 */
export function rowsOfHead({ scores }, head) {
  const n = scores.shape[3];
  return (token) => {
    const start = (head * n + token) * n;
    return scores.data.subarray(start, start + token + 1);
  };
}

/**
 * Returns the row of the chosen word: how its query weighs the words that it sees.
 * @param {RowOf} rowOf
 * @param {readonly Word[]} words
 * @param {{ chosen: number, divisor: number, scale: number }} options  divisor: of the products of queries and keys;
 *   scale: of the scores, instead of which they are divided
 * @returns {Row}
 */
export function attend(rowOf, words, { chosen, divisor, scale }) {
  const row = rowOf(words[chosen].last);
  const [weights, unscaled] = [weigh(row, 1 / (divisor * scale)), weigh(row, 1 / scale)];
  const sumOf = (/** @type {Float32Array} */ data, /** @type {Word} */ { first, last }) =>
    data.subarray(first, last + 1).reduce((a, b) => a + b, 0);
  const ratio = (/** @type {typeof weights} */ p) => entropy(p).data[0] / Math.log(row.length);
  return {
    words: words.map((word) => ({
      text: word.text,
      weight: sumOf(weights.data, word),
      unscaled: sumOf(unscaled.data, word),
      tokens: word.last - word.first + 1,
      ...(word.isUnknown && { isUnknown: true }),
    })),
    seen: words.filter(({ last }) => last < row.length).length,
    tokens: row.length,
    entropyRatio: ratio(weights),
    unscaledRatio: ratio(unscaled),
  };
}
