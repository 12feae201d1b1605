// Facts about <attn-saturation> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

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
    lower: {
      en: 'what the fourth panel shows: `entropy`; `competitors`, the keys within a gap of the top score; or `growth`, how that gap shrinks with n',
      zh: '第四幅分图画什么：`entropy`（熵）、`competitors`（最高分附近的键数）或 `growth`（这一差距怎样随 n 变小）',
    },
    head: {
      en: 'a head of a trained model beside the random scores, as layer-head; recorded rows of the model of `<attn-language>`',
      zh: '与随机分数并列的一个训练好的头（层-头），取自 `<attn-language>` 的模型的录制结果',
    },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
