// What the reference says of <attn-saturation> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'How softmax saturates as d_k grows, with and without the scale.',
  attributes: {
    lower:
      'what the fourth panel shows: `entropy`; `competitors`, the keys within a gap of the top score; or `growth`, how that gap shrinks with n',
    head: 'a head of a trained model beside the random scores, as layer-head; recorded rows of the model of `<attn-language>`',
  },
};
