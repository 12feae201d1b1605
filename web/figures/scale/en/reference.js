// What the reference says of <attn-scale> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    "Which factor scores may have: a map of the entropy over d_k and the factor's exponent, and the weight on a key against its alignment with the query.",
  attributes: {
    rho: 'alignment of one key with the query',
    factor: 'the factor looked at',
    temperature: 'of the factor 1/T',
    gain: 'of cosine similarity',
    trained: 'keys in training, of YaRN',
  },
};
