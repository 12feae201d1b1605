// What manifest, types and documents of <attn-precision> are made of, besides the texts of */reference.js.

/** @type {import('../kit/spec.js').ElementFacts} */
export const facts = { row: 'overflow and lost weights in fp16, bfloat16 and float32' };
