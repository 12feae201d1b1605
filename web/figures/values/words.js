// The words of <attn-values>, in both languages.

import { shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

export const en = {
  ...shared.en,
  name: 'Recall with and without separate values',
  fields: { ...shared.en.fields, dK: 'd' },
  title:
    'Six contents in {dK} dimensions: after {steps} steps the loss is {tied} if keys serve as values, {untied} with values of their own',
  caption:
    'Six tokens, each an address plus one of six contents, drawn anew for every batch; six queries ask for the content at each address. ' +
    'One head of size d, scale 1/√d, Adam at 0.03, batches of 16; cosine over steps 51 to {last}. Dots: mean over 50 fresh batches, median over runs; lines and bar: from the smallest to the largest.',
  dimensionPanel: 'Loss at the end, in nats',
  stepPanel: 'Loss during training, d = {dK}',
  gaugePanel: 'Cosine of the two gradients, K = V',
  stepAxis: 'training step',
  tied: 'K = V',
  untied: 'separate',
  vectors: { tied: 'one vector a token', untied: 'two vectors a token' },
  guess: 'guessing: ln 6',
  loss: 'loss at the end',
  cosine: 'cosine, early',
  against: 'opposed',
  together: 'together',
  quickNote:
    'A short run at a few d. Press the button to train three times for 1000 steps at every d: ten to thirty seconds.',
  longNote:
    'As keys, tokens want to differ by address; as values, by content. Few dimensions cannot hold both.',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  name: '键兼作值时，还能取回多少',
  fields: { ...shared.zh.fields, dK: 'd' },
  title: '用 {dK} 维记六种内容：训练 {steps} 步，键兼作值时损失为 {tied}，值独立时为 {untied}',
  caption:
    '六个词元，各由一个地址加六种内容之一构成；内容每批重新抽取。六个查询分别询问各地址上的内容。' +
    '单头，维数 d，缩放 1/√d，Adam 学习率 0.03，每批 16 组；余弦取第 51 至 {last} 步。点是 50 个新批次的均值（各次训练取中位数），竖线和横条从最小到最大。',
  dimensionPanel: '最终损失（奈特）',
  stepPanel: '训练过程中的损失，d = {dK}',
  gaugePanel: 'K = V 时同一词元两路梯度的余弦',
  stepAxis: '训练步数',
  tied: 'K = V',
  untied: '值独立',
  vectors: { tied: '每个词元一个向量', untied: '每个词元两个向量' },
  guess: '随机猜测：ln 6',
  loss: '最终损失',
  cosine: '早期余弦',
  against: '方向相反',
  together: '方向一致',
  quickNote:
    '这只是少数几个 d 的一次短训练。点击按钮，对每个 d 训练 3 次、每次 1000 步，约需十到三十秒。',
  longNote: '作为键，词元要按地址区分开；作为值，又要按内容区分开。维数太少，两者不能兼顾。',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'Recall with keys that serve as values, and with values of their own.',
    zh: '键兼作值与值独立时，各能取回多少内容。',
  },
  row: 'keys that serve as values: a conflict over capacity',
  assets: ['EXPERIMENTS_WORKER'],
  attributes: {
    dK: { en: 'length of queries, keys and values', zh: '查询、键和值的长度' },
    seed: { en: 'of the first run', zh: '第一次运行的种子' },
  },
};
