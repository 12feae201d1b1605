/** Timing in a page, over spans long enough for a coarse clock. */
import { now } from '../shared/pause.js';

/**
 * Browsers step their clock by up to 0.1 ms (1 ms in some), so that a time of this length is known to
 * 0.5 %. Those that resist fingerprinting step by 16.7 ms and more.
 */
export const SPELL_MILLISECONDS = 20;
/** A time of this many steps of the clock, or batches of calls, is known to 12 %. */
export const PARTS = 8;

/** Waits for the clock's next step, and returns its moment in milliseconds. */
function nextStep() {
  const before = now();
  let after;
  do after = now();
  while (after === before);
  return after;
}

/** Returns the milliseconds by which the clock steps. @returns {number} */
export const clockStep = () => -nextStep() + nextStep();

/**
 * Repeats calls from one step of the clock to another until a time has passed. It takes longer for
 * calls of about a step or more, which end between two steps.
 * @param {() => unknown} call
 * @param {number} milliseconds
 * @param {number} [batch] calls between two looks at the clock
 * @param {number} [step] of the clock, to let several of them go by
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
