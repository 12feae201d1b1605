// The words of <attn-saturation> in English.

import { shared } from '../../kit/state/en/words.js';
import { factors, formulas } from '../../kit/state/words.js';

/** By the power of ln n. @type {Record<number, string>} */
const laws = { 0.5: '√ln n', 1: 'ln n', 2: 'ln² n' };

export const words = {
  ...shared,
  fields: { ...shared.fields, lower: 'fourth panel', head: 'a trained head' },
  options: {
    ...shared.options,
    entropy: 'entropy',
    competitors: 'keys near the top score',
    growth: 'its law, as keys are added',
    '1-1': 'layer 1, head 1',
    '1-2': 'layer 1, head 2 (on itself)',
    '2-1': 'layer 2, head 1',
    '2-2': 'layer 2, head 2',
  },
  laws,
  formulas,
  factors,
  name: 'Softmax saturation against d_k',
  title:
    'At d_k = {dK}, the unscaled softmax puts {unscaled} of its weight, on average, on one of {keys} keys; {then}',
  then: 'scaled by {factor}, {scaled}',
  same: 'a scale of 1 changes nothing',
  caption:
    'Entries of q and k are iid N(0, {entrySize}²), as at initialisation; {queries} queries, up to 16 key sets. ' +
    'Dots: measured here, with the 10–90% range over queries. Lines: exact for this n and d_k.',
  growthCaption:
    ' Fourth panel: the factor, for scores of deviation 1, at which one other key keeps 1/e of the top weight; ' +
    'grey: laws through the Gaussian at 64 keys.',
  trainedCaption:
    ' Triangles: recorded rows of the English model of attn-language, trained with 1/√d_k, on text that it has read.',
  scorePanel: 'Density of the scores',
  scoreAxis: 'score of a query and a key',
  weightPanel: 'Weights of one query, the 16 largest',
  weightAxis: 'key, by rank of its weight',
  uniform: 'uniform: 1/n',
  weightCurve: 'Mean largest weight',
  entropyCurve: 'Mean entropy / ln n',
  maxWeight: 'largest weight',
  competitors: 'others within 1 of the top score',
  competitorCurve: 'Other keys within a gap of the top score',
  gapAxis: 'gap, in scores',
  growthCurve: 'σ / gap that holds one other key',
  keysAxis: 'keys n',
  gaussian: 'Gaussian',
  trained: 'trained',
  trainedHead: 'trained: layer {layer}, head {head}',
  recorded: 'recorded',
  asWide: 'Gaussian, as wide',
  difference: 'difference',
  oneHot: 'claim: one-hot',
  freezing: 'saturation begins: d* = 2 ln n{size} = {value}',
  bySize: ' / size⁴',
};
