// The attention that <attn-view> shows before it has any: that of the recorded model of <attn-words>, or of
// all-MiniLM-L6-v2.

import { load as loadAsset } from '../../assets/import.js';
import { EXAMPLES } from '../../language/recorded/assets.js';
import { readAttention } from '../reading/index.js';
import { loadModels } from '../../figures/common/load-models.js';
import { times } from '../../shared/times.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Language } from '../../figures/kit/state/language.js'
 * @import { Shown } from '../heads/heads.js'
 */

/** The module of the models, which pages with attention of their own do not load. @type {typeof import('../../figures/words/models.js')} */
let models;

/** What has been read of other models, by the name of the example. @type {Map<string, Shown>} */
const files = new Map();

/** The examples. */
export const NAMES = /** @type {const} */ (['words', 'minilm-tired', 'minilm-wide']);

/**
 * Fetches an example, by default the model of a language.
 * @param {Language} language
 * @param {{ example: typeof NAMES[number] }} [state]
 */
export async function load(language, { example } = { example: 'words' }) {
  if (example === 'words') {
    models ??= await loadModels('words');
    await models.fetchModel(language);
  } else if (!files.has(example)) {
    const { default: text } = await loadAsset(EXAMPLES, `recorded/${example}`);
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    files.set(example, await readAttention(bytes));
  }
}

/** Joins tensors of one layer each. @param {readonly Tensor[]} layers @returns {Tensor} */
function joined(layers) {
  const [{ data, shape }] = layers;
  const all = new Float32Array(layers.length * data.length);
  layers.forEach((layer, i) => all.set(layer.data, i * data.length));
  return { data: all, shape: [layers.length, ...shape.slice(1)] };
}

/**
 * Returns queries and keys of an example that has been fetched.
 * @param {Language} language
 * @param {string} sentence  that the model of the language reads
 * @param {string} example
 * @returns {Shown}
 */
export function exampleOf(language, sentence, example) {
  const file = files.get(example);
  if (file) return file;
  const { layers, scale, pieces } = models.read(language, sentence);
  const [query, key] = times(2, (i) =>
    joined(layers.map((layer) => (i ? layer.key : layer.query))),
  );
  return { query, key, scale, tokens: pieces, keyTokens: pieces, options: { causal: true } };
}
