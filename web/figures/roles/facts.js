// What manifest, types and documents of <attn-roles> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  assets: ['EXPERIMENTS_WORKER', 'LANGUAGE_KERNELS'],
  needs: ['EXPERIMENTS_WORKER'],
};
