// What manifest, types and documents of <attn-values> are made of, besides the texts of */reference.js.

/** @import { ElementFacts } from '../kit/spec.js' */

/** @type {ElementFacts} */
export const facts = {
  row: 'keys that serve as values: a conflict over capacity',
  assets: ['EXPERIMENTS_WORKER'],
};
