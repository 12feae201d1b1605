// What the reference says of <attn-values> in Chinese.

/** @import { reference as en } from '../en/reference.js' */

/** @type {typeof en} */
export const reference = {
  summary: '键兼作值与值独立时，各能取回多少内容。',
  attributes: { dK: '查询、键和值的长度', seed: '第一次运行的种子' },
};
