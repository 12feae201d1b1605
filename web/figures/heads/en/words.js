// The words of <attn-heads> in English.

import { shared } from '../../kit/state/en/words.js';

/** @import { Matrix } from '../../../experiments/heads.js' */

/** @type {Record<Matrix, string>} */
const matrices = { query: 'W_Q', key: 'W_K', value: 'W_V', output: 'W_O' };

export const words = {
  ...shared,
  matrices,
  name: 'Size of an attention layer against its heads',
  fields: {
    model: 'd_model',
    heads: 'heads h',
    kvHeads: 'key/value heads g',
    headSize: 'd_k',
    bias: 'bias',
  },
  options: {
    512: '512 · Transformer base',
    768: '768 · BERT base',
    4096: '4096 · Llama 3 8B',
    heads: 'as many as h',
    1: '1, shared by all',
    tied: 'd_model / h',
    fixed: 'fixed',
    no: 'no',
    yes: 'yes',
  },
  titles: {
    single: 'One head: the layer learns {total} numbers',
    same: 'One head or {heads}: the layer learns the same {total} numbers',
    rest: 'One head or {heads}: {one} numbers or {total}; d_model = {model} leaves a remainder',
    grouped:
      '{heads} heads of queries, {groups} of keys and values: {total} numbers instead of {one}',
    fixed: 'With d_k fixed, heads do cost: {total} numbers at h = {heads}, {one} at h = 1',
  },
  caption:
    'One self-attention layer, d_v = d_k. Where h does not divide d_model, d_k is rounded down; ' +
    'g is the largest divisor of h up to the one you choose. Bars: counted by the package. Ring: the formula. Dashed: the common claim that each head adds as many as the first. ' +
    'Lost: the share of the variance of a value that no linear map recovers from the output; values iid N(0, 1), heads of any width; two heads look apart, each with that weight on its own word; at ½ they read the same mean.',
  parameterPanel: 'Parameters of a layer, in d_model²',
  cachePanel: 'KV cache: numbers per token',
  headsAxis: 'heads h',
  kvAxis: 'key/value heads g',
  folk: 'claim: each head adds',
  cache: 'KV cache',
  count: 'parameters',
  total: 'all four',
  numbers: 'numbers per token',
  counted: 'counted',
  formula: 'formula',
  now: 'd_k = {dK}, g = {g}',
  relationsPanel: 'What one head loses of two words',
  relationsNote: 'It reads their mean; two heads keep them apart.',
  relationsAxis: 'weight on the first word',
  both: 'both words',
  first: 'first word',
  second: 'second word',
  twoHeads: 'two heads',
};
