// What the reference says of <attn-precision> in Chinese.

/** @import { reference as en } from '../en/reference.js' */

/** @type {typeof en} */
export const reference = {
  summary: 'd_k 增大时，16 位浮点格式对注意力的影响：溢出，以及变成 0 的权重。',
  attributes: {
    dK: '查询和键的长度',
    format: '元素、分数和 softmax 的数值格式',
    entrySize: '元素的标准差',
    scale: '“缩放后”一组所乘的缩放系数',
    keys: '一个查询有多少个键可选',
    queries: '样本的查询数',
    seed: '随机数的种子',
  },
};
