// What manifest, types and documents of <attn-language> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = {
  assets: ['MODELS', 'LANGUAGE_KERNELS', 'CURVES', 'LANGUAGE_WORKER', 'TEXTS', 'FURTHER'],
  needs: ['MODELS', 'CURVES'],
};
