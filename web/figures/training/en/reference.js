// What the reference says of <attn-training> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    "Final loss against learning rate for scores times 1, 1/√d, 1/d, for additive attention and for today's scales, trained on the reader's device on two small tasks.",
  attributes: {
    dK: 'length of queries and keys, hidden size of additive attention',
    task: 'average half of the tokens, or retrieve one',
    rate: 'the learning rate whose course is shown',
    scales: '`classic`: 1, 1/√d, 1/d and additive; `today`: normalised, soft-capped, clipped',
    steps: 'of training',
    seed: 'of the first of three starts',
  },
};
