// What the reference says of <attn-language> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'A small language model in the course of its training: the attention of a head, its q·k, and the loss with and without the scale.',
  attributes: {
    step: 'of training, at which the parameters were kept',
    scale: 'of the scores in the model',
    variant:
      'what takes the place of a fixed factor, or of values of their own; the runs are in English',
    head: 'layer and head, like 1.2, or our choice',
    trainText: 'the text of the button’s training; empty for the beginning of the recorded one',
    steps: 'of the button’s training',
    text: 'the sentence; empty for one of ours',
  },
};
