// Faults of the package that every engine can be made to have. Each case has a realm for itself: a process, or a
// page.

import { ENVIRONMENT } from './environment.js';
import { INPUT } from './input.js';
import { LIFE_CYCLE } from './life-cycle.js';
import { MEMORY } from './memory.js';
import { TRAINING } from './training.js';

/** The cases by part, and by the sentence that is their test's title. */
export const PARTS = {
  input: INPUT,
  memory: MEMORY,
  'life cycle': LIFE_CYCLE,
  training: TRAINING,
  environment: ENVIRONMENT,
};

/** @param {string} title */
export function caseOf(title) {
  const found = Object.values(PARTS).find((cases) => title in cases);
  if (!found) throw new Error(`there is no case '${title}'`);
  return found[title];
}
