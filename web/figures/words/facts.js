// Facts about <attn-words> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'What one word of a sentence attends to, in a model that was really trained.',
    zh: '一句话里的一个字在关注什么，用真正训练过的模型算出。',
  },
  row: 'a sentence, a word, and where a head of a trained model looks',
  assets: ['MODELS', 'LANGUAGE_KERNELS'],
  attributes: {
    text: { en: 'the sentence; empty for one of ours', zh: '句子；留空则用自带的一句' },
    word: { en: 'the word that asks, counted from 1', zh: '发出查询的字，从 1 数起' },
    factor: { en: 'multiplies the scores', zh: '分数所乘的倍数' },
    head: { en: 'layer and head, like 1.2, or our choice', zh: '层和头，如 1.2；或由本站选定' },
  },
};
