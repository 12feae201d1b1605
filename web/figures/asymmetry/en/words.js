// The words of <attn-asymmetry> in English.

import { shared } from '../../kit/state/en/words.js';

export const words = {
  ...shared,
  name: 'Queries and keys are not interchangeable',
  fields: {
    ...shared.fields,
    dK: 'd_k (training)',
    tie: 'Q and K (by hand)',
    relation: 'learn (training)',
    vectors: 'vectors',
  },
  options: {
    separate: 'separate',
    tied: 'the same (Q = K)',
    ring3: 'rock–paper–scissors',
    pairs: 'swapped pairs',
    ring8: 'a directed ring of eight',
    mixed: 'mixed',
    ring: 'each key a turn ahead',
    aligned: 'each key along its query',
    own: 'own',
  },
  title:
    'With Q = K, {relation} cannot be learned: after {steps} steps the loss is {tied} (floor {floor}); with separate Q and K, {untied}',
  caption:
    'By hand: drag a query or a key, or use the arrow keys; scores are not scaled. ' +
    'By training: n tokens, each with a query and a key, plain gradient descent at rate 0.5 from the same start (queries = keys, entries N(0, ¼)). ' +
    'Dots: median over runs, lines from the smallest to the largest. The floor is exact from d_k = 2 on.',
  plane: 'By hand: queries, keys',
  maps: {
    QK: 'row: query i attends\nto key j (column)',
    KQ: 'row: key i picks\nquery j (column)',
  },
  lossPanel: 'By training: loss, nats',
  asymmetryPanel: 'Asymmetry ‖S − Sᵀ‖ / ‖S + Sᵀ‖',
  stepAxis: 'training step',
  tied: 'Q = K',
  untied: 'separate',
  floor: 'floor',
  loss: 'loss at the end',
  asymmetry: 'asymmetry',
  rowSums: 'row sums',
  largestColumn: 'largest column sum',
  smallestColumn: 'smallest column sum',
  transposed: 'apart from softmax(KQᵀ)ᵀ by',
  queryKey: 'query i to key j',
  quickNote: 'A short run. Press the button to train 8 times for 4000 steps on your device.',
  longNote: 'Separate Q and K part because the gradient by Q is dS·K and by K is dSᵀ·Q.',
  handles: { queries: 'query {index} at {x}, {y}', keys: 'key {index} at {x}, {y}' },
};
