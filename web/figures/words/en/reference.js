// What the reference says of <attn-words> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'What one word of a sentence attends to, in a model that was really trained.',
  attributes: {
    power: 'the divisor of the scores, as a power of d_k: 0 is 1, 0.5 is √d_k, 1 is d_k',
    example: 'the sentence: two that MiniLM has read, three of ours',
    text: 'a sentence of your own, which our model reads',
    word: 'the word that asks, counted from 1',
    head: 'layer and head of our model, like 1.2, or our choice',
  },
};
