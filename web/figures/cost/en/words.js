// The words of <attn-cost> in English.

import { shared } from '../../kit/state/en/words.js';

/**
 * @import { Method } from '../../../experiments/cost-methods.js'
 * @import { Origin } from '../element.js'
 */

export const words = {
  ...shared,
  name: 'Time of dot-product and additive attention',
  fields: {
    dK: 'd',
    hiddenSize: 'hidden size h',
    tanh: 'additive in',
  },
  options: {
    vectorised: 'WebAssembly (SIMD)',
    scalar: 'JavaScript (dot stays)',
  },
  /** @type {Record<Method, string>} */
  methods: {
    dot: 'dot product',
    factored: 'additive, factored',
    pairwise: 'additive, per pair',
  },
  /** At the ends of lines. @type {Record<Method, string>} */
  short: { dot: 'dot product', factored: 'factored', pairwise: 'per pair' },
  /** @type {Record<Method, string>} */
  formulas: {
    dot: 'q·k',
    factored: 'v·tanh(W₁q + W₂k)',
    pairwise: 'W₁q, W₂k anew for every pair',
  },
  memory: { dot: 'n × n weights', broadcast: 'broadcast', fused: 'tiled' },
  title:
    '{origin} additive attention{scalar} takes {factored} times as long as dot-product attention{at}, ' +
    '{pairwise} times if it projects every pair{at2}',
  at: ' (n\u00a0=\u00a0{keys})',
  /** @type {Record<Origin, string>} */
  origins: {
    predicted: 'By the count of operations,',
    sampled: 'A quick sample here:',
    measured: 'On this device',
  },
  scalar: ' in plain JavaScript',
  caption:
    'One head, as many queries as keys, d_v = d, float32, one thread. Dots: the fastest of several samples, with a line up to the slowest. ' +
    'Lines: count of operations, τ = {tau} for a tanh, each through one measured time. Dashed: “orders of magnitude”, 100 times the dot product. Memory: counted, beyond inputs and output.',
  timePanel: 'Time of one call',
  memoryPanel: 'Working memory',
  keysAxis: 'queries = keys n',
  folk: 'claim: 100×',
  note: 'Press the button to measure every size on your device.',
  measuredNote:
    'Ratios: the median of rounds in which the methods take turns; over the rounds {factored} for factored, {pairwise} for per pair. ' +
    '“Orders of magnitude” would be the dashed line or more.',
  unsure: 'The times differ too much for a ratio, so the title counts. ',
  busy: 'This device was busy: the same call took up to {spread} times as long. ',
  ratio: '× dot',
  time: 'time, n\u00a0=\u00a0{keys}',
  /** @type {Record<Origin, string>} */
  measuredAs: { predicted: 'predicted', sampled: 'sampled', measured: 'measured' },
  theoryAs: 'counted',
};
