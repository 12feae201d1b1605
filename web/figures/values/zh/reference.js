// What the reference says of <attn-values> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '键兼作值与值独立时，各能取回多少内容。',
  attributes: { dK: '查询、键和值的长度', seed: '第一次运行的种子' },
};
