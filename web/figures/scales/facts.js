// What manifest, types and documents of <attn-scales> are made of, besides the texts of */reference.js.

/** @import { ElementFacts } from '../kit/spec.js' */

/** @type {ElementFacts} */
export const facts = {
  row: 'every scale in use side by side, and the chosen one as keys are added or d_k grows',
};
