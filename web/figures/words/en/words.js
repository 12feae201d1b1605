// The words of <attn-words> in English.

import { heads } from '../../common/en/heads.js';

export const words = {
  name: 'What one word attends to',
  sentences: {
    first: 'The men looked out upon the sea. The whale was there, and it looked back at them.',
    second: 'The old man looked out upon the sea, and the sea looked back at the old man.',
    third: 'A white whale swims in the sea, and the sea looks back at the whale.',
  },
  hints: { text: 'for our small model to read' },
  fields: {
    power: 'power of d_k',
    example: 'sentence',
    text: 'your own',
    word: 'word',
    head: 'head of our model',
  },
  options: {
    tired: 'MiniLM: “… it was too tired.”',
    wide: 'MiniLM: “… it was too wide.”',
    first: 'our model: “The men …”',
    second: 'our model: “The old man …”',
    third: 'our model: “A white whale …”',
    ours: 'our choice',
    ...heads,
  },
  title:
    '“{query}” gives “{top}” {weight} of its attention where scores are divided by {divisor}; undivided, “{unscaledTop}” gets {unscaled}',
  alone: 'The first word has only itself to attend to',
  headCaption:
    'One head of all-MiniLM-L6-v2 (Apache-2.0), a published model of English sentences: we recorded its queries and keys, and the weights are computed here. ' +
    'It reads both ways; [CLS] and [SEP] stand around every text. ' +
    'Dividing scores by T before softmax is a temperature of T: above 1 it flattens the weights, below 1 it sharpens them. So √d_k is a temperature, and the factor of other figures is 1/T. ' +
    'Press a word, or write a sentence: our own small model reads it, and it stays on this device.',
  caption:
    'A small model that has read Moby-Dick, trained by this page’s own code: real, but no GPT. ' +
    'It reads from left to right: a word attends to itself and to the words before it. Dividing scores by T is a temperature of T: above 1 it flattens the weights. ' +
    'Press a word, or write a sentence of your own; it stays on this device.',
  query: 'query: what the word looks for',
  key: 'key: what a word is found by',
  weight: 'weight: its share of 100%, scores ÷ {divisor}',
  unscaled: 'the same, scores not divided',
  unknown: 'unknown',
  glosses: {
    '[CLS]': 'start',
    the: 'the',
    animal: 'animal',
    did: 'did',
    not: 'not',
    cross: 'cross',
    street: 'street',
    because: 'because',
    it: 'it',
    was: 'was',
    too: 'too',
    tired: 'tired',
    wide: 'wide',
    '.': '.',
    '[SEP]': 'end',
  },
  scaledLabel: '÷ {divisor}',
  unscaledLabel: 'Unscaled',
  largest: 'largest weight',
  temperature: 'temperature T',
  entropyRatio: 'entropy / ln n',
  panel: 'Weights of “{query}”',
  tiredReason: 'What was too tired is the animal, and this head finds it. ',
  wideReason:
    'What was too wide is the street: now the head is less sure of the animal, but it does not find the street. ',
  headNote: 'Layer {layer}, head {head}, d_k = {dK}.',
  reason:
    'This head looks back to where the sentence begins: in Moby-Dick the first ten tokens of a sentence give the mark before it {weight} of their weight on average; it would be {even} if they looked at everything alike. ',
  cut: ' Only the beginning of the sentence is shown.',
  note: 'Layer {layer}, head {head} of a model with {parameters} parameters, d_k = {dK}.',
  limit:
    ' The larger the divisor, the nearer each of the {tokens} tokens comes to the same weight, {even}{several}.',
  several: '; “{text}” is {own} tokens, and comes to {share}',
};
