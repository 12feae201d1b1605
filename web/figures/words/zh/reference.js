// What the reference says of <attn-words> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '一句话里的一个字在关注什么，用真正训练过的模型算出。',
  attributes: {
    power: '分数的除数，写成 d_k 的几次方：0 是 1，0.5 是 √d_k，1 是 d_k',
    example: '句子：两句由 MiniLM 读过，三句出自本站',
    text: '自己写的句子，由本站的小模型来读',
    word: '发出查询的词，从 1 数起',
    head: '小模型的层和头，如 1.2；或由本站选定',
  },
};
