// The words of <attn-scales> in English.

import { scaleWords } from '../../common/en/scales.js';

export const words = {
  ...scaleWords,
  name: 'Every scale in use, at this d_k and as keys are added',
  fields: { ...scaleWords.fields, measure: 'shown of a row', across: 'grows' },
  options: {
    ...scaleWords.options,
    effectiveKeys: 'effective keys',
    maxWeight: 'largest weight',
    trace: 'trace of the Jacobian',
    keys: 'n',
    dK: 'dₖ',
  },
  titles: {
    keys: 'With {factor} the effective keys are {now} of {keys}, and {end} of {largest} keys (d_k = {dK})',
    dK: 'With {factor} the effective keys are {now} of {keys} at d_k = {dK}, and {end} at d_k = {largest}',
  },
  caption:
    'Entries of q and k are iid N(0, 1), as at initialisation, the same for every scale. ' +
    'Dots: measured here, up to {queries} queries; ticks and lines: expectation. ' +
    'Effective keys: the mean over queries of 1/Σp², of (Σp)²/Σp² where a row does not sum to 1.',
  panels: { scales: 'all scales', course: 'as n or dₖ grows' },
  scalesPanel: 'Every scale, at this d_k and n',
  shareOfKeys: 'Effective keys / n',
  measures: {
    effectiveKeys: 'effective keys',
    maxWeight: 'largest weight',
    trace: 'trace of the Jacobian',
  },
};
