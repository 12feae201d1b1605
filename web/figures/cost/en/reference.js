// What the reference says of <attn-cost> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    "Time and memory of dot-product against additive attention, measured on the reader's device.",
  attributes: {
    dK: 'length of queries, keys and values',
    hiddenSize: 'hidden size of additive attention',
    tanh: 'additive attention by the kernel, or in plain JavaScript',
  },
};
