// What the reference says of <attn-precision> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: 'd_k 增大时，16 位浮点格式对注意力的影响：溢出，以及变成 0 的权重。',
  attributes: {
    format: '元素、分数和 softmax 的数值格式；int8 只用于查询和键',
  },
};
