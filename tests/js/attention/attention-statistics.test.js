// Statistics of attention, its maps and moments of scores: against PyTorch in float64, against the weights
// themselves, and where there are too many of these.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attention,
  attentionMap,
  attentionScores,
  attentionStatistics,
  randomNormal,
  scoreMoments,
} from '../../../web/attention/index.js';
import { empty } from './problems.js';
import { EPSILON, matrixOf } from '../oracle.js';
import { modernCases as golden, read, toNumber } from './golden.js';

/**
 * @import { Tensor } from '../../../web/attention/index.js'
 * @import { ModernTensor as Golden } from './golden.js'
 */

/** Returns the worst error, in units of 2^-24·max(1, |x|). @param {Tensor} got @param {Golden} expected */
function errorOf(got, { data, shape }) {
  assert.deepEqual(got.shape, shape);
  return data.map(toNumber).reduce((worst, x, i) => {
    if (Object.is(got.data[i], x)) return worst;
    const error = Math.abs(got.data[i] - x) / (EPSILON * Math.max(1, Math.abs(x)));
    return Math.max(worst, Number.isNaN(error) ? Infinity : error);
  }, 0);
}

/** The bounds that the manual states. @type {Record<string, number>} */
const BOUNDS = { entropy: 7.5, effectiveKeys: 17, jacobianTrace: 4.2, largestScore: 5.1 };

for (const { name, query, key, options, results, map } of golden('statistics.json')) {
  const [q, k] = [read(query), read(key)];
  const all = { ...options, ...(options.mask && { mask: read(options.mask) }) };
  test(`statistics are those of PyTorch: ${name}`, () => {
    const got = attentionStatistics(q, k, { ...all, returns: Object.keys(results) });
    for (const [result, expected] of Object.entries(results)) {
      const error = errorOf(Reflect.get(got, result), expected);
      assert.ok(error <= (BOUNDS[result] ?? 3.1), `${result} is ${error} off`);
    }
    const { rows = 1, columns = 1, ...pools } = map ?? {};
    for (const [pool, expected] of Object.entries(pools)) {
      const error = errorOf(attentionMap(q, k, { ...all, rows, columns, pool }).weights, expected);
      assert.ok(error <= 3.1, `${pool} is ${error} off`);
    }
  });
}

test('the entropy is what a fused call with keys as values gives: ln Z − c q·o', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([256, 64], { seed }));
  for (const { scale, error } of [
    { scale: 1 / 8, error: 1e-6 },
    { scale: 1, error: 2e-5 },
  ]) {
    const { entropy } = attentionStatistics(query, key, { scale, returns: ['entropy'] });
    const { output, logSumExp } = attention(query, key, key, { scale, returns: ['logSumExp'] });
    entropy.data.forEach((expected, i) => {
      let score = 0;
      for (let e = 0; e < 64; e++) score += query.data[64 * i + e] * output.data[64 * i + e];
      const found = logSumExp.data[i] - scale * score;
      assert.ok(Math.abs(found - expected) <= error, `query ${i}: ${found} and ${expected}`);
    });
  }
});

test('moments of scores are those of PyTorch', () => {
  for (const { query, key, ...expected } of golden('moments.json')) {
    const [got] = scoreMoments(read(query), read(key));
    assert.deepEqual(Object.keys(got), Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) {
      assert.ok(Math.abs(Reflect.get(got, name) - value) <= 1e-14 * Math.abs(value), name);
    }
  }
});

test('moments of grouped heads are those of each pair of a head and its keys', () => {
  const [query, key] = [
    randomNormal([2, 4, 6, 3], { seed: 1 }),
    randomNormal([2, 2, 5, 3], { seed: 2 }),
  ];
  scoreMoments(query, key).forEach((moments, head) => {
    const alone = scoreMoments(matrixOf(query, head), matrixOf(key, Math.floor(head / 2)));
    assert.deepEqual([moments], alone);
  });
  const noRows = { data: new Float32Array(0), shape: [0, 3] };
  assert.deepEqual(scoreMoments(noRows, matrixOf(key)), []);
  const [none] = scoreMoments(matrixOf(query), noRows);
  assert.ok(Number.isNaN(none.scoreMean) && Number.isNaN(none.rmsKey));
});

const [query, key, value] = [1, 2, 3].map((seed) => randomNormal([2, 2, 70, 8], { seed }));
const options = { causal: /** @type {const} */ (true), sink: 0.5, softcap: 3 };

test('statistics beside an output are those alone, one by one or together, and leave it as it is', () => {
  const { receivedWeight } = attentionStatistics(query, key, {
    ...options,
    returns: 'receivedWeight',
  });
  const all = { ...attentionStatistics(query, key, options), receivedWeight };
  const names = /** @type {(keyof typeof all)[]} */ (Object.keys(all));
  assert.equal(names.length, 13);
  const { output } = attention(query, key, value, options);
  const beside = attention(query, key, value, { ...options, returns: names });
  assert.deepEqual(beside, { output, ...all });
  for (const name of names) {
    assert.deepEqual(attentionStatistics(query, key, { ...options, returns: name }), {
      [name]: all[name],
    });
  }
  const { weights } = attentionScores(query, key, { ...options, returns: 'weights' });
  const entropy = new Float32Array(2 * 2 * 70);
  const portions = attention(query, key, value, {
    ...options,
    returns: ['weights', 'entropy', 'receivedWeight'],
    into: { entropy },
  });
  assert.equal(portions.entropy.data, entropy);
  assert.deepEqual(portions, { output, weights, entropy: all.entropy, receivedWeight });
});

test('the sink has a weight only where there is one, unless it is asked for', () => {
  const names = Object.keys(attentionStatistics(query, key));
  assert.equal(names.includes('sinkWeight') || names.includes('receivedWeight'), false);
  const { sinkWeight } = attentionStatistics(query, key, { returns: 'sinkWeight' });
  assert.ok(sinkWeight.data.every((x) => x === 0));
});

test('empty inputs have empty or zero results', () => {
  const noKeys = attentionStatistics(randomNormal([3, 2], { seed: 1 }), empty(0, 2), {
    returns: ['entropy', 'logSumExp', 'scoreMean', 'receivedWeight'],
  });
  assert.deepEqual([...noKeys.entropy.data], [0, 0, 0]);
  assert.deepEqual([...noKeys.logSumExp.data], Array(3).fill(-Infinity));
  assert.deepEqual([...noKeys.scoreMean.data], Array(3).fill(NaN));
  assert.deepEqual(noKeys.receivedWeight, empty(0));
  const noQueries = attentionStatistics(empty(0, 2), randomNormal([3, 2], { seed: 1 }), {
    returns: ['entropy', 'receivedWeight'],
  });
  assert.deepEqual(noQueries.entropy, empty(0));
  assert.deepEqual([...noQueries.receivedWeight.data], [0, 0, 0]);
});

test('names of results and blocks that are not there are errors', () => {
  const call = /** @type {any} */ (attentionStatistics);
  assert.throws(() => call(query, key, { returns: 'weights' }), {
    name: 'DTypeError',
    message: /^attentionStatistics: returns is 'weights', expected one of 'logSumExp', 'entropy', /,
  });
  assert.throws(() => attentionMap(query, key, { rows: 71, columns: 2 }), {
    name: 'DTypeError',
    message: 'attentionMap: rows is 71, expected at most 70, one a block',
  });
  const map = /** @type {any} */ (attentionMap);
  assert.throws(() => map(query, key, { rows: 2 }), /columns is undefined, expected a positive/);
  assert.throws(
    () => map(query, key, { rows: 2, columns: 2, pool: 'min' }),
    /one of 'mean', 'max'/,
  );
});

test('65 536 queries and keys have statistics and a picture, but no matrix', () => {
  const x = randomNormal([2 ** 16, 4], { seed: 1 });
  const near = { window: /** @type {const} */ ([60, 0]) };
  const { entropy, visibleKeys } = attentionStatistics(x, x, { ...near, returns: ['entropy', 'visibleKeys'] }); // prettier-ignore
  assert.equal(visibleKeys.data[2 ** 16 - 1], 61);
  assert.ok(entropy.data.every((h, i) => h >= 0 && h <= Math.log(visibleKeys.data[i]) + 1e-5));
  const { weights } = attentionMap(x, x, { ...near, rows: 64, columns: 64 });
  assert.equal(weights.data[1], 0);
  const total = weights.data.reduce((sum, mean) => sum + mean, 0) * 1024;
  assert.ok(Math.abs(total - 64) <= 1e-3, String(total));
});
