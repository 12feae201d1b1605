// Work that is interrupted goes on from there, and its result is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Resumed } from '../../../web/shared/resumed.js';
import { atOnce } from '../../../web/shared/slices.js';

test('each part of a work is done once, whoever asks and how often it is interrupted', () => {
  /** @type {number[]} */
  const done = [];
  const works = new Resumed();
  const ask = () =>
    works.get('sum', function* () {
      for (const part of [1, 2, 3]) {
        done.push(part);
        yield;
      }
      return 6;
    });
  ask().next();
  const second = ask();
  second.next();
  assert.deepEqual(done, [1, 2]);
  assert.equal(works.has('sum'), false);
  assert.equal(atOnce(ask()), 6);
  assert.equal(atOnce(ask()), 6);
  assert.deepEqual(done, [1, 2, 3]);
  assert.ok(works.has('sum') && !works.has('mean'));
});

test('a work that fails begins anew', () => {
  const works = new Resumed();
  let isBroken = true;
  const ask = () =>
    works.get('one', function* () {
      yield;
      if (isBroken) throw new RangeError('broken');
      return 1;
    });
  assert.throws(() => atOnce(ask()), RangeError);
  isBroken = false;
  assert.equal(atOnce(ask()), 1);
});
