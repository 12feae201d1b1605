// The words of <attn-scales> in English.

import { heads } from '../../common/en/heads.js';
import { scaleWords } from '../../common/en/scales.js';

/** By the power of ln n. @type {Record<number, string>} */
const laws = { 0.5: '√ln n', 1: 'ln n', 2: 'ln² n' };

export const words = {
  ...scaleWords,
  name: 'Every scale in use, at this d_k and as keys are added',
  fields: {
    ...scaleWords.fields,
    measure: 'shown of a row',
    across: 'grows',
    head: 'trained head',
  },
  options: {
    ...heads,
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
    'Entries of q and k are iid N(0, 1) (unit variance), the same for every scale. ' +
    'Dots: measured here, up to {queries} queries; ticks and lines: expectation. ' +
    'Effective keys: the mean over queries of 1/Σp², of (Σp)²/Σp² where a row does not sum to 1. ' +
    'Fourth panel: the factor, for scores of deviation 1, at which one other key ' +
    'keeps 1/e of the top weight; grey: laws through the Gaussian at 64 keys. Triangles: recorded rows of the English ' +
    'model of attn-language, trained with 1/√d_k, on text that it has read.',
  panels: {
    scales: 'all scales',
    course: 'as n or dₖ grows',
    competitors: 'keys near the top score',
    growth: 'how scores should grow',
  },
  scalesPanel: 'Every scale, at this d_k and n',
  shareOfKeys: 'Effective keys / n',
  measures: {
    effectiveKeys: 'effective keys',
    maxWeight: 'largest weight',
    trace: 'trace of the Jacobian',
  },
  laws,
  competitors: 'others within 1 of the top score',
  competitorCurve: 'Others within a gap of the top score',
  gapAxis: 'gap, in deviations of the scores',
  growthCurve: 'σ / gap that holds one other key',
  gaussian: 'Gaussian',
  trainedLabel: 'trained',
  trainedHead: 'trained: {head}',
  recorded: 'recorded',
  asWide: 'Gaussian, as wide',
  difference: 'difference',
};
