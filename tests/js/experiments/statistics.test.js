// Means, quantiles and shares against values worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asymmetryOf,
  mean,
  quantiles,
  share,
  summary,
} from '../../../web/experiments/statistics.js';

test('quantiles interpolate between order statistics, in any order of the sample', () => {
  assert.deepEqual(quantiles([4, 1, 3, 2, 5], [0, 0.1, 0.5, 1]), [1, 1.4, 3, 5]);
  assert.deepEqual(quantiles([10, 2], [0.25]), [4]);
  assert.deepEqual(quantiles([7], [0, 0.5, 1]), [7, 7, 7]);
});

test('quantiles sort by value, not by text, and leave the sample alone', () => {
  const sample = [10, 9, 100];
  assert.deepEqual(quantiles(sample, [0.5]), [10]);
  assert.deepEqual(sample, [10, 9, 100]);
});

test('a summary names its columns', () => {
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  assert.equal(mean(values), 6);
  assert.deepEqual(summary('x', values), { x: 6, xMedian: 6, xP10: 2, xP90: 10 });
});

test('a share is the fraction for which the predicate holds', () => {
  assert.equal(
    share([1, 2, 3, 4], (value) => value > 1),
    0.75,
  );
  assert.equal(
    share(new Float32Array(3), (value) => value > 0),
    0,
  );
});

test('asymmetry compares a matrix with its transpose', () => {
  assert.equal(asymmetryOf([5, 2, 2, 7], 2), 0);
  assert.equal(asymmetryOf([0, 3, -3, 0], 2), Infinity);
  assert.equal(asymmetryOf([1, 4, 2, 3], 2), Math.sqrt(8 / (4 + 36 + 36 + 36)));
});
