// The names of queries and keys: their tokens as one line each, else their numbers.

import { times } from '../../shared/times.js';

/** Longest label, in characters. */
const LONGEST = 14;

/** What stands for characters that leave no mark. @type {Record<string, string>} */
const VISIBLE = { '\n': '⏎', '\r': '⏎', '\t': '⇥' };

/**
 * Returns a token as a label.
 * @param {string} token  which may be anything
 */
export function labelOf(token) {
  const visible = token.replace(/[\n\r\t]/g, (character) => VISIBLE[character]).trim();
  const characters = [...(visible || '␣')];
  return characters.length > LONGEST
    ? `${characters.slice(0, LONGEST - 1).join('')}…`
    : characters.join('');
}

/**
 * Returns the labels of all queries or keys.
 * @param {readonly string[] | undefined} tokens
 * @param {number} count
 */
export const labelsOf = (tokens, count) =>
  tokens ? tokens.map(labelOf) : times(count, (i) => String(i + 1));
