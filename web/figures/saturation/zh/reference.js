// What the reference says of <attn-saturation> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: 'd_k 增大时，softmax 缩放与不缩放各如何饱和。',
  attributes: {},
};
