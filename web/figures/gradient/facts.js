// Facts about <attn-gradient> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'How much gradient softmax lets through as d_k grows, for three scales, and what passes between two keys a gap apart.',
    zh: 'd_k 增大时，三种缩放下还有多少梯度穿过 softmax；以及两个键的分数差拉大时，还剩多少。',
  },
  row: 'the gradient that reaches a query: its median dies where its mean holds up; why: two keys, gap by gap',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    gap: {
      en: 'between the logits of two keys; used where preset is gap',
      zh: '两个键的 logits 之差，preset 为 gap 时使用',
    },
    preset: { en: 'the logits whose gap is shown', zh: '所示分数差取自哪组 logits' },
    logits: {
      en: 'two to eight numbers, used where preset is own',
      zh: '二至八个数，preset 为 own 时使用',
    },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
