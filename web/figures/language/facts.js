// Facts about <attn-language> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'A small language model in the course of its training: the attention of a head, its q·k, and the loss with and without the scale.',
    zh: '一个小语言模型的训练过程：某个头的注意力、它的 q·k，以及缩放与不缩放时的损失。',
  },
  row: 'a language model in training: q·k, loss, entropy and heads with each scale',
  assets: ['MODELS', 'LANGUAGE_KERNELS', 'CURVES', 'LANGUAGE_WORKER', 'TEXTS', 'FURTHER'],
  needs: ['MODELS', 'CURVES'],
  attributes: {
    step: {
      en: 'of training, at which the parameters were kept',
      zh: '训练步数，仅限保存过参数的几步',
    },
    scale: { en: 'of the scores in the model', zh: '模型里分数的缩放系数' },
    variant: {
      en: 'what takes the place of a fixed factor, or of values of their own; the runs are in English',
      zh: '用什么代替固定的系数，或代替单独的值；这些训练读的是英文',
    },
    head: { en: 'layer and head, like 1.2, or our choice', zh: '层和头，如 1.2；或由本站选定' },
    trainText: {
      en: 'the text of the button’s training; empty for the beginning of the recorded one',
      zh: '点按钮训练时读的文字；留空则读记录所用文字的开头',
    },
    steps: { en: 'of the button’s training', zh: '点按钮训练的步数' },
    text: { en: 'the sentence; empty for one of ours', zh: '句子；留空则用自带的一句' },
  },
};
