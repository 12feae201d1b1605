// Faults of figures that every engine can be made to have: a page that does something wrong, a look
// at it, and the view that a reader should have.

import { FILES } from './files.js';
import { LIFE_CYCLE } from './life-cycle.js';
import { LOADING } from './loading.js';
import { STATE } from './state.js';
import { SURROUNDINGS } from './surroundings.js';

/** The cases by part, and by the sentence that is their test's title. */
export const PARTS = {
  'policies and loading': LOADING,
  state: STATE,
  'files that people bring': FILES,
  'life cycle': LIFE_CYCLE,
  surroundings: SURROUNDINGS,
};
