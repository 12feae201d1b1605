// What manifest, types and documents of <attn-training> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'loss against learning rate: when the scale matters, and when it does not',
  assets: ['EXPERIMENTS_WORKER'],
};
