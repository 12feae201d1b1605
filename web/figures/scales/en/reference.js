// What the reference says of <attn-scales> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'Every scale in use, side by side for the same random queries and keys, and the chosen one as keys are added or d_k grows; and how scores should grow with the number of keys.',
  attributes: {
    factor: 'the scale looked at',
    measure: 'what is shown of a row of weights',
    across: 'what grows: keys or d_k',
    temperature: 'of the factor 1/T',
    gain: 'of cosine similarity',
    trained: 'keys in training, of YaRN',
    head: 'a head of a trained model beside Gaussian scores, as layer.head; recorded rows of the model of `<attn-language>`',
  },
};
