// The words of <attn-training> in English.

import { shared } from '../../kit/state/en/words.js';

/** @import { Task } from '../panels.js' */

/** At the ends of lines, where the name is long. @type {Record<string, string>} */
const short = {
  norm: 'g·cos',
  softcap: 'cap 50',
  clip: 'clip 100',
};

export const words = {
  ...shared,
  short,
  name: 'What the scale does to training',
  fields: {
    ...shared.fields,
    task: 'task',
    rate: 'learning rate shown',
    scales: 'scales compared',
    steps: 'steps',
  },
  options: {
    average: 'average half',
    retrieve: 'retrieve one',
    classic: 'unscaled, ÷ √dₖ, ÷ dₖ, additive',
    today: 'today’s: normalised, capped, clipped',
  },
  /** @type {Record<string, string>} */
  models: {
    none: shared.curves.none,
    '1/√d': shared.curves.sqrt,
    '1/d': shared.curves.linear,
    norm: 'normalised',
    softcap: '÷ √d_k, soft cap',
    clip: '÷ √d_k, clipped',
    additive: 'additive',
  },
  /** @type {Record<Task, string>} */
  tasks: {
    average: 'where attention must stay spread',
    retrieve: 'where attention must become sharp',
  },
  preview: 'A short run: ',
  title:
    '{task}, the best learning rate at d_k = {dK} reaches a loss of {none} in {steps} steps without the scale, {scaled} with 1/√d_k',
  todayTitle:
    '{task}, the learning rate changes the loss by {scaled} on average with 1/√d_k, by {norm} with normalised queries and keys (d_k = {dK}, {steps} steps)',
  caption:
    'One head on sequences of 16 Gaussian tokens of width 16, plain gradient descent, 16 fresh sequences a step, the same for every model, W_Q and W_K iid N(0, 1/16). ' +
    'Dots: mean over the last 50 steps at most, median of three seeds, lines from the smallest to the largest (additive and short run: one seed). ' +
    'Sensitivity: mean over the learning rates of min(loss, loss at the start), less the best loss.',
  panels: {
    'learning-rate': 'by learning rate',
    loss: 'loss',
    'gradient-norm': 'gradient',
    entropy: 'entropy',
  },
  sweepPanel: 'Loss after {steps} steps',
  rateAxis: 'learning rate',
  lossPanel: 'Loss',
  normPanel: 'Norm of the gradient',
  entropyPanel: 'Entropy of attention / ln n',
  stepAxis: 'steps at learning rate {rate}',
  lossAt: 'loss, rate {rate}',
  bestLoss: 'best loss, rate {rate}',
  sensitivity: 'sensitivity to the rate',
  uniformAs: 'uniform',
  differenceAs: 'difference',
  sampledNote:
    'A short run, additive at the rate shown alone. Press the button to train every point on your device: on a quiet laptop ten to twenty seconds for 300 steps.',
  averageNote:
    'Unscaled attention starts nearly one-hot, and has the largest gradients. It is late, not lost: with 3000 steps (“More settings”) it arrives. ',
  easyNote: 'Up to d_k = 16 a smaller learning rate makes up for the missing scale in 300 steps.',
  todayNote:
    'While scores stay small, the cap and the clip change nothing: their lines lie on the wide one of 1/√d_k, the cap’s thinnest. A low sensitivity is no praise by itself: it can be low where every rate does badly. The gain of the cosines is learned, from √d_k on. ' +
    'The clip shrinks both matrices after a step with a score above 100; softmax is as saturated there as at 1000, so it rescues no rate here. The button trains every point: ten to twenty seconds on a quiet laptop.',
  retrieveNote:
    'Here the scale matters little: after 300 steps three valleys of about the same depth, moved by √d_k in learning rate. Additive attention is slow under plain gradient descent.',
};
