import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, randomNormal, randomUniform } from '../../../web/attention/index.js';

test('the same seed and stream give the same numbers, another seed or stream others', () => {
  for (const draw of [randomNormal, randomUniform]) {
    const first = draw([4, 5], { seed: 7, stream: 3 });
    assert.deepEqual(draw([4, 5], { seed: 7, stream: 3 }), first);
    assert.deepEqual(first.shape, [4, 5]);
    for (const other of [{ seed: 8, stream: 3 }, { seed: 7, stream: 4 }, { seed: 7 }]) {
      assert.notDeepEqual(draw([4, 5], other).data, first.data);
    }
  }
});

test('all 53 bits of seed and stream count', () => {
  const draws = [0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 52, 2 ** 53 - 1].flatMap((x) => [
    randomUniform([4], { seed: x }),
    randomUniform([4], { seed: 1, stream: x }),
  ]);
  const seen = new Set(draws.map(({ data }) => data.join()));
  assert.equal(seen.size, draws.length - 1); // seed 1 with stream 0 comes twice
});

test('a longer tensor begins with the numbers of a shorter one', () => {
  for (const draw of [randomNormal, randomUniform]) {
    const long = draw([100], { seed: 5 }).data;
    for (const n of [1, 2, 3, 4, 5, 63]) {
      assert.deepEqual(draw([n], { seed: 5 }).data, long.subarray(0, n));
    }
  }
});

test('normal numbers have mean, deviation and tails of a normal distribution', () => {
  const n = 200_000;
  const got = describe(randomNormal([n], { seed: 1, mean: 3, std: 2 }));
  const error = 5 / Math.sqrt(n); // five standard errors
  assert.ok(Math.abs(got.mean - 3) < 2 * error);
  assert.ok(Math.abs(got.variance - 4) < 4 * Math.SQRT2 * error);
  assert.ok(Math.abs(got.skewness) < Math.sqrt(6) * error);
  assert.ok(Math.abs(got.excessKurtosis) < Math.sqrt(24) * error);
});

test('uniform numbers fill [low, high) evenly', () => {
  const n = 200_000;
  const { data } = randomUniform([n], { seed: 1, low: -2, high: 6 });
  const got = describe(data);
  assert.ok(got.min >= -2 && got.max < 6);
  assert.ok(Math.abs(got.mean - 2) < (5 * 8) / Math.sqrt(12 * n));
  const counts = new Array(16).fill(0);
  for (const x of data) counts[Math.floor((x + 2) * 2)]++;
  const chiSquare = counts.reduce((total, c) => total + (c - n / 16) ** 2 / (n / 16), 0);
  assert.ok(chiSquare < 45, `χ² of 15 degrees of freedom is ${chiSquare}`);
});

test('empty shapes, no spread and an empty interval are fine', () => {
  assert.deepEqual(randomNormal([0, 3], { seed: 1 }), { data: new Float32Array(0), shape: [0, 3] });
  assert.equal(randomNormal([], { seed: 1 }).data.length, 1);
  assert.deepEqual([...randomNormal([2], { seed: 1, mean: 5, std: 0 }).data], [5, 5]);
  assert.deepEqual([...randomUniform([2], { seed: 1, low: 2, high: 2 }).data], [2, 2]);
});

test('wrong arguments are named with what was expected', () => {
  const seedError = (/** @type {unknown} */ got) =>
    `randomNormal: seed is ${got}, expected a non-negative safe integer`;
  const cases = /** @type {[() => unknown, string, string][]} */ ([
    [() => randomNormal([2], /** @type {any} */ (undefined)), 'DTypeError', seedError('undefined')],
    [() => randomNormal([2], /** @type {any} */ ({})), 'DTypeError', seedError('undefined')],
    [() => randomNormal([2], { seed: -1 }), 'DTypeError', seedError(-1)],
    [() => randomNormal([2], { seed: 1.5 }), 'DTypeError', seedError(1.5)],
    [() => randomNormal([2], { seed: 2 ** 53 }), 'DTypeError', seedError(2 ** 53)],
    [() => randomNormal([2], { seed: /** @type {any} */ (1n) }), 'DTypeError', seedError('1n')],
    [() => randomUniform([2], { seed: 1, stream: -1 }), 'DTypeError', 'randomUniform: stream is -1, expected a non-negative safe integer'],
    [() => randomNormal([2], { seed: 1, std: -1 }), 'DTypeError', 'randomNormal: std is -1, expected at least 0'],
    [() => randomNormal([2], { seed: 1, mean: NaN }), 'DTypeError', 'randomNormal: mean is NaN, expected a finite float32 number'],
    [() => randomUniform([2], { seed: 1, low: 2 }), 'DTypeError', 'randomUniform: low is 2, expected at most high 1'],
    [() => randomUniform([2], /** @type {any} */ ({ seed: 1, mean: 2 })), 'DTypeError', "randomUniform: unknown option 'mean', expected one of seed, stream, low, high"],
    [() => randomNormal([-2], { seed: 1 }), 'ShapeError', 'randomNormal: shape[0] is -2, expected a non-negative integer'],
    [() => randomNormal(/** @type {any} */ (5), { seed: 1 }), 'ShapeError', 'randomNormal: shape is 5, expected an array of non-negative integers'],
    [() => randomNormal([2 ** 31, 4], { seed: 1 }), 'CapacityError', 'randomNormal: a result of [2147483648, 4] needs 34359738368 bytes, expected at most 4 GiB'],
  ]); // prettier-ignore
  for (const [call, name, message] of cases) assert.throws(call, { name, message });
});
