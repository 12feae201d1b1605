// In a fresh process or page: import, start and the first attention at n = 128, d = 64.
import { processorClock, timeOf } from '../clock.js';
import { openContender } from '../contenders.js';
import { makeProblem } from '../problems.js';
import { shapeName } from './results.js';

/**
 * @import { ContenderName, Files } from '../contenders.js'
 * @import { Problem } from '../problems.js'
 * @import { Options, Part } from './results.js'
 */

const [N, D] = [128, 64];
/** Milliseconds that a page just loaded is left alone: a browser still starts further processes, and
 *  the import of an empty module takes twice as long. */
const SETTLED = 500;

/**
 * @param {Options & { contender: ContenderName }} options
 * @returns {Promise<Part[]>} value in wall-clock milliseconds, as a reader waits
 *   for them on a page at rest; milliseconds of the processor; none where the engine lacks the contender
 */
export default async function measureStartUp({ contender, files }) {
  const problem = makeProblem('forward', { n: N, d: D });
  let isThere = false;
  let value = NaN;
  await new Promise((resolve) => setTimeout(resolve, SETTLED));
  const milliseconds = await timeOf(processorClock, async () => {
    const begin = performance.now();
    isThere = await computeOnce(contender, problem, files);
    value = performance.now() - begin;
  });
  const row = contender === 'first' ? 'start-up' : `start-up-${contender}`;
  return isThere ? [{ row, backend: 'simd', shape: shapeName(N, D), value, milliseconds }] : [];
}

/**
 * @param {ContenderName} name
 * @param {Problem} problem
 * @param {Files} files
 */
async function computeOnce(name, problem, files) {
  const contender = await openContender(name, files);
  const call = await contender?.prepare(problem);
  await call?.();
  return Boolean(contender);
}
