// Facts about <attn-precision> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'What 16-bit formats do to attention as d_k grows: overflow, and weights lost to 0.',
    zh: 'd_k 增大时，16 位浮点格式对注意力的影响：溢出，以及变成 0 的权重。',
  },
  row: 'overflow and lost weights in fp16, bfloat16 and float32',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    format: {
      en: 'number format of entries, scores and softmax',
      zh: '元素、分数和 softmax 的数值格式',
    },
    entrySize: { en: 'standard deviation of the entries', zh: '元素的标准差' },
    scale: { en: 'factor of the scaled series', zh: '“缩放后”一组所乘的缩放系数' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
