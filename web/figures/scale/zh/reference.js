// What the reference says of <attn-scale> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary:
    '分数该乘怎样的缩放系数：熵随 d_k 与缩放系数的指数变化的分布图，以及一个键的权重随它与查询的对齐程度的变化。',
  attributes: {
    rho: '一个键与查询的对齐程度',
    factor: '所看的缩放系数',
    temperature: '缩放系数 1/T 中的 T',
    gain: '余弦相似度的增益',
    trained: '训练时的键数，供 YaRN 用',
  },
};
