// What manifest, types and documents of <attn-flow> are made of, besides the texts of */reference.js.

/** @import { ElementFacts } from '../kit/spec.js' */

/** @type {ElementFacts} */
export const facts = { row: 'one small head, every number of it, forwards and backwards' };
