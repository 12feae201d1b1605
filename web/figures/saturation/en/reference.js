// What the reference says of <attn-saturation> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'How softmax saturates as d_k grows, with and without the scale.',
  attributes: {},
};
