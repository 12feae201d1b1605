// The words of <attn-precision> in English.

import { shared } from '../../kit/state/en/words.js';

export const words = {
  ...shared,
  name: 'What 16-bit formats do to attention',
  fields: { ...shared.fields, format: 'format' },
  options: { ...shared.options, fp16: 'fp16', bf16: 'bfloat16', fp32: 'float32', int8: 'int8' },
  title:
    'In {format} at d_k = {dK}, {product} of the unscaled scores overflow, ' +
    'and {zero} of the weights become exactly 0{scaled}',
  spoilt:
    'In {format} at d_k = {dK}, {product} of the unscaled scores overflow, ' +
    'at least one in every row',
  withScale: '; with the scale, {scaledZero}',
  caption:
    'Entries of q and k are iid normal with deviation {entrySize}, rounded to the format; {queries} queries, {keys} keys. Products are ' +
    'accumulated in float32, as matrix units do; every other result is rounded. ' +
    'Dashed: the common claim, that all of them fail. Marks: counted here. Lines: exact for normal entries, without the rounding, with the largest exponential in place of the sum.',
  panels: { products: 'scores', exponentials: 'exponentials', weights: 'weights' },
  expPanel: 'Max kept: exp overflows',
  zeroPanel: 'Minus max: weight is 0',
  above: 'above {limit}',
  below: 'below max − {limit}',
  folk: 'claim: all',
  rows: 'rows',
  entries: 'scores',
  productOverflow: 'q·k overflows',
  expOverflow: 'exp overflows',
  expOverflowRows: 'rows where exp overflows',
  zeroWeights: 'weight is 0',
  int8: {
    title:
      'In int8 at d_k = {dK}, the unscaled weights are off by {kept}, ' +
      'and by {off} with the mean key taken off first{scaled}',
    withScale: '; with the scale, by {kept} and {off}',
    caption:
      'Entries of q and k are iid normal with deviation {entrySize}; all keys share a vector whose entries are {shared} times as large; {queries} queries, {keys} keys. ' +
      'Each query and each key is rounded to whole numbers from −127 to 127 times a step of its own; their products are exact. ' +
      'Errors are those that softmax sees, against float32: of scores less their mean in a query; of weights, the share that is on other keys.',
    note: 'Softmax does not see what all keys share, but it makes the steps of int8 longer. Where keys share nothing, taking the mean off gains nothing: the scaled weights are off by {kept} with it and {off} without.',
    scores: 'Scores are off by',
    exponentials: 'Exponentials are off by',
    weights: 'Weights are off by',
    atShared: 'shared vector: {shared}',
    atDimension: 'd_k = {dK}',
    size: 'shared vector',
    centred: 'mean off',
    ofCentred: '{title} (mean off)',
    kept: 'weights off by',
    off: 'mean key taken off',
    keptScores: 'scores off by',
    offScores: 'scores, mean taken off',
  },
  note: 'Entries of size {size} would bring the unscaled scores at d_k = {dK} to the end of the format at 4σ.',
};
