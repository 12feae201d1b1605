// What the reference says of <attn-heads> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'What more heads cost, parameters of a layer and cached numbers per token, and what two hold that one cannot.',
  attributes: {
    model: 'd_model; choosing one also sets the heads of a published model',
    heads: 'query heads h',
    kvHeads: 'heads of keys and values',
    headSize: 'd_k = d_model/h, or that of the published model',
    bias: 'whether the projections have biases',
  },
};
