// The start of queries and keys, as a choice of several figures: how wide their entries are.

import { START_KEYS, startVariance } from '../../shared/starts.js';
import { choiceField } from '../kit/state/state.js';

/** @import { StartKey } from '../../shared/starts.js' */

export const startField = () => choiceField({ initial: 'unit', options: START_KEYS });

/** Returns the deviation of the entries of queries and keys. @param {{ start: StartKey }} state */
export const entrySizeOf = ({ start }) => Math.sqrt(startVariance(start));

/** The variance v of an entry, in captions. @type {Record<StartKey, string>} */
export const VARIANCES = {
  unit: '1',
  'nn-linear': '1/3',
  multihead: '1/2',
  glorot: '16/9',
  'gpt-2': '0.307',
};

/** The factor v, behind a root. @type {Record<StartKey, string>} */
export const BY_VARIANCE = {
  unit: '',
  'nn-linear': '/3',
  multihead: '/2',
  glorot: '·16/9',
  'gpt-2': '·0.307',
};
