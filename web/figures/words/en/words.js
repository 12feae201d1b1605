// The words of <attn-words> in English.

import { heads } from '../../common/en/heads.js';

export const words = {
  name: 'What one word attends to',
  hints: {
    text: 'The men looked out upon the sea. The whale was there, and it looked back at them.',
  },
  fields: { text: 'sentence', word: 'word', factor: 'factor', head: 'head' },
  options: {
    ours: 'our choice',
    ...heads,
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
  scaledLabel: '÷ √d_k',
  factorLabel: '÷ √d_k, times {factor}',
  unscaledLabel: 'Unscaled',
  largest: 'largest weight',
  entropyRatio: 'entropy / ln n',
  panel: 'Weights of “{query}”',
  reason:
    'This head looks back to where the sentence begins: in Moby-Dick the first ten tokens of a sentence give the mark before it {weight} of their weight on average; it would be {even} if they looked at everything alike. ',
  cut: 'Only the beginning of the sentence is shown.',
  note: 'This is {head} of a model with {parameters} parameters. The factor multiplies scores that are already divided by √d_k: 0 attends to every word alike, {none} undoes the division.',
};
