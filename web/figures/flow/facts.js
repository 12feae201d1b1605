// What manifest, types and documents of <attn-flow> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = { row: 'one small head, every number of it, forwards and backwards' };
