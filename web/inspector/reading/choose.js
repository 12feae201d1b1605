// Which arrays of a file show attention: by the names that libraries and people give them, one for all layers
// or one a layer.

import { DTypeError } from '../../attention/errors.js';
import { keysOf } from '../../shared/keys.js';

/**
 * @import { GivenAttention } from './attention.js'
 * @typedef {Partial<Record<keyof GivenAttention, string[]>>} Chosen  the names of the arrays of each argument: one, or
 *   one a layer in their order
 */

/** The names of each argument; that of this package comes first. @type {Record<keyof GivenAttention, string[]>} */
const NAMES = {
  weights: ['weights', 'attention', 'attentions', 'attn', 'attn_weights', 'attention_weights'],
  query: ['query', 'queries', 'q'],
  key: ['key', 'keys', 'k'],
  tokens: ['tokens'],
  keyTokens: ['keyTokens', 'key_tokens'],
  scale: ['scale'],
  causal: ['causal', 'is_causal'],
  mask: ['mask', 'attn_mask'],
  attentionMask: ['attentionMask', 'attention_mask'],
  loss: ['loss', 'losses'],
  grid: ['grid', 'grid_size'],
  step: ['step', 'steps'],
};
/** The arguments that come with others. */
const EXTRAS = keysOf(NAMES).filter((name) => !['weights', 'query', 'key'].includes(name));

/** Returns the argument that something beside the arrays is by its name, if any. @param {string} name */
export const extraOf = (name) => EXTRAS.find((argument) => NAMES[argument].includes(name));

/** The most names in a message. */
const MOST_LISTED = 8;
const LONGEST_NAME = 40;
/** Modules of PyTorch that give queries and keys. */
const PROJECTION = /\.(self\.)?(q_proj|k_proj|query|key|c_attn)$/;
/** Parameters of a model, as a state dict names them. */
const PARAMETER = /(^|[._])(weight|bias)$/;
const LAST_NUMBER = /\d+(?=\D*$)/;

/**
 * Chooses among the names of arrays: weights, query and key, or all of them, else the only array that there is, or arrays
 * that differ in one number alone.
 * @param {readonly string[]} names
 * @param {string} file  what it is, for messages
 * @returns {Chosen}
 */
export function choose(names, file) {
  /** Returns the arrays of an argument. @param {keyof GivenAttention} argument */
  const find = (argument) => {
    const name = NAMES[argument].find((each) => names.includes(each));
    if (name !== undefined) return [name];
    return inOrder(names.filter((each) => NAMES[argument].includes(partsOf(each).stem)));
  };
  /** @type {Chosen} */
  const extras = {};
  for (const argument of EXTRAS) {
    const name = NAMES[argument].find((each) => names.includes(each));
    if (name !== undefined) extras[argument] = [name];
  }
  const [weights, query, key] = [find('weights'), find('query'), find('key')];
  const pair = query && key && { query, key };
  if (weights) return { weights, ...pair, ...extras };
  if (pair) return { ...pair, ...extras };
  const taken = Object.values(extras).flat();
  const others = names.filter((name) => !taken.includes(name));
  if (query ?? key) {
    throw new DTypeError(
      `${file} has ${query ? 'queries without keys' : 'keys without queries'}, expected both or weights: a cache of keys and values has no queries, record them beside it`,
    );
  }
  const only = others.length === 1 ? others : inOrder(others);
  if (only) return { weights: only, ...extras };
  const expected = 'expected weights, or query and key, or a single array, or one a layer';
  if (names.length === 0) {
    throw new DTypeError(
      `${file} has no arrays, ${expected}: models of Transformers give their attentions where they are loaded with attn_implementation="eager"`,
    );
  }
  const listed = others.slice(0, MOST_LISTED).map((name) => name.slice(0, LONGEST_NAME));
  const more = others.length > MOST_LISTED ? `, … (${others.length})` : '';
  const isOfModel = others.some((name) => PARAMETER.test(name));
  const remedy = isOfModel
    ? ': these are parameters of a model, record the attention of a text that it reads'
    : others.some((name) => PROJECTION.test(name))
      ? ': projections have neither heads nor positions yet, record what scaled_dot_product_attention is given'
      : '';
  throw new DTypeError(
    `${file} has the arrays ${listed.join(', ') || '(none)'}${more}, ${expected}, as layer_0, layer_1${remedy}`,
  );
}

/**
 * Returns the name of an array without its number and the word for a layer: `layers.3.query` is the query of
 * layer 3.
 * @param {string} name
 */
function partsOf(name) {
  const words = name.replace(LAST_NUMBER, ' ').split(/[\s._/-]+/);
  const stem = words.filter((word) => word && !/^layers?$/i.test(word)).join('_');
  return { stem, number: LAST_NUMBER.exec(name)?.[0] };
}

/**
 * Returns the names of arrays that differ in their number alone, in the order of that number.
 * @param {readonly string[]} names
 */
function inOrder(names) {
  const parts = names.map((name) => ({ name, ...partsOf(name) }));
  const isSeries = parts.every(
    ({ stem, number }) => number !== undefined && stem === parts[0].stem,
  );
  if (!isSeries || parts.length === 0) return undefined;
  return parts.sort((a, b) => Number(a.number) - Number(b.number)).map(({ name }) => name);
}
