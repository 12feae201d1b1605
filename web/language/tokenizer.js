/**
 * Tokenizers made from a text: byte pairs inside words (Sennrich, Haddow & Birch, "Neural machine
 * translation of rare words with subword units", 2016), or characters.
 *
 * Pairs begin with the characters of the text, the most frequent ones if there are too many. Any other
 * character is written as its bytes of UTF-8, two pieces a byte, so every text comes back as it was.
 */
import { DTypeError, reject } from '../attention/errors.js';
import { readEntries, readInteger, readOptions } from '../attention/options.js';
import { times } from '../shared/times.js';
import { bytesOf, textOf } from './utf8.js';
import { learnMerges, mergeWord } from './merges.js';

/**
 * @typedef {object} Tokenizer
 * @property {(text: string) => number[]} encode returns the tokens of a text
 * @property {(tokens: ArrayLike<number>) => string} decode returns the text of tokens
 * @property {readonly string[]} pieces the text of each token; their number is the vocabulary
 * @property {() => SavedTokenizer} toJSON returns the data from which loadTokenizer makes it again
 */

/**
 * @typedef {{ kind: 'pairs' | 'characters', characters: string | string[], merges: [number, number][] }} SavedTokenizer
 *   characters as one text, or as a list where a text would join two of them
 */

/** Pieces for the halves of a byte; what cannot be shown otherwise. */
const HALVES = 16;
const halves = times(HALVES, (half) => `<${half.toString(16)}>`);
/** The piece of characters that a vocabulary of characters lacks. */
const UNKNOWN = '\uFFFD';
const MOST = 2 ** 16;
/** Words: letters with their combining marks, or digits, with the space before them, other signs likewise, and white space. */
const WORDS = / ?\p{L}[\p{L}\p{M}]*| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?=\S)|\s+/gu;

/**
 * Makes a tokenizer of byte pairs inside words from a text: the pair of pieces that is next to each other
 * most often becomes a piece, again and again. Of equally frequent pairs the one whose pieces are older is
 * first.
 * @param {string} text
 * @param {{ vocabulary?: number }} [options] vocabulary: the largest number of pieces, 512 by default, from 17
 *   to 65536; a short text has fewer
 * @returns {Tokenizer}
 * @throws {DTypeError} for a text that is no string, unknown options
 * @example
 * const tokenizer = createTokenizer('the cat and the hat and the bat', { vocabulary: 60 });
 * tokenizer.encode(' and the').length; // 2
 * tokenizer.decode(tokenizer.encode('naïve ✓')); // 'naïve ✓'
 */
export function createTokenizer(text, options) {
  const caller = 'createTokenizer';
  if (typeof text !== 'string') reject(caller, 'text', text, 'a string');
  const vocabulary = readVocabulary(caller, options, HALVES + 1, 512);
  const known = mostFrequent(text, vocabulary - HALVES);
  const places = new Map(known.map((character, i) => [character, HALVES + i]));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [word] of text.matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].map(([word, count]) => ({ pieces: spell(word, places), count }));
  const merges = learnMerges(words, HALVES + known.length, vocabulary);
  return pairTokenizer(known, merges);
}

/**
 * Makes a tokenizer of characters from a text: the most frequent ones, and one piece for all others, '\uFFFD'.
 * @param {string} text
 * @param {{ vocabulary?: number }} [options] vocabulary: the largest number of pieces, 65536 by default
 * @returns {Tokenizer}
 * @throws {DTypeError} for a text that is no string, unknown options
 * @example
 * const tokenizer = characters('to be or not to be');
 * tokenizer.encode('bee').length; // 3
 * tokenizer.decode(tokenizer.encode('to be')); // 'to be'
 */
export function characters(text, options) {
  const caller = 'characters';
  if (typeof text !== 'string') reject(caller, 'text', text, 'a string');
  const vocabulary = readVocabulary(caller, options, 2, MOST);
  return characterTokenizer(mostFrequent(text, vocabulary - 1));
}

/**
 * Makes a tokenizer again from its JSON.
 * @param {unknown} data the parsed JSON
 * @returns {Tokenizer}
 * @throws {DTypeError} for anything else
 * @example
 * const json = JSON.stringify(characters('abc'));
 * loadTokenizer(JSON.parse(json)).encode('cab'); // [3, 1, 2]
 */
export function loadTokenizer(data) {
  const caller = 'loadTokenizer';
  const { kind, characters: given, merges } = readEntries(caller, data, 'data');
  const known = typeof given === 'string' ? [...given] : given;
  const isText = (/** @type {unknown} */ piece) =>
    typeof piece === 'string' && [...piece].length === 1;
  if (!Array.isArray(known) || known.length > MOST || !known.every(isText)) {
    reject(caller, 'data.characters', known, 'a text or a list of single characters');
  }
  if (new Set(known).size !== known.length) {
    throw new DTypeError(`${caller}: data.characters has one twice, expected different ones`);
  }
  if (kind === 'characters') return characterTokenizer([...known]);
  if (kind !== 'pairs') reject(caller, 'data.kind', kind, "one of 'pairs', 'characters'");
  const base = HALVES + known.length;
  if (!Array.isArray(merges) || base + merges.length > MOST) {
    reject(caller, 'data.merges', merges, `a list of pairs, at most ${MOST - base}`);
  }
  merges.forEach((pair, i) => {
    const isPiece = (/** @type {unknown} */ p) =>
      Number.isInteger(p) && Number(p) >= HALVES && Number(p) < base + i;
    if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(isPiece)) {
      reject(caller, `data.merges[${i}]`, pair, 'two pieces that come before it');
    }
  });
  return pairTokenizer([...known], merges.map(copied));
}

/** Reads the option vocabulary.
 *  @param {string} caller @param {unknown} options @param {number} least @param {number} fallback */
function readVocabulary(caller, options, least, fallback) {
  const { vocabulary } = readOptions(caller, options, ['vocabulary']);
  const count = readInteger(caller, 'vocabulary', vocabulary, 1, fallback);
  if (count >= least && count <= MOST) return count;
  return reject(caller, 'vocabulary', count, `from ${least} to ${MOST}`);
}

/** Returns the most frequent characters of a text, in the order of their frequency, then of the text.
 *  @param {string} text @param {number} most */
function mostFrequent(text, most) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, most).map(([character]) => character);
}

/** Returns the first pieces of a word: its characters, or the halves of their bytes.
 *  @param {string} word @param {Map<string, number>} places */
function spell(word, places) {
  return [...word].flatMap((character) => {
    const piece = places.get(character);
    return piece === undefined
      ? bytesOf(character).flatMap((byte) => [byte >> 4, byte & 15])
      : [piece];
  });
}

/** Returns a copy of a pair. @param {[number, number]} pair @returns {[number, number]} */
const copied = ([a, b]) => [a, b];

/** Returns the text of each piece. @param {string[]} known @param {[number, number][]} merges */
function piecesOf(known, merges) {
  const pieces = [...halves, ...known];
  for (const [a, b] of merges) {
    const piece = pieces[a] + pieces[b];
    if (piece.length > MOST)
      reject('loadTokenizer', 'data.merges', merges, 'pieces of a bounded length');
    pieces.push(piece);
  }
  return pieces;
}

/** Returns characters as one text, unless halves of a surrogate pair would meet in it. @param {string[]} known */
function joined(known) {
  const text = known.join('');
  return [...text].length === known.length ? text : [...known];
}

/** @param {string[]} known @param {[number, number][]} merges @returns {Tokenizer} */
function pairTokenizer(known, merges) {
  const pieces = piecesOf(known, merges);
  const places = new Map(known.map((character, i) => [character, HALVES + i]));
  const base = HALVES + known.length;
  const ranks = new Map(merges.map(([a, b], i) => [a * MOST + b, base + i]));
  /** @type {Map<string, number[]>} */
  const words = new Map();
  const encodeWord = (/** @type {string} */ word) => {
    let tokens = words.get(word);
    if (!tokens) {
      tokens = mergeWord(spell(word, places), ranks);
      if (words.size < MOST) words.set(word, tokens);
    }
    return tokens;
  };
  return Object.freeze({
    pieces: Object.freeze(pieces),
    encode(/** @type {string} */ text) {
      if (typeof text !== 'string') reject('encode', 'text', text, 'a string');
      /** @type {number[]} */
      const tokens = [];
      for (const [word] of text.matchAll(WORDS)) {
        for (const token of encodeWord(word)) tokens.push(token);
      }
      return tokens;
    },
    decode(/** @type {ArrayLike<number>} */ tokens) {
      let text = '';
      /** @type {number[]} */
      let half = [];
      const flush = () => {
        text += textOf(half);
        half = [];
      };
      for (const token of readPieces(tokens, pieces.length)) {
        if (token < HALVES) half.push(token);
        else {
          flush();
          text += pieces[token];
        }
      }
      flush();
      return text;
    },
    toJSON: /** @returns {SavedTokenizer} */ () => ({
      kind: 'pairs',
      characters: joined(known),
      merges: merges.map(copied),
    }),
  });
}

/** @param {string[]} known @returns {Tokenizer} */
function characterTokenizer(known) {
  const pieces = Object.freeze([UNKNOWN, ...known]);
  const places = new Map(known.map((character, i) => [character, i + 1]));
  return Object.freeze({
    pieces,
    encode(/** @type {string} */ text) {
      if (typeof text !== 'string') reject('encode', 'text', text, 'a string');
      return [...text].map((character) => places.get(character) ?? 0);
    },
    decode: (/** @type {ArrayLike<number>} */ tokens) =>
      readPieces(tokens, pieces.length)
        .map((token) => pieces[token])
        .join(''),
    toJSON: /** @returns {SavedTokenizer} */ () => ({
      kind: 'characters',
      characters: joined(known),
      merges: [],
    }),
  });
}

/** Reads tokens to decode. @param {unknown} tokens @param {number} vocabulary */
function readPieces(tokens, vocabulary) {
  if (!Array.isArray(tokens) && !ArrayBuffer.isView(tokens)) {
    reject('decode', 'tokens', tokens, 'a list of tokens');
  }
  return [.../** @type {Iterable<number>} */ (/** @type {unknown} */ (tokens))].map((token, i) => {
    if (Number.isInteger(token) && token >= 0 && token < vocabulary) return token;
    return reject('decode', `tokens[${i}]`, token, `an integer from 0 to ${vocabulary - 1}`);
  });
}
