import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recent } from '../../../web/shared/recent.js';

test('the result for its inputs is computed once, until as many others were used since', () => {
  /** @type {[number, boolean][]} */
  const made = [];
  const of = recent(2, (/** @type {number} */ size, /** @type {boolean} */ isEven) => {
    made.push([size, isEven]);
    return { size };
  });
  const first = of(0.1, true);
  of(0.2, true);
  assert.equal(of(0.1, true), first);
  of(0.1, false); // (0.2, true) is the one used longest ago
  assert.equal(of(0.1, true), first);
  assert.deepEqual(of(0.2, true), { size: 0.2 });
  assert.deepEqual(made, [[0.1, true], [0.2, true], [0.1, false], [0.2, true]]); // prettier-ignore
});
