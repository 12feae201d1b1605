// What the reference says of <attn-asymmetry> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '查询与键不能互换：两种归一方向，以及 Q = K 学不会的关系。',
  attributes: {
    dK: '所训练的查询和键的长度',
    tie: '平面上的键是否就是查询',
    relation: '所学的关系',
    vectors: '选定后，平面上的向量随之改变',
    seed: '第一次运行的种子',
    queries: '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
    keys: '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
  },
};
