// Facts about <attn-roles> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'A head that learns which noun an adjective describes, trained on the reader’s device with 1/√d_k, no scale and 1/d_k.',
    zh: '一个头学着判断形容词说的是哪个名词：分数乘 1/√d_k、不缩放、乘 1/d_k，都在读者的设备上训练。',
  },
  row: 'a head that learns where to look, with the scale and without, trained while you look',
  assets: ['EXPERIMENTS_WORKER', 'LANGUAGE_KERNELS'],
  needs: ['EXPERIMENTS_WORKER'],
  attributes: {
    frame: {
      en: 'what happened, 1 (“did not cross”) to 8, in the order of the list',
      zh: '发生了什么，1（没有过）到 8，按列表的次序',
    },
    first: { en: 'the first noun, 1 to 8 in its list', zh: '前一个名词，列表里的第 1 到第 8 个' },
    second: { en: 'the second noun, 1 to 8', zh: '后一个名词，第 1 到第 8 个' },
    adjective: {
      en: 'the adjective: 1 to 4 describe the first noun, 5 to 8 the second',
      zh: '形容词：1 到 4 说的是前一个名词，5 到 8 说的是后一个',
    },
    step: { en: 'of training, at which the models are shown', zh: '显示训练到第几步的模型' },
    compare: {
      en: 'the scale beside 1/√d_k: none, or `linear` for 1/d_k',
      zh: '与 1/√d_k 对比的缩放：`none` 不缩放，`linear` 为 1/d_k',
    },
    dK: { en: 'length of queries, keys and values', zh: '查询、键和值的长度' },
    values: {
      en: '`own`, or `keys`: keys serve as values',
      zh: '`own` 有单独的值；`keys` 用键作值',
    },
    rate: { en: 'the learning rate', zh: '学习率' },
    seed: { en: 'of the start and of the sentences', zh: '起点和训练句子的种子' },
  },
};
