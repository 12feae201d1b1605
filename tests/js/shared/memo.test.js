// The memo of a computation.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMemo } from '../../../web/shared/memo.js';
import { atOnce } from '../../../web/shared/slices.js';

it('the last result under a name is kept as long as its inputs stay the same', () => {
  const memo = createMemo();
  let calls = 0;
  const call = (/** @type {string} */ name, /** @type {unknown} */ inputs) =>
    atOnce(memo(name, inputs, () => ++calls));
  assert.deepEqual([call('a', [1]), call('a', [1]), call('b', [1])], [1, 1, 2]);
  assert.deepEqual([call('a', [2]), call('b', [1]), call('a', [1])], [3, 2, 4]);
});

it('a pause is offered after each new result, and after no old one', () => {
  const memo = createMemo();
  const pauses = () => [...memo('a', [], () => 1)].length;
  assert.deepEqual([pauses(), pauses()], [1, 0]);
});

it('a computation that fails is not remembered', () => {
  const memo = createMemo();
  const fail = () => {
    throw new Error('first');
  };
  assert.throws(() => atOnce(memo('a', [], fail)), /first/);
  assert.equal(atOnce(memo('a', [], () => 2)), 2);
});
