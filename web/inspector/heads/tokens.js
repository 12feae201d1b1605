// The names of queries and keys: their tokens as one line each, else their numbers. Tokens are text that may
// be anything: what cannot be seen gets a sign, a character that is seen as one is not cut, and `x_i` is no
// formula.

import { times } from '../../shared/times.js';
import { verbatim } from '../../figures/kit/state/verbatim.js';

/** Longest label, in characters as the eye counts them. */
const LONGEST = 14;
/** How much of a token is looked at: a token may be a megabyte. */
const MOST_READ = 400;
/** Labels that need no look. */
const PLAIN = /^[!-^`-~]{1,14}$/;
/** What leaves no mark: controls, formats, halves of pairs, spaces. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+$/u;
/** @type {Record<string, string>} */
const SIGNS = { '\n': '⏎', '\r': '⏎', '\r\n': '⏎', '\t': '⇥', ' ': '␣', '\x7f': '␡' };

const segmenter = Intl.Segmenter && new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the characters of a text as the eye counts them; code points where the engine does not know. @param {string} text */
const charactersOf = (text) =>
  segmenter ? [...segmenter.segment(text)].map(({ segment }) => segment) : [...text];

/** Returns a character, or a sign for one that leaves no mark. @param {string} character */
function signOf(character) {
  if (!UNSEEN.test(character)) return character;
  return SIGNS[character] ?? [...character].map(nameOf).join('');
}

/** Returns the sign of a control character, and the number of any other. @param {string} character */
function nameOf(character) {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return SIGNS[character] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Returns a token as a label.
 * @param {string} token  which may be anything
 * @param {boolean} [showsSpaces]  also those at its ends
 */
export function labelOf(token, showsSpaces = false) {
  if (PLAIN.test(token)) return token;
  const inner = showsSpaces ? token : withoutEnds(token);
  const characters = charactersOf((inner || token || '∅').slice(0, MOST_READ));
  const last = characters.length - 1;
  const seen = characters.map((character, i) =>
    character === ' ' && inner && i > 0 && i < last ? character : signOf(character),
  );
  return verbatim(
    seen.length > LONGEST || token.length > MOST_READ
      ? `${seen.slice(0, LONGEST - 1).join('')}…`
      : seen.join(''),
  );
}

/** Returns a token without the spaces at its ends. @param {string} token */
const withoutEnds = (token) => token.replace(/^ +/, '').replace(/ +$/, '');

/**
 * Returns the labels of all queries or keys: spaces at the ends are shown where they tell two tokens apart.
 * @param {readonly string[] | undefined} tokens
 * @param {number} count
 */
export function labelsOf(tokens, count) {
  if (!tokens) return times(count, (i) => String(i + 1));
  /** @type {Map<string, string>} */
  const first = new Map();
  /** @type {Set<string>} */
  const alike = new Set();
  const inner = tokens.map(withoutEnds);
  inner.forEach((text, i) => {
    if ((first.get(text) ?? tokens[i]) !== tokens[i]) alike.add(text);
    first.set(text, tokens[i]);
  });
  return tokens.map((token, i) => labelOf(token, alike.has(inner[i])));
}
