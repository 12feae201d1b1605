/**
 * A pool gives the bits of one thread: every function, on random shapes with all options, cut into any
 * number of parts, by workers and in slices.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as lab from '../../../web/attention/index.js';
import { drawer, PROBLEMS } from '../attention/functions.js';
import { runs } from '../runs.js';
import { eagerPool } from './eager.js';

/** Problems of each function that is divided; others have 30. @type {Record<string, number>} */
const COUNTS = {
  attention: 500,
  attentionScores: 200,
  attentionStatistics: 200,
  attentionMap: 200,
  attentionGradient: 300,
  additiveAttention: 200,
};

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

    for (const [name, { args: argsOf }] of Object.entries(PROBLEMS)) {
      it(`${name} gives the bits of one thread`, async () => {
        const { pool, parts } = eager;
        const count = Math.ceil((COUNTS[name] ?? 30) / (workers ? 1 : 5));
        for (let seed = 1; seed <= runs(count).numRuns; seed++) {
          const draw = drawer(seed, 600);
          const args = argsOf(/** @type {any} */ (lab), draw);
          parts.count = draw.choose([1, 2, 3, 5, 8, 13, 40]);
          const expected = bitsOf(Reflect.get(lab, name)(...args));
          const actual = bitsOf(await pool.call(name, args));
          assert.ok(isDeepStrictEqual(actual, expected), `problem ${seed} in ${parts.count} parts`);
        }
        assert.equal(pool.size, workers);
      });
    }
  });
}
