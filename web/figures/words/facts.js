// What manifest, types and documents of <attn-words> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  row: 'a sentence, a word, and where a head of a trained model looks',
  assets: ['MODELS', 'LANGUAGE_KERNELS'],
};
