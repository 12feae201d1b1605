// A linear map and its gradient: what is multiplied by what, shapes, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linear, linearGradient, randomNormal, toNested } from '../../../web/attention/index.js';

test('rows are multiplied by the weight and the bias is added', () => {
  const weight = [[1, 0, -2], [3, 5, 7]]; // prettier-ignore
  const x = [[1, 2, 3], [4, 5, 6]]; // prettier-ignore
  assert.deepEqual(toNested(linear(x, weight, [10, 20])), [[5, 54], [2, 99]]); // prettier-ignore
  const { dX, dWeight, dBias } = linearGradient(x, weight, [[1, 2], [3, 4]]); // prettier-ignore
  assert.deepEqual(toNested(dX), [[7, 10, 12], [15, 20, 22]]); // prettier-ignore
  assert.deepEqual(toNested(dWeight), [[13, 17, 21], [18, 24, 30]]); // prettier-ignore
  assert.deepEqual([...dBias.data], [4, 6]);
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
