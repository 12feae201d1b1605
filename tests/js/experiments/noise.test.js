// Common random numbers: the numbers that stay the same when a slider moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../web/attention/index.js';
import { noise, pairs } from '../../../web/experiments/noise.js';

/** @param {{ data: Float32Array, shape: number[] }} matrix @param {number} row @param {number} columns */
const start = ({ data, shape }, row, columns) =>
  Array.from(data.subarray(row * shape[1], row * shape[1] + columns));

test('more columns keep the first ones', () => {
  const few = noise('key', { rows: 5, columns: 3, seed: 7 });
  const many = noise('key', { rows: 5, columns: 300, seed: 7 });
  for (let row = 0; row < 5; row++) assert.deepEqual(start(many, row, 3), start(few, row, 3));
  assert.ok(many.data.every((entry) => entry !== 0)); // all of them are drawn
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

test('the caller may write to the noise it receives', () => {
  const first = noise('key', { rows: 1, columns: 4, seed: 3 });
  const copy = Array.from(first.data);
  first.data.fill(0);
  assert.deepEqual(Array.from(noise('key', { rows: 1, columns: 4, seed: 3 }).data), copy);
});

test('entries are normal with the given deviation', () => {
  const { variance, mean, excessKurtosis } = describe(
    noise('query', { rows: 100, columns: 100, seed: 4, entrySize: 3 }),
  );
  assert.ok(Math.abs(mean) < 4 * (3 / 100));
  assert.ok(Math.abs(variance / 9 - 1) < 4 * Math.SQRT2 * 0.01);
  assert.ok(Math.abs(excessKurtosis) < 4 * Math.sqrt(24) * 0.01);
});

test('query r meets set r mod sets of the keys, and set 0 is the noise of keys', () => {
  const { query, key, at } = pairs({ dK: 3, keys: 5, queries: 32, seed: 4 });
  assert.deepEqual(query.shape, [16, 2, 3]);
  assert.deepEqual(key.shape, [16, 5, 3]);
  assert.deepEqual(
    Array.from({ length: 6 }, (_, row) => at(row)),
    [0, 16, 1, 17, 2, 18],
  );
  const rows = noise('query', { rows: 32, columns: 3, seed: 4 }).data;
  for (let row = 0; row < 32; row++) {
    const expected = rows.subarray(3 * at(row), 3 * at(row) + 3);
    assert.deepEqual(query.data.subarray(3 * row, 3 * row + 3), expected);
  }
  const first = noise('key', { rows: 5, columns: 3, seed: 4 }).data;
  assert.deepEqual(key.data.subarray(0, 15), first);
  const numbers = new Set(key.data);
  assert.equal(numbers.size, key.data.length);
});

test('sets of keys divide the queries, and are few where keys are many or long', () => {
  const setsOf = (/** @type {number} */ queries, /** @type {number} */ keys, dK = 8) =>
    pairs({ dK, keys, queries, seed: 1 }).key.shape[0];
  assert.deepEqual(
    [1, 3, 12, 100, 256].map((queries) => setsOf(queries, 8)),
    [1, 1, 4, 4, 16],
  );
  assert.deepEqual(
    [64, 128, 512, 2048, 4096].map((keys) => setsOf(64, keys)),
    [16, 16, 4, 1, 1],
  );
  assert.deepEqual(
    [64, 128, 512, 1024].map((dK) => setsOf(64, 64, dK)),
    [16, 8, 2, 1],
  );
});

test('longer or more keys and more queries keep the numbers of a set', () => {
  const options = { dK: 4, keys: 6, queries: 16, seed: 3 };
  const { key } = pairs(options);
  const more = pairs({ ...options, keys: 7, dK: 9, queries: 64 }).key;
  for (let set = 0; set < 16; set++) {
    for (let row = 0; row < 6; row++) {
      const at = 9 * (7 * set + row);
      const same = key.data.subarray(4 * (6 * set + row), 4 * (6 * set + row + 1));
      assert.deepEqual(more.data.subarray(at, at + 4), same);
    }
  }
});
