// Common random numbers: what must stay the same when a slider moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../web/attention/index.js';
import { noise } from '../../../web/experiments/noise.js';

/** @param {{ data: Float32Array, shape: number[] }} matrix @param {number} row @param {number} columns */
const start = ({ data, shape }, row, columns) =>
  Array.from(data.subarray(row * shape[1], row * shape[1] + columns));

test('more columns keep the first ones', () => {
  const few = noise('key', { rows: 5, columns: 3, seed: 7 });
  const many = noise('key', { rows: 5, columns: 300, seed: 7 });
  for (let row = 0; row < 5; row++) assert.deepEqual(start(many, row, 3), start(few, row, 3));
});

test('more rows keep the first ones', () => {
  const few = noise('query', { rows: 2, columns: 9, seed: 8 });
  const many = noise('query', { rows: 50, columns: 9, seed: 8 });
  assert.deepEqual(Array.from(many.data.subarray(0, 18)), Array.from(few.data));
});

test('a window of rows is cut from the same noise', () => {
  const all = noise('query', { rows: 6, columns: 4, seed: 9 });
  const last = noise('query', { rows: 2, columns: 4, seed: 9, first: 4 });
  assert.deepEqual(Array.from(last.data), Array.from(all.data.subarray(16)));
});

test('a seed gives the same noise after many others were used', () => {
  const before = noise('key', { rows: 3, columns: 5, seed: 1 });
  for (let seed = 2; seed < 20; seed++) noise('key', { rows: 3, columns: 5, seed });
  assert.deepEqual(noise('key', { rows: 3, columns: 5, seed: 1 }), before);
});

test('queries, keys, rows and seeds differ', () => {
  const rows = [
    noise('query', { rows: 1, columns: 4, seed: 1 }),
    noise('key', { rows: 1, columns: 4, seed: 1 }),
    noise('key', { rows: 1, columns: 4, seed: 1, first: 1 }),
    noise('key', { rows: 1, columns: 4, seed: 2 }),
  ];
  assert.equal(new Set(rows.map(({ data }) => data.join())).size, rows.length);
});

test('the caller may write to what it gets', () => {
  const first = noise('key', { rows: 1, columns: 4, seed: 3 });
  const copy = Array.from(first.data);
  first.data.fill(0);
  assert.deepEqual(Array.from(noise('key', { rows: 1, columns: 4, seed: 3 }).data), copy);
});

test('entries are normal with the deviation asked for', () => {
  const { variance, mean, excessKurtosis } = describe(
    noise('query', { rows: 100, columns: 100, seed: 4, entrySize: 3 }),
  );
  assert.ok(Math.abs(mean) < 4 * (3 / 100));
  assert.ok(Math.abs(variance / 9 - 1) < 4 * Math.SQRT2 * 0.01);
  assert.ok(Math.abs(excessKurtosis) < 4 * Math.sqrt(24) * 0.01);
});
