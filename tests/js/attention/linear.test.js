// A linear map and its gradient against sums in float64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linear, linearGradient, randomNormal } from '../../../web/attention/index.js';
import { distance, EPSILON, matrixOf, sum } from '../oracle.js';
import { runs } from '../runs.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

const sizes = fc.record({
  rows: fc.integer({ min: 0, max: 20 }),
  dIn: fc.integer({ min: 0, max: 300 }),
  dOut: fc.integer({ min: 0, max: 20 }),
  seed: fc.nat(),
});

/** @param {number[][]} m @param {number} columns */
const transpose = (m, columns) => Array.from({ length: columns }, (_, j) => m.map((row) => row[j]));

/** Returns the worst error of a · bᵀ + c in units of 2^-24 times the sum of absolute terms.
 *  @param {Tensor} got @param {number[][]} a @param {number[][]} b @param {number[]} [c] */
function worstError(got, a, b, c = b.map(() => 0)) {
  let worst = 0;
  a.forEach((row, i) =>
    b.forEach((other, j) => {
      const exact = sum(row, (x, k) => x * other[k]) + c[j];
      const magnitude = sum(row, (x, k) => Math.abs(x * other[k])) + Math.abs(c[j]);
      const entry = got.data[i * b.length + j];
      worst = Math.max(worst, distance(entry, exact, exact) / (EPSILON * magnitude + 2 ** -140));
    }),
  );
  return worst;
}

test('rows are multiplied by the weight and the bias is added', (t) => {
  let worst = 0;
  fc.assert(
    fc.property(sizes, ({ rows, dIn, dOut, seed }) => {
      const draw = (/** @type {number} */ stream, /** @type {number[]} */ ...shape) =>
        randomNormal(shape, { seed, stream });
      const [x, weight, bias] = [draw(1, rows, dIn), draw(2, dOut, dIn), draw(3, dOut)];
      const [a, b] = [matrixOf(x), matrixOf(weight)];
      worst = Math.max(worst, worstError(linear(x, weight, bias), a, b, [...bias.data]));
      worst = Math.max(worst, worstError(linear(x, weight), a, b));
      assert.ok(worst <= 4, `${worst}`);
    }),
    runs(200),
  );
  t.diagnostic(`worst in 2⁻²⁴ · magnitude: ${worst}`);
});

test('gradients are those of the sum of products with dOutput', (t) => {
  let worst = 0;
  fc.assert(
    fc.property(sizes, ({ rows, dIn, dOut, seed }) => {
      const draw = (/** @type {number} */ stream, /** @type {number[]} */ ...shape) =>
        randomNormal(shape, { seed, stream });
      const [x, weight, dOutput] = [draw(1, rows, dIn), draw(2, dOut, dIn), draw(3, rows, dOut)];
      const { dX, dWeight, dBias } = linearGradient(x, weight, dOutput);
      const [a, w, dY] = [matrixOf(x), matrixOf(weight), matrixOf(dOutput)];
      const ones = dY.map(() => 1);
      const columns = transpose(dY, dOut);
      worst = Math.max(
        worst,
        worstError(dX, dY, transpose(w, dIn)),
        worstError(dWeight, columns, transpose(a, dIn)),
        worstError(dBias, columns, [ones]),
      );
      assert.ok(worst <= 8, `${worst}`);
    }),
    runs(200),
  );
  t.diagnostic(`worst in 2⁻²⁴ · magnitude: ${worst}`);
});

test('leading axes are rows, and a vector is one row', () => {
  const [x, weight] = [randomNormal([2, 3, 4], { seed: 1 }), randomNormal([5, 4], { seed: 2 })];
  const { data, shape } = linear(x, weight);
  assert.deepEqual(shape, [2, 3, 5]);
  assert.deepEqual(linear({ data: x.data, shape: [6, 4] }, weight).data, data);
  assert.deepEqual(linear(x.data.slice(0, 4), weight), { data: data.slice(0, 5), shape: [5] });
  const gradients = linearGradient(x, weight, { data, shape });
  const shapes = Object.entries(gradients).map(([name, part]) => [name, part.shape]);
  assert.deepEqual(Object.fromEntries(shapes), { dX: [2, 3, 4], dWeight: [5, 4], dBias: [5] });
});

test('shapes that do not fit are named with the expected ones', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  const weight = randomNormal([5, 4], { seed: 2 });
  const cases = /** @type {[() => unknown, string][]} */ ([
    [() => linear(x, x.data), 'linear: weight is [12], expected [out, in]'],
    [() => linear(x, [[1, 2]]), 'linear: weight is [1, 2], expected last axis 4 to match x [3, 4]'],
    [() => linear(x, weight, [1]), 'linear: bias is [1], expected [5] to match weight [5, 4]'],
    [
      () => linearGradient(x, weight, x),
      'linearGradient: dOutput is [3, 4], expected [3, 5] to match the output',
    ],
    [() => linear({ data: [1], shape: [] }, weight), 'linear: x is [], expected at least one axis'],
  ]);
  for (const [call, message] of cases) assert.throws(call, { name: 'ShapeError', message });
});
