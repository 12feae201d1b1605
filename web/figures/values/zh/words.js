// The words of <attn-values> in Chinese.

import { shared } from '../../kit/state/zh/words.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...shared,
  name: '值与键共用时，还能取回多少',
  fields: { ...shared.fields, dK: 'd' },
  title: '用 {dK} 维记六种内容：训练 {steps} 步，值与键共用时损失为 {tied}，独立时为 {untied}',
  caption:
    '六个词元，各由一个地址加六种内容之一构成；内容每批重新抽取。六个查询分别询问各地址上的内容。' +
    '单头，维数 d，缩放 1/√d，Adam 学习率 0.03，每批 16 组；余弦取第 51 至 {last} 步。点是 50 个新批次的均值（各次训练取中位数），竖线和横条从最小到最大。',
  dimensionPanel: '最终损失（nat）',
  stepPanel: '训练过程中的损失，d = {dK}',
  gaugePanel: 'K = V 时同一词元两路梯度的余弦',
  stepAxis: '训练步数',
  tied: 'K = V',
  untied: '值独立',
  vectors: { tied: '每个词元一个向量', untied: '每个词元两个向量' },
  guess: '随机猜测：ln 6',
  loss: '最终损失',
  cosine: '训练早期，两路梯度的余弦',
  against: '方向相反',
  together: '方向一致',
  quickNote:
    '这只是少数几个 d 的一次短训练。点击按钮，对每个 d 训练 3 次、每次 1000 步，空闲的笔记本电脑约需十到三十秒。',
  longNote: '作为键，词元要按地址区分开；作为值，又要按内容区分开。维数太少，两者不能兼顾。',
};
