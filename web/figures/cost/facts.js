// What manifest, types and documents of <attn-cost> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: "dot-product against additive attention, timed on the reader's device, beside the flop model",
};
