// What the reference says of <attn-gradient> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'How much gradient softmax lets through as d_k grows, for three scales, and what passes between two keys a gap apart.',
  attributes: {
    gap: 'between the logits of two keys; used where preset is gap',
    preset: 'the logits whose gap is shown',
    logits: 'two to eight numbers, used where preset is own',
  },
};
