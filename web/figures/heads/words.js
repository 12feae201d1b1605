// The words of <attn-heads>, in both languages.

import { shared } from '../kit/state/words.js';

/**
 * @import { Matrix } from '../../experiments/heads.js'
 * @import { ElementFacts } from '../kit/spec.js'
 */

/** @type {Record<Matrix, string>} */
const matrices = { query: 'W_Q', key: 'W_K', value: 'W_V', output: 'W_O' };

export const en = {
  ...shared.en,
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
    'g is the largest divisor of h up to the one you choose. Bars: counted by the package. Ring: the formula. ' +
    'Lost: the share of the variance of a value that no linear map recovers from the output; values iid N(0, 1), heads of any width; two heads look apart, each with that weight on its own word.',
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

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  matrices,
  name: '注意力层的大小与头数',
  fields: {
    model: 'd_model',
    heads: '头数 h',
    kvHeads: '键值头数 g',
    headSize: 'd_k',
    bias: '偏置',
  },
  options: {
    ...en.options,
    heads: '与 h 相同',
    1: '1（全体共用）',
    fixed: '固定',
    no: '无',
    yes: '有',
  },
  titles: {
    single: '一个头：这一层要学 {total} 个数',
    same: '一个头也好，{heads} 个头也好，这一层要学的都是 {total} 个数',
    rest: '一个头 {one} 个参数，{heads} 个头 {total} 个：d_model = {model} 除不尽，差的是余数',
    grouped: '{heads} 个查询头共用 {groups} 个键值头：参数由 {one} 个减到 {total} 个',
    fixed: 'd_k 若固定不变，头多了参数才会多：h = {heads} 时 {total} 个，h = 1 时 {one} 个',
  },
  caption:
    '单个自注意力层，d_v = d_k。h 不能整除 d_model 时，d_k 向下取整；g 取 h 的约数中不超过所选值的最大者。' +
    '柱是软件包数出来的，圆圈是公式的值。' +
    '丢失：一个值的方差中，无论用什么线性映射都无法从输出里恢复的份额；值独立服从 N(0, 1)，头的宽度不限；两个头各看一个词，各给自己的词这么大的权重。',
  parameterPanel: '一层的参数个数（单位 d_model²）',
  cachePanel: 'KV 缓存：每个词元的数值个数',
  headsAxis: '头数 h',
  kvAxis: '键值头数 g',
  folk: '常见说法：每个头都加参数',
  cache: 'KV 缓存',
  count: '参数个数',
  total: '四者合计',
  numbers: '每个词元的个数',
  counted: '计数',
  formula: '公式',
  now: 'd_k = {dK}，g = {g}',
  relationsPanel: '为什么要多个头：一个头读两个词，会丢失多少',
  relationsNote: '一个头只读到两者的平均，两个头就能分开读',
  relationsAxis: '给第一个词的权重',
  both: '两个词合计',
  first: '第一个词',
  second: '第二个词',
  twoHeads: '两个头',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'What more heads cost, parameters of a layer and cached numbers per token, and what two hold that one cannot.',
    zh: '多用几个头的代价：一层的参数，以及每个词元要缓存的数；还有一个头做不到、两个头才做得到的事。',
  },
  row: 'heads add no parameters; grouped heads save cache; two words that one head cannot hold',
  attributes: {
    model: {
      en: 'd_model; choosing one also sets the heads of a published model',
      zh: 'd_model；选定后，头数也取自已发表的模型',
    },
    heads: { en: 'query heads h', zh: '查询的头数 h' },
    kvHeads: { en: 'heads of keys and values', zh: '键和值的头数' },
    headSize: {
      en: 'd_k = d_model/h, or that of the published model',
      zh: 'd_k = d_model/h，或已发表模型的 d_k',
    },
    bias: { en: 'whether the projections have biases', zh: '投影是否带偏置' },
  },
};
