// What the reference says of <attn-walk> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'A score as a random walk, the weights that softmax makes of it, and the gradient that comes back.',
  attributes: {
    dK: 'steps of a walk: the length of queries and keys',
    scale: 'what scores are divided by: 1, √d_k or d_k',
    walks: 'how many walks the bell counts; eight belong to each query',
  },
};
