// The words of <attn-gradient> in English.

import { shared } from '../../kit/state/en/words.js';
import { PRESETS } from '../presets.js';

export const words = {
  ...shared,
  name: 'Gradient through softmax against d_k',
  fields: {
    ...shared.fields,
    gap: 'gap',
    preset: 'logits',
    logits: 'own logits (2–8)',
  },
  options: {
    ...PRESETS,
    gap: 'two keys',
    unscaled: '8 scores, unscaled',
    scaled: '8 scores ÷ √dₖ',
    own: 'own (More settings)',
  },
  series: shared.curves,
  title:
    'At d_k = {dK} without the scale, the median gradient of a query is {median}, the mean {mean}: ' +
    'a tenth of the queries hold {share} of the squared gradient',
  caption:
    'Entries of q, k and ∂L/∂p are iid N(0, 1); {queries} queries, up to 16 key sets. ' +
    'Filled marks: means, measured here; hollow: medians; bands: 10–90% of the queries. ' +
    'tr J = 1 − Σp², of the weights p, says how far they can still move. Lines: its exact mean for this n and d_k; dotted: its median if two keys shared all the weight; dashed: the common claim that without the scale gradients vanish, from d_k = 2 ln n on. ' +
    'Gap: between the scores (logits) of two keys; with several, of the largest to the rest together. ' +
    'Step: of gradient descent at rate 1, all of it pulling to the second key. Dots there: in float32, on the axis where it gives 0.',
  gradientPanel: 'Norm of ∂L/∂q',
  tracePanel: 'Trace of the Jacobian, tr J',
  gapPanel: 'Two keys: p, slope and step',
  gapNote:
    'gap {gap}: p = {weight}, p(1 − p) = {slope}\none step moves p by {update} (float32: {update32})',
  gapAxis: 'gap between the logits of two keys',
  gapLines: { weight: 'p', slope: 'p(1 − p)', update: 'step of p' },
  mean: 'unscaled: mean',
  median: 'unscaled: median',
  folk: 'claim: vanishes',
  short: { mean: 'mean', median: 'median', folk: 'claim' },
  gradientMean: '‖∂L/∂q‖ mean',
  gradientMedian: '‖∂L/∂q‖ median',
  traceMean: 'tr J mean',
  traceMedian: 'tr J median',
  topShare: 'top tenth of ‖∂L/∂q‖²',
  note: '∂p/∂z of the largest of the logits {logits}: exactly {exact}, in float32 {float32}.',
};
