// What a head of a recorded model attends to in a sentence, by words.

import { entropy, softmax } from '../../attention/index.js';

/**
 * @import { LayerAttention } from '../../language/index.js'
 * @import { Word } from '../common/words-of-pieces.js'
 * @typedef {{ text: string, weight: number, unscaled: number }} Weighed
 * @typedef {{ words: Weighed[], chosen: number, factor: number, entropyRatio: number,
 *   unscaledRatio: number, isCut: boolean }} Row chosen: from 0; the last words come after it
 */

/**
 * Returns the weights of a query, with the scores multiplied by a factor.
 * @param {ArrayLike<number>} scores  of the keys that the query sees
 * @param {number} factor
 */
const weigh = (scores, factor) => softmax(Float32Array.from(scores, (score) => factor * score));

/** @typedef {(token: number) => ArrayLike<number>} RowOf returns a token's scores with the tokens up to it */

/**
 * Returns the rows of a head.
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
 * Returns the row of the chosen word: how its query weighs the words up to it.
 * @param {RowOf} rowOf
 * @param {readonly Word[]} words
 * @param {{ chosen: number, factor: number, scale: number }} options  scale: of the scores, which is left
 *   out for comparison
 * @returns {Pick<Row, 'words' | 'entropyRatio' | 'unscaledRatio'>}
 */
export function attend(rowOf, words, { chosen, factor, scale }) {
  const query = words[chosen].last;
  const seen = rowOf(query);
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
