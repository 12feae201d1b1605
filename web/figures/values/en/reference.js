// What the reference says of <attn-values> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'Recall with keys that serve as values, and with values of their own.',
  attributes: { dK: 'length of queries, keys and values', seed: 'of the first run' },
};
