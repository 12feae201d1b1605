// What the reference says of <attn-words> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '一句话里的一个字在关注什么，用真正训练过的模型算出。',
  attributes: {
    text: '句子；留空则用自带的一句',
    word: '发出查询的字，从 1 数起',
    factor: '分数所乘的倍数',
    head: '层和头，如 1.2；或由本站选定',
  },
};
