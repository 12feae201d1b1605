// What manifest, types and documents of <attn-scales> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'every scale in use side by side and as keys are added or d_k grows, and how scores should grow',
};
