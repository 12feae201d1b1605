// The sentences of <attn-words>: two that a head of all-MiniLM-L6-v2 reads, and those of our own small models, of which
// the first is recorded too. What is recorded needs no model.

import { attentionScores } from '../../attention/index.js';
import head from '../../language/recorded/minilm-head.js';
import recorded from '../../language/recorded/sentences.js';
import { modelsOf } from '../../shared/languages.js';
import { modelHeads } from '../common/model-heads.js';
import { rowsOfHead } from './attend.js';
import { messages } from './generated/words.js';

/**
 * @import { Word } from '../common/words-of-pieces.js'
 * @import { Language } from '../kit/state/language.js'
 * @import { RowOf } from './attend.js'
 * @import { State } from './element.js'
 * @import { Reader } from './models.js'
 *
 * @typedef {object} Reading  of a sentence by a head
 * @property {Word[]} words
 * @property {RowOf} rowOf
 * @property {string} head  layer and head, from 1
 * @property {number} scale  of the scores
 * @property {boolean} isCut
 * @property {number} [parameters]  of our model; MiniLM is not ours
 * @property {{ weight: number, even: number }} [reason]  why the head of our model looks there
 */

/** The sentences that MiniLM has read, and those of our models. */
export const EXAMPLES = /** @type {const} */ (['tired', 'wide', 'first', 'second', 'third']);

/** Returns the numbers of a recorded matrix. @param {string} text  fp16 in base64 @param {number} rows */
function matrixOf(text, rows) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const data = new Uint16Array(bytes.buffer);
  return { data, shape: [rows, data.length / rows], dtype: /** @type {const} */ ('float16') };
}

/**
 * Returns what the head of MiniLM makes of a sentence, computed from its recorded queries and keys.
 * @param {keyof typeof head.sentences} example
 * @returns {Reading}
 */
function readingOfMiniLM(example) {
  const { tokens, query, key } = head.sentences[example];
  const n = tokens.length;
  const keys = matrixOf(key, n);
  const { scores } = attentionScores(matrixOf(query, n), keys, { returns: ['scores'] });
  return {
    words: tokens.map((text, index) => ({ text, first: index, last: index })),
    rowOf: (token) => scores.data.subarray(token * n, (token + 1) * n),
    head: `${head.layer}.${head.head}`,
    scale: 1 / Math.sqrt(keys.shape[1]),
    isCut: false,
  };
}

/**
 * Returns which sentence MiniLM reads in a state; undefined where our own model reads.
 * @param {State} state
 */
const exampleOfMiniLM = ({ text, head: name, example }) =>
  text === '' && name === 'ours' && (example === 'tired' || example === 'wide')
    ? example
    : undefined;

/** Returns the sentence that our own model reads in a state. @param {State} state @param {Language} language */
function sentenceOf({ text, example }, language) {
  const { sentences } = messages[language];
  return (
    text || (example in sentences ? sentences[/** @type {'first'} */ (example)] : sentences.first)
  );
}

/**
 * Returns what our model made of the sentence of a state when it was recorded.
 * @param {State} state
 * @param {Language} language
 */
function recordOf(state, language) {
  const record = recorded[modelsOf(language)];
  const isSame = record.text === sentenceOf(state, language) && state.head === 'ours';
  return isSame ? record : undefined;
}

/** Returns whether a state needs no model. @param {State} state @param {Language} language */
export const isRecorded = (state, language) =>
  exampleOfMiniLM(state) !== undefined || recordOf(state, language) !== undefined;

/**
 * Returns what a head makes of the sentence of a state.
 * @param {State} state
 * @param {Language} language
 * @param {Reader | undefined} reader  which a state needs that was not recorded
 * @returns {Reading}
 */
export function readingOf(state, language, reader) {
  const example = exampleOfMiniLM(state);
  if (example) return readingOfMiniLM(example);
  const record = recordOf(state, language);
  if (record) {
    const { scores, ...reading } = record;
    return { ...reading, rowOf: (token) => scores[token], isCut: false };
  }
  const name = state.head === 'ours' ? modelHeads(language).sentence : state.head;
  const [layer, index] = name.split('.').map((each) => Number(each) - 1);
  const { layers, ...reading } = /** @type {Reader} */ (reader).read(sentenceOf(state, language));
  return { ...reading, rowOf: rowsOfHead(layers[layer], index), head: name };
}
