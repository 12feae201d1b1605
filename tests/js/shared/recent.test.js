import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recent } from '../../../web/shared/recent.js';

test('the result for a key is computed once, until as many other keys were used since', () => {
  /** @type {string[]} */
  const made = [];
  const of = recent(2, (/** @type {string} */ key) => {
    made.push(key);
    return { key };
  });
  const a = of('a');
  of('b');
  assert.equal(of('a'), a);
  of('c'); // b is the one used longest ago
  assert.equal(of('a'), a);
  assert.deepEqual(of('b'), { key: 'b' });
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
});
