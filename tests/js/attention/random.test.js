// Random numbers: the promises of seeds and streams, and their distributions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNormal, randomUniform } from '../../../web/attention/index.js';

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

/**
 * Returns the random words of a seed below 2³²: Philox4x32-10 as it is published.
 * @param {number} seed
 * @param {number} count
 */
function wordsOf(seed, count) {
  const words = new Uint32Array(count);
  /**
   * Returns the low and the high word of a product, from exact products with 16 bits.
   * @param {number} x
   * @param {number} y
   */
  const multiply = (x, y) => {
    const low = (x & 0xffff) * y;
    return [Math.imul(x, y), Math.floor(((x >>> 16) * y + Math.floor(low / 65536)) / 65536)];
  };
  for (let block = 0; block < count / 4; block++) {
    let [a, b, c, d] = [block, 0, 0, 0];
    let [k, l] = [seed, 0];
    for (let round = 0; round < 10; round++) {
      const [low0, high0] = multiply(0xd2511f53, a);
      const [low1, high1] = multiply(0xcd9e8d57, c);
      [a, b, c, d] = [high1 ^ b ^ k, low1, high0 ^ d ^ l, low0].map((word) => word >>> 0);
      [k, l] = [(k + 0x9e3779b9) >>> 0, (l + 0xbb67ae85) >>> 0];
    }
    words.set([a, b, c, d], 4 * block);
  }
  return words;
}

const WORDS = wordsOf(1, 2 ** 20);
const U = 2 ** -24;

test('normal numbers are within the documented error of float64', () => {
  for (const [mean, std] of [
    [0, 1],
    [-40, 3],
  ]) {
    const { data } = randomNormal([WORDS.length], { seed: 1, mean, std });
    let worst = 0;
    for (let i = 0; i < data.length; i += 2) {
      const r = Math.sqrt(-2 * Math.log(((WORDS[i] >>> 1) + 0.5) / 2 ** 31));
      const angle = (2 * Math.PI * WORDS[i + 1]) / 2 ** 32;
      const bound = U * (5 * std * (r + 1 / r) + Math.abs(mean));
      const errors = [data[i] - mean - std * r * Math.cos(angle), data[i + 1] - mean - std * r * Math.sin(angle)]; // prettier-ignore
      worst = Math.max(worst, ...errors.map((error) => Math.abs(error) / bound));
    }
    assert.ok(worst <= 1, `${worst} of the bound at mean ${mean}`);
  }
});

test('uniform numbers are within the documented error of float64', () => {
  const intervals = [[0, 1], [-1, 1], [-2.3, 6.7], [-0.0156, 0.0159], [1000, 1001], [-3e38, 3e38]]; // prettier-ignore
  for (const [low, high] of intervals.map((ends) => ends.map(Math.fround))) {
    const { data } = randomUniform([WORDS.length], { seed: 1, low, high });
    const isExact = high === 1;
    const bound = isExact ? 0 : 6 * U * Math.max(Math.abs(low), Math.abs(high));
    let worst = 0;
    for (let i = 0; i < data.length; i++) {
      const exact = low + (high - low) * ((WORDS[i] >>> 8) * U);
      worst = Math.max(worst, Math.abs(data[i] - exact));
    }
    assert.ok(worst <= bound, `${worst} exceeds ${bound} in [${low}, ${high})`);
  }
});

test('empty shapes, no spread and an empty interval are fine', () => {
  assert.deepEqual(randomNormal([0, 3], { seed: 1 }), { data: new Float32Array(0), shape: [0, 3] });
  assert.equal(randomNormal([], { seed: 1 }).data.length, 1);
  assert.deepEqual([...randomNormal([2], { seed: 1, mean: 5, std: 0 }).data], [5, 5]);
  assert.deepEqual([...randomUniform([2], { seed: 1, low: 2, high: 2 }).data], [2, 2]);
});

test('wrong arguments are named with the expected ones', () => {
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
    [() => randomUniform([2], /** @type {any} */ ({ seed: 1, mean: 2 })), 'DTypeError', "randomUniform: unknown option 'mean', expected one of seed, stream, low, high, into"],
    [() => randomNormal([-2], { seed: 1 }), 'ShapeError', 'randomNormal: shape[0] is -2, expected a non-negative integer'],
    [() => randomNormal(/** @type {any} */ (5), { seed: 1 }), 'ShapeError', 'randomNormal: shape is 5, expected an array, as in randomNormal([5, …], { seed: 1 })'],
    [() => randomNormal([2 ** 31, 4], { seed: 1 }), 'CapacityError', 'randomNormal: a result of [2147483648, 4] needs 34359738368 bytes, expected at most 4 GiB'],
  ]); // prettier-ignore
  for (const [call, name, message] of cases) assert.throws(call, { name, message });
});
