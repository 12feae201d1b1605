// Facts about <attn-cost> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: "Time and memory of dot-product against additive attention, measured on the reader's device.",
    zh: '点积注意力与加性注意力的时间和内存，在读者的设备上实测。',
  },
  row: "dot-product against additive attention, timed on the reader's device, beside the flop model",
  attributes: {
    dK: { en: 'length of queries, keys and values', zh: '查询、键和值的长度' },
    hiddenSize: { en: 'hidden size of additive attention', zh: '加性注意力的隐藏维度' },
    tanh: {
      en: 'additive attention by the kernel, or in plain JavaScript',
      zh: '加性注意力由内核计算，或用普通 JavaScript',
    },
  },
};
