// The words of <attn-saturation> in English.

import { startWords } from '../../common/en/starts.js';
import { shared } from '../../kit/state/en/words.js';

export const words = {
  ...shared,
  fields: { ...shared.fields, start: startWords.field, mean: 'mean of entries' },
  options: { ...shared.options, ...startWords.options },
  name: 'Softmax saturation against d_k',
  title:
    'At d_k = {dK}, the unscaled softmax puts {unscaled} of its weight, on average, on one of {keys} keys; {then}',
  then: 'scaled by {factor}, {scaled}',
  same: 'a scale of 1 changes nothing',
  ofStart: ' ({start})',
  caption:
    'Entries of q and k are iid N(0, {variance}), that is, independent and normal with mean 0 and this variance{start}; {queries} queries, up to 16 key sets. {shifted}' +
    'Entropy / ln n is 1 where all weights are alike, 0 where one key has everything. ' +
    'Dots: measured here, with the 10–90% range over queries. Lines: exact for this n and d_k. Dashed: the common claim that one key gets all the weight.',
  scorePanel: 'Density of the scores',
  scoreAxis: 'score of a query and a key',
  weightPanel: 'Weights of one query, the 16 largest',
  weightAxis: 'key, by rank of its weight',
  uniform: 'uniform: 1/n',
  smallestWeight: 'Mean smallest weight',
  weightCurve: 'Mean largest weight',
  entropyCurve: 'Mean entropy / ln n',
  maxWeight: 'largest weight',
  competitors: 'others within 1 of the top score',
  oneHot: 'claim: one-hot',
  claim: 'claim',
  freezing: 'saturation begins: d* = 2 ln n{size} = {value}',
  bySize: ' / size⁴',
  byVariance: ' / v²',
  byMean: ' / (1 + m²)',
  shifted:
    'To each entry m = {mean} deviations are added: all scores then spread by √(1 + 2m²) times as much, but those of one query by √(1 + m²) times, since what all keys share moves no weight. ',
};
