// What the reference says of <attn-gradient> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: 'd_k 增大时，三种缩放下还有多少梯度穿过 softmax；以及两个键的分数差拉大时，还剩多少。',
  attributes: {
    gap: '两个键的 logits 之差，preset 为 gap 时使用',
    preset: '所示分数差取自哪组 logits',
    logits: '二至八个数，preset 为 own 时使用',
  },
};
