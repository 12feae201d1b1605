// Facts about <attn-gradient> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'How much gradient softmax lets through as d_k grows, for three scales, and the Jacobian of a few logits.',
    zh: 'd_k 增大时，三种缩放下还有多少梯度穿过 softmax；另附几个 logits 的雅可比矩阵。',
  },
  row: 'the gradient that reaches a query: its median dies where its mean holds up; exact Jacobians beside float32',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    preset: { en: 'logits of the matrices', zh: '矩阵所用的 logits' },
    logits: {
      en: 'two to eight numbers, used where preset is own',
      zh: '二至八个数，preset 为 own 时使用',
    },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
