// @slow
/**
 * A pool gives the bits of one thread: every function, on random shapes with all options, cut into any
 * number of parts, by workers and in slices.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as lab from '../../../web/attention/index.js';
import { whileIdle } from '../../../web/attention/kernel/active.js';
import { drawer, PROBLEMS } from '../attention/functions.js';
import { runs } from '../runs.js';
import { split } from '../../../web/parallel/split.js';
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

it('divides calls by items, heads and blocks of queries, unless that would change bits', () => {
  const draw = (/** @type {number[]} */ ...shape) => lab.randomNormal(shape, { seed: 1 });
  const [one, heads] = [draw(1, 2048, 4), draw(2, 3, 40, 4)];
  const weights = { queryWeight: draw(3, 4), keyWeight: draw(3, 4), scoreWeight: draw(3) };
  const bias = { data: new Float32Array(2048 * 2048).fill(1), shape: [2048, 2048] };
  /** Arguments, and the parts of six wanted. @type {[name: string, args: any[], parts: number][]} */
  const calls = [
    ['attention', [one, one, one], 6],
    ['attention', [one, one, one, { returns: 'meanWeights' }], 6],
    ['attention', [one, one, one, { returns: 'receivedWeight' }], 1],
    ['attention', [one, one, one, { mask: bias }], 0],
    ['attention', [heads, heads, heads], 6],
    ['attentionScores', [one, one], 6],
    ['attentionStatistics', [one, one], 6],
    ['attentionMap', [one, one, { rows: 16, columns: 3 }], 6],
    ['attentionMap', [one, one, { rows: 7, columns: 3 }], 1],
    ['additiveAttention', [one, one, one, weights], 6],
    ['attentionGradient', [heads, heads, heads, heads], 6],
    ['attentionGradient', [heads, heads, heads, heads, { sink: 1 }], 0],
    ['attentionGradient', [heads, heads, heads, heads, { temperature: 2 }], 0],
  ];
  for (const [name, args, parts] of calls) {
    const target = whileIdle(() => Reflect.get(lab, name)(...args));
    assert.equal(split(name, args, target, 6).length, parts, `${name} ${Object.keys(args.at(-1))}`);
  }
});
