// What manifest, types and documents of <attn-walk> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'a score as a walk of d_k random steps: it strays by √d_k, softmax follows, the gradient fades',
};
