// In a fresh process or page, where no code has been optimised yet: a first, long call against the
// best of some later ones.
import { processorClock, timeOf } from '../clock.js';
import { openContender } from '../contenders.js';
import { makeProblem } from '../problems.js';
import { shapeName } from './results.js';

/** @import { Options, Part } from './results.js' */

const [N, D] = [4096, 64];
const LATER_CALLS = 5;

/**
 * @param {Options & { backend: 'simd' | 'relaxed' }} options
 * @returns {Promise<Part[]>}
 */
export default async function measureFirstCall({ backend, files }) {
  const contender = await openContender(backend, files);
  if (!contender) return [];
  const call = await contender.prepare(makeProblem('forward', { n: N, d: D }));
  const times = [];
  for (let i = 0; i <= LATER_CALLS; i++) times.push(await timeOf(processorClock, call));
  const value = times[0] / Math.min(...times.slice(1));
  return [{ row: 'first-call', backend, shape: shapeName(N, D), value, milliseconds: times[0] }];
}
