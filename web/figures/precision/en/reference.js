// What the reference says of <attn-precision> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'What 16-bit formats do to attention as d_k grows: overflow, and weights lost to 0.',
  attributes: {
    format: 'number format of entries, scores and softmax; int8 of queries and keys alone',
  },
};
