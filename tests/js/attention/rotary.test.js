// Rotary position embedding against PyTorch, and its properties.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomNormal, rotary } from '../../../web/attention/index.js';
import { EPSILON } from '../oracle.js';
import { runs } from '../runs.js';
import { modernCases, read } from './golden.js';

/** @import { RotaryOptions, Tensor } from '../../../web/attention/index.js' */

/** Returns the largest difference. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const distance = (a, b) => Math.max(0, ...Array.from(a, (x, i) => Math.abs(x - b[i])));

for (const { x, options, y } of modernCases('rotary.json')) {
  test(`rows are turned as PyTorch turns them: ${JSON.stringify(options)}`, () => {
    const { data, shape } = rotary(read(x), options);
    assert.deepEqual(shape, y.shape);
    assert.ok(distance(data, y.data) <= 4 * EPSILON * Math.max(...y.data.map(Math.abs)));
  });
}

const problems = fc.record({
  n: fc.integer({ min: 0, max: 30 }),
  half: fc.integer({ min: 0, max: 20 }),
  base: fc.constantFrom(10000, 500000, 3, 1),
  pairing: fc.constantFrom(/** @type {const} */ ('halves'), 'neighbours'),
  seed: fc.nat(),
});

/** Returns each pair turned in float64. @param {Tensor} x @param {Required<Pick<RotaryOptions, 'base' |
 *  'pairing'>>} options @param {number[]} positions */
function turned({ data, shape }, { base, pairing }, positions) {
  const d = shape[shape.length - 1];
  const result = new Float64Array(data.length);
  for (let row = 0; row * d < data.length; row++) {
    for (let i = 0; i < d / 2; i++) {
      const angle = positions[row] * base ** ((-2 * i) / d);
      const [a, b] = pairing === 'halves' ? [i, i + d / 2] : [2 * i, 2 * i + 1];
      const [u, v] = [data[row * d + a], data[row * d + b]];
      result[row * d + a] = u * Math.cos(angle) - v * Math.sin(angle);
      result[row * d + b] = u * Math.sin(angle) + v * Math.cos(angle);
    }
  }
  return result;
}

test('pairs are turned by their angles, and back by the inverse', () => {
  fc.assert(
    fc.property(problems, ({ n, half, base, pairing, seed }) => {
      const x = randomNormal([n, 2 * half], { seed });
      const positions = [...randomNormal([n], { seed, stream: 1, std: 50 }).data];
      const options = { base, pairing, positions };
      const y = rotary(x, options);
      const bound = 4 * EPSILON * Math.max(0, ...x.data.map(Math.abs));
      assert.ok(distance(y.data, turned(x, options, positions)) <= 2 * bound);
      assert.ok(distance(rotary(y, { ...options, inverse: true }).data, x.data) <= 3 * bound);
    }),
    runs(200),
  );
});

test('wrong shapes and options are named with the expected ones', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  const cases = /** @type {[any, any, string, string][]} */ ([
    [[1, 2], {}, 'ShapeError', 'x is [2], expected [..., n, d]'],
    [[[1, 2, 3]], {}, 'ShapeError', 'x is [1, 3], expected an even last axis'],
    [x, { positions: [1] }, 'ShapeError', 'positions has length 1, expected 3, one a row of x'],
    [x, { positions: 7 }, 'DTypeError', 'positions is 7, expected an array of numbers'],
    [x, { positions: [1, NaN, 2] }, 'DTypeError', 'positions[1] is NaN, expected a number up to 2^30 in size'],
    [x, { positions: [1, 1e12, 2] }, 'DTypeError', 'positions[1] is 1000000000000, expected a number up to 2^30 in size'],
    [x, { base: 0 }, 'DTypeError', 'base is 0, expected a number from 1 to 2^1000'],
    [x, { base: Infinity }, 'DTypeError', 'base is Infinity, expected a number from 1 to 2^1000'],
    [x, { pairing: 'pairs' }, 'DTypeError', "pairing is 'pairs', expected one of 'halves', 'neighbours'"],
    [x, { inverse: 1 }, 'DTypeError', 'inverse is 1, expected one of false, true'],
  ]); // prettier-ignore
  for (const [input, options, name, message] of cases) {
    assert.throws(() => rotary(input, options), { name, message: `rotary: ${message}` });
  }
});
