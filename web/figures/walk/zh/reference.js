// What the reference says of <attn-walk> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '一个分数就是一次随机游走；softmax 由此得出权重，梯度再传回来。',
  attributes: {
    dK: '游走的步数，即查询和键的长度',
    scale: '分数除以什么：1、√d_k 或 d_k',
    walks: '钟形统计多少次游走；每个查询有八次',
  },
};
