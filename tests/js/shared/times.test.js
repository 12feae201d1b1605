// Lists that are made entry by entry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { times } from '../../../web/shared/times.js';

test('a list is made from its indices in turn, and is empty for a count of 0', () => {
  assert.deepEqual(
    times(3, (index) => 2 ** index),
    [1, 2, 4],
  );
  assert.deepEqual(
    times(0, () => assert.fail()),
    [],
  );
});
