// What manifest, types and documents of <attn-scale> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = { row: 'every factor d_k^−α on one map, and the weight of an aligned key' };
