// Words of the pieces that a model reads.

/** @typedef {{ text: string, first: number, last: number, isUnknown?: boolean }} Word  first and last: its tokens;
 *   isUnknown: a sign that the model has never read */

/** The most words that a figure shows, which is the end of its slider. */
export const MOST_WORDS = 24;

/** The piece of a sign that a vocabulary of characters lacks. */
export const UNKNOWN = '\uFFFD';

/** Returns the kind of a piece's first or last character. @param {string} character */
const kindOf = (character) => (/[\p{L}\p{N}'’<>\uFFFD]/u.test(character) ? 'word' : 'sign');

/**
 * Groups the pieces of a text into words: a model for English has parts of words. Chinese characters and unknown
 * signs stand alone.
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
      /\p{Script=Han}|\uFFFD/u.test(piece) ||
      kindOf(piece[0]) !== kindOf(word.text[word.text.length - 1]);
    if (isNext) words.push({ text: piece.trim(), first: index, last: index });
    else Object.assign(word, { text: word.text + piece, last: index });
  });
  return words;
}
