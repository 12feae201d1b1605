// What the reference says of <attn-roles> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'A head that learns which noun an adjective describes, trained on the reader’s device with 1/√d_k, no scale and 1/d_k.',
  attributes: {
    frame: 'what happened, 1 (“did not cross”) to 8, in the order of the list',
    first: 'the first noun, 1 to 8 in its list',
    second: 'the second noun, 1 to 8',
    adjective: 'the adjective: 1 to 4 describe the first noun, 5 to 8 the second',
    step: 'of training, at which the models are shown',
    compare: 'the scale beside 1/√d_k: none, or `linear` for 1/d_k',
    dK: 'length of queries, keys and values',
    values: '`own`, or `keys`: keys serve as values',
    rate: 'the learning rate',
    seed: 'of the start and of the sentences',
  },
};
