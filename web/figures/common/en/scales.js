// The words of <attn-scale> and <attn-scales> for scales in English.

import { shared } from '../../kit/state/en/words.js';
import { factors } from '../../kit/state/words.js';

/** Choices that are no powers of d_k. */
const others = {
  temperature: '1/T',
  cosine: 'g·cos(q, k)',
};
/** @type {Record<string, string>} */
const formulas = {
  ...factors,
  ...others,
  none: '1',
  cosine: 'g·cos',
  t5: '1/√d_k (T5)',
  'log-keys': '0.43 ln n/√d_k',
  yarn: '(0.1 ln s + 1)²/√d_k',
  softcap: '50 tanh(·/(50√d_k))',
  'softcap-alone': '50 tanh(·/50)',
  sigmoid: 'sigmoid(·/√d_k)',
  'sigmoid-bias': 'sigmoid(·/√d_k − ln n)',
  sink: '1/√d_k + sink',
};
/** Names beside a line, where those of the formulas are long. @type {Record<string, string>} */
const labels = {
  ...shared.curves,
  t5: 'T5',
  'log-keys': 'ln n/√d_k',
  yarn: 'YaRN',
  softcap: 'cap 50',
  'softcap-alone': 'cap alone',
  sigmoid: 'sigmoid',
  'sigmoid-bias': 'σ(s − ln n)',
  sink: 'sink 0',
};

export const scaleWords = {
  ...shared,
  formulas,
  labels,
  fields: {
    ...shared.fields,
    factor: 'factor',
    temperature: 'temperature T',
    gain: 'gain g',
    trained: 'keys in training, n/s',
  },
  options: {
    ...shared.options,
    ...others,
    t5: 'T5: 1/√dₖ in the start of W_Q',
    'log-keys': '0.43 ln n/√dₖ',
    yarn: 'YaRN: (0.1 ln s + 1)²/√dₖ',
    softcap: '1/√dₖ and a soft cap of 50',
    'softcap-alone': 'a soft cap of 50 alone',
    sigmoid: 'sigmoid',
    'sigmoid-bias': 'sigmoid with −ln n',
    sink: '1/√dₖ and a sink',
  },
  rowSum: 'sum of a row',
};
