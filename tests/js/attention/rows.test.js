// A tensor as rows, and rows in portions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forRows, rowsAtOnce, splitRows } from '../../../web/attention/rows.js';

test('the last axis is a row and the others are a list of rows', () => {
  assert.deepEqual(splitRows('f', 'x', [5]), { lead: [], rows: 1, columns: 5 });
  assert.deepEqual(splitRows('f', 'x', [2, 3, 5]), { lead: [2, 3], rows: 6, columns: 5 });
  assert.deepEqual(splitRows('f', 'x', [2, 0]), { lead: [2], rows: 2, columns: 0 });
  assert.throws(() => splitRows('f', 'x', []), { name: 'ShapeError' });
});

test('a portion has at least one row and never more than there are', () => {
  assert.equal(rowsAtOnce(10, 4), 10);
  assert.equal(rowsAtOnce(0, 4), 1);
  assert.equal(rowsAtOnce(10, 1e9), 1);
  assert.equal(rowsAtOnce(10, 0), 10);
  const some = rowsAtOnce(1e6, 1000);
  assert.ok(some > 1 && some * 1000 <= 65536);
});

test('portions cover all rows once, in order', () => {
  for (const [rows, step] of [
    [10, 3],
    [9, 3],
    [2, 5],
    [0, 1],
  ]) {
    // prettier-ignore
    const seen = /** @type {number[]} */ ([]);
    forRows(rows, step, (first, count) => {
      assert.ok(count >= 1 && count <= step);
      for (let i = 0; i < count; i++) seen.push(first + i);
    });
    assert.deepEqual(
      seen,
      Array.from({ length: rows }, (_, i) => i),
    );
  }
});
