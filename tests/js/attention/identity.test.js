/**
 * The same C in two builds: the translation to JavaScript gives the results of the simd module bit
 * for bit (NaN in the same places). The kernels are compared in everything they do.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKernel } from '../../../web/attention/index.js';
import { runs } from '../runs.js';
import { COMPUTED, compute } from './computations.js';

const simd = await createKernel({ backend: 'simd' });
const js = await createKernel({ backend: 'js' });

/** Returns all numbers of a result; unlike the bytes of a Float32Array, one NaN is like another.
 *  @param {any} result @returns {any} */
function entries(result) {
  if (result.data) return { shape: result.shape, data: [...result.data] };
  if (typeof result !== 'object') return result;
  return Object.entries(result).map(([name, part]) => [name, entries(part)]);
}

for (const name of COMPUTED) {
  test(`${name}: the simd and the js backend give the same bits`, () => {
    for (let seed = 1; seed <= runs(100).numRuns; seed++) {
      const expected = entries(compute(simd, name, seed));
      assert.deepEqual(entries(compute(js, name, seed)), expected, `problem ${seed}`);
    }
  });
}

test('random numbers: the simd and the js backend give the same bits', () => {
  for (const options of [{ seed: 0 }, { seed: 2 ** 53 - 1, stream: 2 ** 40 + 3 }]) {
    for (const n of [1, 2, 3, 7, 1000, 100_003]) {
      assert.deepEqual(js.randomNormal([n], options), simd.randomNormal([n], options));
      assert.deepEqual(js.randomUniform([n], options), simd.randomUniform([n], options));
    }
  }
});
