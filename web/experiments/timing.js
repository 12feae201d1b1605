/**
 * Timing in a page: spells long enough for a coarse clock.
 */
import { now } from '../shared/pause.js';

/**
 * Browsers step their clock by up to 0.1 ms (1 ms in some): so long a time is read to 0.5 %. Those that
 * hide what tells devices apart step by 16.7 ms and more.
 */
export const SPELL_MILLISECONDS = 20;
/** By so many steps of the clock, or so many batches of calls, a time is known to 12 %. */
export const PARTS = 8;

/** @returns {number} milliseconds: the moment of the clock's next step, for which it waits */
function nextStep() {
  const before = now();
  let after;
  do after = now();
  while (after === before);
  return after;
}

/** @returns {number} milliseconds by which the clock steps */
export const clockStep = () => -nextStep() + nextStep();

/**
 * Calls again and again, from one step of the clock to another, until so much time has gone by. Of
 * calls about as long as a step or longer, which end anywhere between two, it takes more.
 * @param {() => unknown} call
 * @param {number} milliseconds
 * @param {number} [batch] calls between two looks at the clock
 * @param {number} [step] of the clock, where several of them are to go by
 * @returns {{ milliseconds: number, repetitions: number }} milliseconds a call; never 0
 */
export function timeFor(call, milliseconds, batch = 1, step = 0) {
  const start = nextStep();
  let elapsed = 0;
  let batches = 0;
  let before;
  do {
    before = elapsed;
    for (let i = 0; i < batch; i++) call();
    batches++;
    elapsed = now() - start;
  } while (
    elapsed < milliseconds ||
    elapsed === before ||
    (batches < PARTS && elapsed < PARTS * step)
  );
  const repetitions = batches * batch;
  return { milliseconds: elapsed / repetitions, repetitions };
}
