// What manifest, types and documents of <attn-heads> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'heads add no parameters; grouped heads save cache; two words that one head cannot hold',
};
