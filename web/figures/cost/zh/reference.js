// What the reference says of <attn-cost> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '点积注意力与加性注意力的时间和内存，在读者的设备上实测。',
  attributes: {
    dK: '查询、键和值的长度',
    hiddenSize: '加性注意力的隐藏维度',
    tanh: '加性注意力由内核计算，或用普通 JavaScript',
  },
};
