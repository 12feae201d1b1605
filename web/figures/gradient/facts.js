// What manifest, types and documents of <attn-gradient> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'the gradient that reaches a query: its median dies where its mean holds up; why: two keys, gap by gap',
};
