// What the reference says of <attn-asymmetry> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'Queries and keys are not interchangeable: two ways to normalise, and relations that Q = K cannot learn.',
  attributes: {
    dK: 'length of the trained queries and keys',
    tie: 'whether the keys in the plane are the queries',
    relation: 'what is learned',
    vectors: 'choosing one sets the vectors in the plane',
    seed: 'of the first run',
    queries: '3 × 2 numbers, row by row, in place of those that `vectors` names',
    keys: '3 × 2 numbers, row by row, in place of those that `vectors` names',
  },
};
