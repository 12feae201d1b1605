// The words of <attn-values> in English.

import { shared } from '../../kit/state/en/words.js';

export const words = {
  ...shared,
  name: 'Recall with and without separate values',
  fields: { ...shared.fields, dK: 'd' },
  title:
    'Six contents in {dK} dimensions: after {steps} steps the loss is {tied} if keys serve as values, {untied} with values of their own',
  caption:
    'Six tokens, each an address plus one of six contents, drawn anew for every batch; six queries ask for the content at each address. ' +
    'One head of size d, scale 1/√d, Adam at 0.03, batches of 16; cosine over steps 51 to {last}. Dots: mean over 50 fresh batches, median over runs; lines and bar: from the smallest to the largest.',
  dimensionPanel: 'Loss at the end, in nats',
  stepPanel: 'Loss during training, d = {dK}',
  gaugePanel: 'Cosine of the two gradients, K = V',
  stepAxis: 'training step',
  tied: 'K = V',
  untied: 'separate',
  vectors: { tied: 'one vector a token', untied: 'two vectors a token' },
  guess: 'guessing: ln 6',
  loss: 'loss at the end',
  cosine: 'cosine, early',
  against: 'opposed',
  together: 'together',
  quickNote:
    'A short run at a few d. Press the button to train three times for 1000 steps at every d: ten to thirty seconds on a quiet laptop.',
  longNote:
    'As keys, tokens want to differ by address; as values, by content. Few dimensions cannot hold both.',
};
