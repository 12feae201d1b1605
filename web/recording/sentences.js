// What the trained models make of the sentences with which <attn-words> begins.
import { modelHeads } from '../figures/common/model-heads.js';
import { fetchModel, read } from '../figures/words/models.js';
import { messages } from '../figures/words/words.js';
import { times } from '../shared/times.js';

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
 */

/**
 * Reads the first sentence of a language with its model.
 * @param {Lang} lang
 * @returns {Promise<RecordedSentence>}
 */
export async function sentenceOf(lang) {
  await fetchModel(lang);
  const { text } = messages[lang].hints;
  const { sentence: head } = modelHeads(lang);
  const [layer, index] = head.split('.').map((each) => Number(each) - 1);
  const { words, layers, scale, parameters } = read(lang, text);
  const { data, shape } = layers[layer].scores;
  const [n] = shape.slice(-1);
  const scores = times(n, (row) => {
    const start = (index * n + row) * n;
    // Nine digits are enough for the same float32.
    return [...data.subarray(start, start + row + 1)].map((score) => Number(score.toPrecision(9)));
  });
  return { text, head, words, scores, scale, parameters };
}
