/**
 * A pool gives the bits of one thread: every function, on random shapes with all options, cut into any
 * number of parts, by workers and in slices.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as lab from '../../../web/attention/index.js';
import * as FUNCTIONS from '../../../web/attention/functions.js';
import { runs } from '../runs.js';
import {
  additiveProblem,
  attentionProblem,
  eagerPool,
  layerProblem,
  otherProblem,
} from './problems.js';

/** @import { Problem } from './problems.js' */

/** Problems of each function, by its name; 500 of attention. @type {Record<string, [number, (seed: number) => Problem]>} */
const PROBLEMS = {
  attention: [500, (seed) => attentionProblem(seed, 'attention')],
  attentionScores: [200, (seed) => attentionProblem(seed, 'attentionScores')],
  attentionStatistics: [200, (seed) => attentionProblem(seed, 'attentionStatistics')],
  attentionMap: [100, (seed) => attentionProblem(seed, 'attentionMap')],
  attentionGradient: [500, (seed) => attentionProblem(seed, 'attentionGradient')],
  additiveAttention: [200, (seed) => additiveProblem(seed, 'additiveAttention')],
  additiveAttentionGradient: [60, (seed) => additiveProblem(seed, 'additiveAttentionGradient')],
  multiHeadAttention: [200, (seed) => layerProblem(seed, 'multiHeadAttention')],
  multiHeadAttentionGradient: [60, (seed) => layerProblem(seed, 'multiHeadAttentionGradient')],
};
for (const name of Object.keys(FUNCTIONS))
  PROBLEMS[name] ??= [30, (seed) => otherProblem(seed, name)];

/** Returns the words of all arrays of a result, and its numbers. NaN counts as one.
 *  @param {any} result @returns {any} */
function bitsOf(result) {
  if (typeof result === 'number') return Object.is(result, -0) ? '-0' : result;
  if (typeof result !== 'object' || result === null) return result;
  if (!(result.data instanceof Float32Array)) {
    return Object.entries(result).map(([name, part]) => [name, bitsOf(part)]);
  }
  const words = new Uint32Array(result.data.slice().buffer);
  result.data.forEach((/** @type {number} */ x, /** @type {number} */ i) => {
    if (Number.isNaN(x)) words[i] = 0x7fc00000;
  });
  return { shape: result.shape, words };
}

for (const workers of [2, 0]) {
  describe(workers ? 'workers' : 'slices on the thread of the caller', () => {
    /** @type {ReturnType<typeof eagerPool>} */
    let eager;
    before(() => {
      eager = eagerPool(workers);
    });
    after(() => eager.pool.dispose());

    for (const [name, [count, problemOf]] of Object.entries(PROBLEMS)) {
      it(`${name} gives the bits of one thread`, async () => {
        const { pool, parts } = eager;
        const share = workers ? count : Math.ceil(count / 5);
        const all = [...Array(runs(share).numRuns).keys()].map((seed) => problemOf(seed + 1));
        for (const [seed, problem] of all.entries()) {
          parts.count = problem.parts;
          const expected = bitsOf(Reflect.get(lab, name)(...problem.args));
          const actual = bitsOf(await pool.call(name, problem.args));
          assert.deepEqual(actual, expected, `problem ${seed + 1} in ${problem.parts} parts`);
        }
        assert.equal(pool.size, workers);
      });
    }
  });
}
