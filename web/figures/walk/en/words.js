// The words of <attn-walk> in English.

import { shared } from '../../kit/state/en/words.js';

/** What scores are divided by. */
const options = { none: '÷1', sqrt: '÷√d_k', linear: '÷d_k' };
/** Each with its sign. */
const envelopes = { none: '{sign}√step', sqrt: '{sign}√step / √d_k', linear: '{sign}√step / d_k' };

export const words = {
  fields: { ...shared.fields, scale: 'scores', walks: 'walks' },
  options,
  envelopes,
  name: 'A score as a random walk',
  titles: {
    none: 'A score is a walk of d_k = {dK} random steps: it strays by √d_k = {deviation}, and one key of eight gets {weight}; divided by √d_k, {scaled}',
    sqrt: 'Divided by √d_k, a walk of d_k = {dK} steps strays by 1, as at every d_k: the top key of eight gets {weight}, and a gradient of {gradient} comes back',
    linear:
      'Divided by d_k, a walk of d_k = {dK} steps strays by {deviation}, less the longer it is: the top key of eight gets {weight}, and a gradient of {gradient} comes back',
  },
  caption:
    'Each product q_i·k_i is a step up or down: entries iid N(0, 1), as at initialisation. Thick: the eight keys of one query. ' +
    'Dashed: ±√step. Bell: the ends of {walks} walks, with their exact density. ◆ ● ■ mark the same keys with the other scales. ' +
    'Arrow: what of a mistake reaches the typical query, c·√d_k·(1 − Σp²), c being the scale: the median of the queries, on its 10–90% range. ' +
    'Hollow: the mean, on its exact value; without a scale a few queries hold it up. ' +
    'With ÷d_k the arrow shrinks because the keys, by which the query would move, are divided too.',
  walkPanel: 'The score, step by step',
  endPanel: 'Density of the ends',
  stepAxis: 'step',
  scoreAxis: 'score',
  key: 'key {key}',
  weightPanel: 'Softmax',
  weightAxis: 'weight',
  keyAxis: 'key',
  expected: 'mean of the top: {value}',
  gradientPanel: 'Gradient back to the typical query',
  gradientAxis: 'c·√d_k·(1 − Σp²)',
  mean: 'mean',
  scaleAxis: 'c',
  medianTable: 'Gradient, median and range of the queries',
  meanTable: 'Gradient, mean of the queries',
  deviation: shared.deviation,
  largestWeight: 'largest weight, mean',
  gradientMean: 'gradient, mean',
  gradientMedian: 'gradient, median',
};
