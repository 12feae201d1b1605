/**
 * The same C in two builds: the translation to JavaScript gives the results of the simd module bit
 * for bit (NaN in the same places). The kernels are compared in everything they do.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKernel } from '../../../web/attention/index.js';
import { runs } from '../runs.js';
import { COMPUTATIONS } from './computations.js';

const simd = await createKernel({ backend: 'simd' });
const js = await createKernel({ backend: 'js' });

/** Returns all numbers of a result; unlike the bytes of a Float32Array, one NaN is like another.
 *  @param {any} result @returns {any} */
function entries(result) {
  if (result.data) return { shape: result.shape, data: [...result.data] };
  if (typeof result !== 'object') return result;
  return Object.entries(result).map(([name, part]) => [name, entries(part)]);
}

const problems = fc.record({
  heads: fc.integer({ min: 1, max: 3 }),
  nQ: fc.integer({ min: 0, max: 40 }),
  nK: fc.integer({ min: 0, max: 140 }),
  dK: fc.integer({ min: 1, max: 40 }),
  dV: fc.integer({ min: 0, max: 40 }),
  hidden: fc.integer({ min: 1, max: 40 }),
  std: fc.constantFrom(1e-20, 0.1, 1, 8, 1e15),
  causal: fc.constantFrom(.../** @type {const} */ ([false, 'upper-left', 'lower-right'])),
  masked: fc.boolean(),
  cosine: fc.boolean(),
  seed: fc.nat(),
});

/** How many problems, where not 300. @type {Record<string, number>} */
const RUNS = {
  'additive attention and its gradients': 200,
  'multi-head layers and their gradients': 150,
  '16-bit formats': 100,
};

test('computations.js uses every function whose numbers a kernel computes', () => {
  const used = new Set();
  const kernel = new Proxy(simd, {
    get(target, name) {
      used.add(name);
      return Reflect.get(target, name);
    },
  });
  for (const compute of Object.values(COMPUTATIONS)) {
    for (const problem of fc.sample(problems, { numRuns: 10, seed: 1 })) compute(kernel, problem);
  }
  const others = ['backend', 'dispose', 'parameterCount', 'toNested', 'rows', 'diagnose'];
  assert.deepEqual(
    [...used].sort(),
    Object.keys(simd)
      .filter((name) => !others.includes(name))
      .sort(),
  );
});

for (const [name, compute] of Object.entries(COMPUTATIONS)) {
  test(`${name}: the simd and the js backend give the same bits`, () => {
    fc.assert(
      fc.property(problems, (problem) => {
        assert.deepEqual(entries(compute(js, problem)), entries(compute(simd, problem)));
      }),
      runs(RUNS[name] ?? 300),
    );
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
