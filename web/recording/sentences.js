// What the trained models make of the sentences with which <attn-words> begins.
import { modelHeads } from '../figures/common/model-heads.js';
import { openReader } from '../figures/words/models.js';
import { messages } from '../figures/words/generated/words.js';
import { lookedFor } from '../language/recorded/measure.js';
import { times } from '../shared/times.js';
import { openWindows } from './competitors.js';

/**
 * @import { Word } from '../figures/common/words-of-pieces.js'
 * @import { Lang } from './configs.js'
 * @typedef {object} RecordedSentence
 * @property {string} text
 * @property {string} head  layer and head, from 1
 * @property {Word[]} words
 * @property {number[][]} scores  float32, of the head: row i is that of token i with those up to it
 * @property {number} scale  of the scores
 * @property {number} parameters  of the model
 * @property {{ weight: number, even: number }} reason  the mean weight of what the head looks for, in the text
 *   that the model has read, and what it would be if all weights were alike
 */

/** A full stop is looked for by so many tokens after it. */
const SENTENCE = 10;

/**
 * Returns, for a language, the places that its head looks for from a place in a text.
 * @type {Record<Lang, (pieces: readonly string[], at: number) => number[]>}
 */
const LOOKS_FOR = {
  /** The mark before which the last sentence ended, from the first tokens of the next. */
  en(pieces, at) {
    const back = times(Math.min(at, SENTENCE), (i) => at - 1 - i);
    return back.filter((place) => /^[.?!]$/.test(pieces[place].trim())).slice(0, 1);
  },
  /** The last characters of the lines above, from the fourth of a couplet's second line: the next one stands below them. */
  zh(pieces, at) {
    const isFourth = pieces[at - 4] === '，' && pieces[at - 10] === '。';
    if (!isFourth) return [];
    return times(at - 1, (place) => place).filter((place) => '，。'.includes(pieces[place + 1]));
  },
};

/**
 * Measures how much weight a head gives to what it looks for.
 * @param {Lang} lang
 * @param {{ layer: number, head: number }} which
 */
async function reasonOf(lang, which) {
  const { model, windows } = await openWindows(lang);
  const { pieces } = model.tokenizer;
  const goals = windows.map((window) => {
    const read = window.map((token) => pieces[token]);
    return window.map((_, at) => LOOKS_FOR[lang](read, at));
  });
  return lookedFor(model, windows, { ...which, goals });
}

/**
 * Reads the first sentence of a language with its model.
 * @param {Lang} lang
 * @returns {Promise<RecordedSentence>}
 */
export async function sentenceOf(lang) {
  const text = messages[lang].sentences.first;
  const { sentence: head } = modelHeads(lang);
  const [layer, index] = head.split('.').map((each) => Number(each) - 1);
  const { words, layers, scale, parameters } = (await openReader(lang)).read(text);
  const { data, shape } = layers[layer].scores;
  const [n] = shape.slice(-1);
  const scores = times(n, (row) => {
    const start = (index * n + row) * n;
    // Nine digits are enough for the same float32.
    return [...data.subarray(start, start + row + 1)].map((score) => Number(score.toPrecision(9)));
  });
  const reason = await reasonOf(lang, { layer, head: index });
  return { text, head, words, scores, scale, parameters, reason };
}
