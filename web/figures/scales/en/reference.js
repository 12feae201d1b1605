// What the reference says of <attn-scales> in English.

/** @import { ElementReference } from '../../kit/spec.js' */

/** @satisfies {ElementReference} */
export const reference = {
  summary:
    'Every scale in use, side by side for the same random queries and keys, and the chosen one as keys are added or d_k grows.',
  attributes: {
    keys: 'how many keys a query chooses from',
    factor: 'the scale looked at',
    measure: 'what is shown of a row of weights',
    across: 'what grows: keys or d_k',
    dK: 'length of queries and keys',
    temperature: 'of the factor 1/T',
    gain: 'of cosine similarity',
    trained: 'keys in training, of YaRN',
    queries: 'sample size',
    seed: 'of the random numbers',
  },
};
