// What manifest, types and documents of <attn-asymmetry> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'queries and keys are not interchangeable: softmax(QKᵀ) against softmax(KQᵀ), and what Q = K cannot learn',
};
