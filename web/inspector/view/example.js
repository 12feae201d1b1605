// The attention that <attn-view> shows before it has any: that of the recorded model of <attn-words>, of
// all-MiniLM-L6-v2, or of a small run with a fault.

import { load as loadAsset } from '../../assets/import.js';
import { EXAMPLES } from '../../language/recorded/assets.js';
import { readAttention } from '../reading/index.js';
import { loadModels } from '../../figures/common/load-models.js';
import { times } from '../../shared/times.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Reader } from '../../figures/words/models.js'
 * @import { Language } from '../../figures/kit/state/language.js'
 * @import { Shown } from '../heads/heads.js'
 */

/** What has been read of other models, by the name of the example. @type {Map<string, Shown>} */
const files = new Map();

/** An example: a model that reads a sentence, or what has been read of another. @typedef {Reader | Shown} Example */

/** The heads of small runs with a fault, of which the page tells under "Training is unstable". */
export const SYMPTOMS = /** @type {const} */ ([
  'symptom-stall',
  'symptom-explode',
  'symptom-nan',
  'symptom-alike',
  'symptom-first',
]);
/** The examples. */
export const NAMES = /** @type {const} */ (['words', 'minilm-tired', 'minilm-wide', ...SYMPTOMS]);

/**
 * Fetches an example, by default the model of a language.
 * @param {Language} language
 * @param {{ example: typeof NAMES[number] }} [state]
 * @returns {Promise<Example>}
 */
export async function load(language, { example } = { example: 'words' }) {
  if (example === 'words') return (await loadModels('words')).openReader(language);
  const known = files.get(example);
  if (known) return known;
  const { default: text } = await loadAsset(EXAMPLES, `recorded/${example}`);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const { causal, ...read } = await readAttention(bytes);
  const shown = { ...read, options: { ...(causal && { causal }) } };
  files.set(example, shown);
  return shown;
}

/** Joins tensors of one layer each. @param {readonly Tensor[]} layers @returns {Tensor} */
function joined(layers) {
  const [{ data, shape }] = layers;
  const all = new Float32Array(layers.length * data.length);
  layers.forEach((layer, i) => all.set(layer.data, i * data.length));
  return { data: all, shape: [layers.length, ...shape.slice(1)] };
}

/**
 * Returns queries and keys of an example.
 * @param {Example} example
 * @param {string} sentence  for a model to read
 * @returns {Shown}
 */
export function exampleOf(example, sentence) {
  if (!('read' in example)) return example;
  const { layers, scale, pieces } = example.read(sentence);
  const [query, key] = times(2, (i) =>
    joined(layers.map((layer) => (i ? layer.key : layer.query))),
  );
  return { query, key, scale, tokens: pieces, keyTokens: pieces, options: { causal: true } };
}
