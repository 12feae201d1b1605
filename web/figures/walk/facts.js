// Facts about <attn-walk> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'A score as a random walk, the weights that softmax makes of it, and the gradient that comes back.',
    zh: '一个分数就是一次随机游走；softmax 由此得出权重，梯度再传回来。',
  },
  row: 'a score as a walk of d_k random steps: it strays by √d_k, softmax follows, the gradient fades',
  attributes: {
    dK: {
      en: 'steps of a walk: the length of queries and keys',
      zh: '游走的步数，即查询和键的长度',
    },
    scale: { en: 'what scores are divided by: 1, √d_k or d_k', zh: '分数除以什么：1、√d_k 或 d_k' },
    walks: {
      en: 'how many walks the bell counts; eight belong to each query',
      zh: '钟形统计多少次游走；每个查询有八次',
    },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
