// Entropy, moments and their kin against PyTorch and float64 formulas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  attention,
  describe,
  effectiveKeys,
  entropy,
  jacobianTrace,
  randomNormal,
  softmax,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { goldenCases, toInput } from './golden.js';

/** @param {number} got @param {number} expected @param {number} tolerance relative to 1 or more */
function near(got, expected, tolerance) {
  const error = Math.abs(got - expected) / Math.max(1, Math.abs(expected));
  assert.ok(error <= tolerance, `${got} instead of ${expected}`);
}

/** @param {ReturnType<typeof describe>} got @param {Record<string, number>} expected
 *  @param {number} tolerance */
function moments(got, expected, tolerance) {
  assert.equal(got.count, expected.count);
  near(got.mean, expected.mean, tolerance);
  near(got.variance, expected.var_population, tolerance);
  near(got.skewness, expected.skewness_population, tolerance);
  near(got.excessKurtosis, expected.excess_kurtosis_population, tolerance);
  near(got.min, expected.min, tolerance);
  near(got.max, expected.max, tolerance);
}

test('the golden moments of inputs and of dot products are met', () => {
  for (const { inputs, variants, dims } of goldenCases('stats.json')) {
    const [q, k] = [inputs.q, inputs.k].map(toInput);
    const [golden] = variants;
    moments(describe(q), golden.components.q, 1e-12);
    moments(describe(k), golden.components.k, 1e-12);
    const value = { data: new Float32Array(0), shape: [dims.n_k, 0] };
    for (const [scale, expected] of /** @type {const} */ ([
      [1, golden.softmax_unscaled],
      [1 / Math.sqrt(dims.d), golden.softmax_scaled],
    ])) {
      const { weights, scores } = attention(q, k, value, { scale, returns: ['weights', 'scores'] });
      if (scale === 1) moments(describe(scores), golden.dot_products, 1e-6);
      const { data } = weights;
      const largest = Array.from({ length: dims.n_q }, (_, i) =>
        Math.max(...data.subarray(i * dims.n_k, (i + 1) * dims.n_k)),
      );
      near(oracle.sum(largest) / dims.n_q, expected.mean_max_weight, 1e-6);
      near(describe(entropy(weights)).mean, expected.mean_entropy_nats, 1e-6);
    }
  }
});

test('moments are those worked out by hand, and follow float64 far from zero', () => {
  const { mean, variance, skewness, excessKurtosis, min, max } = describe([1, 2, 3, 10]);
  assert.deepEqual([mean, variance, min, max], [4, 12.5, 1, 10]);
  near(skewness, 45 / 12.5 ** 1.5, 1e-15);
  near(excessKurtosis, 348.5 / 156.25 - 3, 1e-15);
  const { data } = randomNormal([5000], { seed: 9, mean: 1000, std: 0.25 });
  const far = describe(data);
  const near0 = describe(Float64Array.from(data, (x) => x - 1000)); // exact in float32
  near(far.mean, 1000 + near0.mean, 1e-13);
  near(far.variance, near0.variance, 1e-12);
  near(far.skewness, near0.skewness, 1e-9);
  near(far.excessKurtosis, near0.excessKurtosis, 1e-9);
});

test('moments that do not exist are NaN, and extremes neither overflow nor vanish', () => {
  const numbers = (/** @type {number[]} */ x) => Object.values(describe(x)).slice(1);
  assert.ok(numbers([]).every(Number.isNaN));
  for (const x of [[NaN, 2, 3], [1, NaN, 3], [1, 2, NaN]]) assert.ok(numbers(x).every(Number.isNaN)); // prettier-ignore
  const tenth = Math.fround(0.1);
  assert.deepEqual(numbers(Array(10).fill(0.1)), [tenth, 0, NaN, NaN, tenth, tenth]);
  const infinite = describe([1, -Infinity, 3]);
  assert.deepEqual([infinite.mean, infinite.min, infinite.max], [-Infinity, -Infinity, 3]);
  assert.ok(Number.isNaN(infinite.variance));
  const large = describe([2 ** 127, -(2 ** 127)]);
  assert.deepEqual([large.variance, large.excessKurtosis], [2 ** 254, -2]);
  const small = describe([2 ** -149, 0]);
  assert.deepEqual([small.variance, small.excessKurtosis], [2 ** -300, -2]);
});

const distributions = fc
  .array(fc.double({ min: -30, max: 30, noNaN: true }), { minLength: 1, maxLength: 60 })
  .map((scores) => [...softmax(scores).data]);

test('entropy, effectiveKeys and jacobianTrace agree with float64 on any distribution', () => {
  fc.assert(
    fc.property(distributions, (p) => {
      const squares = oracle.sum(p, (x) => x * x);
      const magnitude = oracle.sum(p, (x) => (x ? x * (1 + Math.abs(Math.log(x))) : 0));
      assert.ok(oracle.errorInUnits(entropy(p).data, [oracle.entropy(p)], magnitude) <= 2);
      assert.equal(effectiveKeys(p).data[0], Math.fround(1 / squares));
      assert.equal(jacobianTrace(p).data[0], Math.fround(1 - squares));
    }),
    runs(1500),
  );
});

test('a uniform row and a one-hot row have the values they should', () => {
  const p = [Array(8).fill(1 / 8), [0, 0, 1, 0, 0, 0, 0, 0]];
  const lead = [2];
  assert.deepEqual(entropy(p), { data: Float32Array.of(Math.log(8), 0), shape: lead });
  assert.deepEqual(effectiveKeys(p), { data: Float32Array.of(8, 1), shape: lead });
  assert.deepEqual(jacobianTrace(p), { data: Float32Array.of(7 / 8, 0), shape: lead });
  assert.deepEqual(entropy([0.5, 0.5]).shape, []);
});

test('a row that attends nowhere has no keys, and passes no gradient', () => {
  const x = [[1, 2]];
  const { weights } = attention(x, x, x, { mask: [[false]], returns: ['weights'] });
  const never = { data: Float32Array.of(0), shape: [1] };
  assert.deepEqual(effectiveKeys(weights), never);
  assert.deepEqual(jacobianTrace(weights), never);
  const empty = { data: [], shape: [2, 0] };
  assert.deepEqual(effectiveKeys(empty), { data: Float32Array.of(0, 0), shape: [2] });
  assert.deepEqual(jacobianTrace(empty), { data: Float32Array.of(0, 0), shape: [2] });
  assert.ok(Number.isNaN(effectiveKeys([0, NaN]).data[0]));
  assert.ok(Number.isNaN(jacobianTrace([0, NaN]).data[0]));
});

test('wrong arguments are named with the expected ones', () => {
  for (const [name, call] of Object.entries({ entropy, effectiveKeys, jacobianTrace })) {
    assert.throws(() => call({ data: [1], shape: [] }), {
      name: 'ShapeError',
      message: `${name}: p is [], expected at least one axis`,
    });
  }
});
