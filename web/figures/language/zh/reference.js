// What the reference says of <attn-language> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '一个小语言模型的训练过程：某个头的注意力、它的 q·k，以及缩放与不缩放时的损失。',
  attributes: {
    step: '训练步数，仅限保存过参数的几步',
    scale: '模型里分数的缩放系数',
    variant: '用什么代替固定的系数，或代替单独的值；这些训练读的是英文',
    head: '层和头，如 1.2；或由本站选定',
    trainText: '点按钮训练时读的文字；留空则读记录所用文字的开头',
    steps: '点按钮训练的步数',
    text: '句子；留空则用自带的一句',
  },
};
