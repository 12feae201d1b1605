// The words of <attn-words>, in both languages.

/** @import { ElementFacts } from '../kit/spec.js' */

export const en = {
  name: 'What one word attends to',
  hints: {
    text: 'The men looked out upon the sea. The whale was there, and it looked back at them.',
  },
  fields: { text: 'sentence', word: 'word', factor: 'factor', head: 'head' },
  options: {
    ours: 'our choice',
    1.1: 'layer 1, first',
    1.2: 'layer 1, second',
    2.1: 'layer 2, first',
    2.2: 'layer 2, second',
  },
  title:
    'Of all it has read, “{query}” gives “{top}” {weight} of its attention; if scores were not divided by √d_k, “{unscaledTop}” would get {unscaled}',
  alone: 'The first word has only itself to attend to',
  caption:
    'A small model that has read Moby-Dick, trained by this page’s own code: real, but no GPT. ' +
    'It reads from left to right: a word attends to itself and to the words before it. Press a word, or write a sentence of your own; it stays on this device.',
  query: 'query: what the word looks for',
  key: 'key: what a word is found by',
  weight: 'weight: its share of 100%, by which its value is read',
  unscaled: 'the same, not divided by √d_k',
  scaledLabel: 'Divided by √d_k',
  factorLabel: 'Divided by √d_k, times {factor}',
  unscaledLabel: 'Not divided',
  largest: 'largest weight',
  entropyRatio: 'entropy / ln n',
  panel: 'Weights of “{query}”',
  reason:
    'This head looks back to where the sentence begins: in Moby-Dick the first ten tokens of a sentence give the mark before it {weight} of their weight on average; it would be {even} if they looked at everything alike. ',
  cut: 'Only the beginning of the sentence is shown.',
  note: 'Head {head} of a model with {parameters} parameters. The factor multiplies scores that are already divided by √d_k: 0 attends to every word alike, {none} undoes the division.',
};

/** @type {typeof en} */
export const zh = {
  name: '一个词在关注什么',
  hints: { text: '白日依山尽，黄河入海流。欲穷千里目，更上一层楼。' },
  fields: { text: '句子', word: '第几个字', factor: '倍数', head: '头' },
  options: {
    ours: '本站所选',
    1.1: '第一层，第一个',
    1.2: '第一层，第二个',
    2.1: '第二层，第一个',
    2.2: '第二层，第二个',
  },
  title:
    '读到“{query}”，{weight} 的注意力给了“{top}”；分数若不除以 √d_k，“{unscaledTop}”会拿走 {unscaled}',
  alone: '第一个字只能关注自己',
  caption:
    '模型很小，由本站自己的代码训练，读的是《全唐诗》里的五言诗；它是真的，但远不是 GPT。' +
    '模型从左往右读，每个字关注自己和前面的字。点一个字，或者自己写一句；写下的内容不会离开这台设备。',
  query: '查询：这个字在找什么',
  key: '键：一个字凭什么被找到',
  weight: '权重：在 100% 里占多少，值就按这个比例读取',
  unscaled: '同上，但不除以 √d_k',
  scaledLabel: '除以 √d_k',
  factorLabel: '除以 √d_k，再乘 {factor}',
  unscaledLabel: '不除',
  largest: '最大的权重',
  entropyRatio: '熵 / ln n',
  panel: '“{query}”的权重',
  reason:
    '读到下句第四个字，这个头看的是前面各句的末字，下一个字正要写在它们的下方：在读过的诗里，末字这时平均得到 {weight} 的权重，若一视同仁只有 {even}。',
  cut: '只显示了句子的开头。',
  note: '模型共有 {parameters} 个参数，这是其中的 {head} 号头。倍数乘在除以 √d_k 之后的分数上：取 0，对每个字一视同仁；取 {none}，就等于不除。',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
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
