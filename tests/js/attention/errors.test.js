// What errors are and say, and that the next call works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BackendError,
  CapacityError,
  DTypeError,
  ShapeError,
  attention,
  softmax,
} from '../../../web/attention/index.js';
import { reason, show } from '../../../web/attention/errors.js';

test('each error has its name, its stable code and the built-in class it refines', () => {
  const errors = /** @type {const} */ ([
    [ShapeError, RangeError, 'ShapeError', 'ATTN_SHAPE'],
    [DTypeError, TypeError, 'DTypeError', 'ATTN_DTYPE'],
    [CapacityError, RangeError, 'CapacityError', 'ATTN_CAPACITY'],
    [BackendError, Error, 'BackendError', 'ATTN_BACKEND'],
  ]);
  for (const [Own, BuiltIn, name, code] of errors) {
    const error = new Own('why');
    assert.ok(error instanceof BuiltIn);
    assert.equal(error.name, name);
    assert.equal(error.code, code);
    assert.equal(String(error), `${name}: why`);
  }
});

test('after any error the next call works', () => {
  const expected = softmax([1, 2, 3]);
  const x = { data: new Float32Array(4), shape: [2, 2] };
  for (const call of [
    () => attention(x, x, x, /** @type {any} */ ({ wrong: 1 })),
    () => softmax(/** @type {any} */ (['a'])),
    () => softmax({ data: [1], shape: [2] }),
  ]) {
    assert.throws(call);
    assert.deepEqual(softmax([1, 2, 3]), expected);
  }
});

test('an error of the caller’s own getter passes through', () => {
  const mine = new Error('mine');
  const options = {
    get temperature() {
      throw mine;
    },
  };
  assert.throws(() => softmax([1], /** @type {any} */ (options)), mine);
});

test('values and thrown things are shown in a few words', () => {
  assert.deepEqual(
    [
      undefined,
      null,
      true,
      1.5,
      2n,
      'a',
      [],
      {},
      new Float32Array(1),
      new Int8Array(1),
      () => 1,
    ].map(show),
    ['undefined', 'null', 'true', '1.5', '2n', "'a'", 'an array', 'an object', 'a Float32Array', 'an Int8Array', 'a function'], // prettier-ignore
  );
  assert.equal(reason(new Error('why')), 'why');
  assert.equal(reason('out of memory'), 'out of memory');
});
