// The words of <attn-walk> in English.

import { startWords } from '../../common/en/starts.js';
import { shared } from '../../kit/state/en/words.js';

const options = { ...shared.curves, ...startWords.options };
/** Each with its sign. */
const envelopes = {
  none: '{sign}√step{times}',
  sqrt: '{sign}√step{times} / √d_k',
  linear: '{sign}√step{times} / d_k',
};

export const words = {
  fields: { ...shared.fields, scale: 'scores', start: startWords.field, walks: 'walks' },
  options,
  envelopes,
  name: 'A score as a random walk',
  titles: {
    none: 'A score is a walk of d_k = {dK} random steps: it strays by √d_k{times} = {deviation}, and the top key of eight gets {weight} on average; divided by √d_k, {scaled}',
    sqrt: 'Divided by √d_k, a walk of d_k = {dK} steps strays by {deviation}, as at every d_k: the top key of eight gets {weight}, and a gradient of {gradient} comes back',
    linear:
      'Divided by d_k, a walk of d_k = {dK} steps strays by {deviation}, less the longer it is: the top key of eight gets {weight}, and a gradient of {gradient} comes back',
  },
  caption:
    'Each product q_i·k_i is a step up or down; entries are independent, of mean 0 and variance v = {variance} ({start}). ' +
    'Thick: the eight keys of one query. Dashed: ±√step{times}. Bell: where {walks} walks end. ◆ ● ■: the same keys with the other scales. ' +
    'Gradient: how much of a mistake reaches a query, c·{root}·(1 − Σp²), with its weights p and the scale c: a dot a query, a bar for the median, a large mark for the mean. ' +
    'Without a scale gradients spread over decades, and few queries get most of them; ÷ d_k makes all of them small.',
  walkPanel: 'The score, step by step',
  endPanel: 'Density of the ends',
  stepAxis: 'step',
  scoreAxis: 'score',
  key: 'key {key}',
  weightPanel: 'Softmax',
  weightAxis: 'weight',
  keyAxis: 'key',
  expected: 'mean of the top: {value}',
  gradientPanel: 'Gradient that reaches each of {queries} queries',
  queryTable: 'Gradient, query by query',
  queryAxis: 'query',
  beyond: '◂ {count} below',
  gradientAxis: 'c·{root}·(1 − Σp²)',
  mean: 'mean',
  scaleAxis: 'c',
  medianTable: 'Gradient, median and range of the queries',
  meanTable: 'Gradient, mean of the queries',
  deviation: shared.deviation,
  logScale: shared.logScale,
  largestWeight: 'largest weight, mean',
  gradientMean: 'gradient, mean',
  gradientMedian: 'gradient, median',
  /** Of the film as a picture that moves by itself (web/site/generator/film.js). */
  film: {
    description:
      'Scores are walks of d_k random steps: without a scale they fan out, one key of eight takes all, and most gradients die. Divided by the root of d_k, everything comes back.',
    before: 'Undivided, scores stray by √d_k: by 16 at d_k = 256',
    after: 'Divided by √d_k, scores stray by 1, whatever d_k is',
    steps: 'd_k = 1 … 256 random steps',
    weights: 'softmax of eight keys',
    gradients: 'gradient that reaches each of 60 queries',
  },
};
