// Facts about <attn-saturation> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'How softmax saturates as d_k grows, with and without the scale.',
    zh: 'd_k 增大时，softmax 缩放与不缩放各如何饱和。',
  },
  row: 'scores and weights with and without the scale, and where softmax freezes: d\\* = 2 ln n',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    scale: { en: 'factor of the scaled series', zh: '“缩放后”一组所乘的缩放系数' },
    entrySize: { en: 'standard deviation of the entries', zh: '元素的标准差' },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
