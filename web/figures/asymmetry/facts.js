// Facts about <attn-asymmetry> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'Queries and keys are not interchangeable: two ways to normalise, and relations that Q = K cannot learn.',
    zh: '查询与键不能互换：两种归一方向，以及 Q = K 学不会的关系。',
  },
  row: 'queries and keys are not interchangeable: softmax(QKᵀ) against softmax(KQᵀ), and what Q = K cannot learn',
  attributes: {
    dK: { en: 'length of the trained queries and keys', zh: '所训练的查询和键的长度' },
    tie: { en: 'whether the keys in the plane are the queries', zh: '平面上的键是否就是查询' },
    relation: { en: 'what is learned', zh: '所学的关系' },
    vectors: {
      en: 'choosing one sets the vectors in the plane',
      zh: '选定后，平面上的向量随之改变',
    },
    seed: { en: 'of the first run', zh: '第一次运行的种子' },
    queries: {
      en: '3 × 2 numbers, row by row, in place of those that `vectors` names',
      zh: '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
    },
    keys: {
      en: '3 × 2 numbers, row by row, in place of those that `vectors` names',
      zh: '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
    },
  },
};
