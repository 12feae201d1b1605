// The attention that <attn-view> shows before it has any: that of the recorded model of <attn-words>.

import { loadModels } from '../common/load-models.js';
import { times } from '../../shared/times.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Language } from '../kit/state/language.js'
 * @import { Shown } from './heads.js'
 */

/** The module of the models, which pages with attention of their own do not load. @type {typeof import('../words/models.js')} */
let models;

/** Fetches the model of a language. @param {Language} language */
export async function load(language) {
  models ??= await loadModels('words');
  await models.fetchModel(language);
}

/** Joins tensors of one layer each. @param {readonly Tensor[]} layers @returns {Tensor} */
function joined(layers) {
  const [{ data, shape }] = layers;
  const all = new Float32Array(layers.length * data.length);
  layers.forEach((layer, i) => all.set(layer.data, i * data.length));
  return { data: all, shape: [layers.length, ...shape.slice(1)] };
}

/**
 * Returns queries and keys of the model as it reads a sentence.
 * @param {Language} language  whose model has been fetched
 * @param {string} sentence
 * @returns {Shown}
 */
export function exampleOf(language, sentence) {
  const { layers, scale, pieces } = models.read(language, sentence);
  const [query, key] = times(2, (i) =>
    joined(layers.map((layer) => (i ? layer.key : layer.query))),
  );
  return { query, key, scale, tokens: pieces, keyTokens: pieces, options: { causal: true } };
}
