// What manifest, types and documents of <attn-saturation> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'scores and weights with and without the scale, and where softmax saturates: d\\* = 2 ln n',
};
