// Facts about <attn-training> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: "Final loss against learning rate for scores times 1, 1/√d, 1/d, for additive attention and for today's scales, trained on the reader's device on two small tasks.",
    zh: '分数乘 1、1/√d、1/d，加性注意力，以及今天的各种缩放，最终损失随学习率的变化；两个小任务，在读者的设备上训练。',
  },
  row: 'loss against learning rate: when the scale matters, and when it does not',
  assets: ['EXPERIMENTS_WORKER'],
  attributes: {
    dK: {
      en: 'length of queries and keys, hidden size of additive attention',
      zh: '查询和键的长度，也是加性注意力的隐藏维度',
    },
    task: {
      en: 'average half of the tokens, or retrieve one',
      zh: '任务：对一半词元求平均，或找出一个',
    },
    rate: { en: 'the learning rate whose course is shown', zh: '画出训练过程的那个学习率' },
    scales: {
      en: '`classic`: 1, 1/√d, 1/d and additive; `today`: normalised, soft-capped, clipped',
      zh: '`classic`：1、1/√d、1/d 与加性；`today`：归一化、软上限、截断',
    },
    steps: { en: 'of training', zh: '训练步数' },
    seed: { en: 'of the first of three starts', zh: '三个起点中第一个的种子' },
  },
};
