// Facts about <attn-scale> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: "Which factor scores may have: a map of the entropy over d_k and the factor's exponent, and the weight on a key against its alignment with the query.",
    zh: '分数该乘怎样的缩放系数：熵随 d_k 与缩放系数的指数变化的分布图，以及一个键的权重随它与查询的对齐程度的变化。',
  },
  row: 'every factor d_k^−α on one map, the weight of an aligned key, and every scale in use side by side',
  attributes: {
    rho: { en: 'alignment of one key with the query', zh: '一个键与查询的对齐程度' },
    factor: { en: 'the factor looked at', zh: '所看的缩放系数' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    temperature: { en: 'of the factor 1/T', zh: '缩放系数 1/T 中的 T' },
    gain: { en: 'of cosine similarity', zh: '余弦相似度的增益' },
    trained: { en: 'keys in training, of YaRN', zh: '训练时的键数，供 YaRN 用' },
    measure: { en: 'what is shown of a row of weights', zh: '看一行权重的哪个量' },
    across: { en: 'what grows: keys or d_k', zh: '横轴：键数或 d_k' },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
