// What the reference says of <attn-words> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'What one word of a sentence attends to, in a model that was really trained.',
  attributes: {
    text: 'the sentence; empty for one of ours',
    word: 'the word that asks, counted from 1',
    factor: 'multiplies the scores',
    head: 'layer and head, like 1.2, or our choice',
  },
};
