// Errors: their classes and messages, and that the next call works.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  BackendError,
  CapacityError,
  DTypeError,
  ShapeError,
  errorFrom,
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

test('an error is made again from the parts of it that a message or JSON keeps', () => {
  for (const Own of [ShapeError, DTypeError, CapacityError, BackendError]) {
    const error = new Own('why');
    const sent = structuredClone({ code: error.code, message: error.message });
    const received = errorFrom(sent);
    assert.ok(received instanceof Own);
    assert.deepEqual(
      [received.name, received.code, received.message],
      [error.name, error.code, 'why'],
    );
    assert.ok(errorFrom(JSON.parse(JSON.stringify({ ...error, message: 'why' }))) instanceof Own);
  }
});

test('an error comes out of a worker', async () => {
  const worker = new Worker(
    `import(${JSON.stringify(new URL('../../../web/attention/index.js', import.meta.url).href)})
      .then(({ attention }) => attention([[1]], [[1, 2]], [[1]]))
      .catch(({ name, code, message }) =>
        require('node:worker_threads').parentPort.postMessage({ name, code, message }));`,
    { eval: true },
  );
  const [sent] = await once(worker, 'message');
  assert.ok(errorFrom(sent) instanceof ShapeError);
  assert.match(errorFrom(sent).message, /^attention: key is \[1, 2\], expected/);
});

test('anything else becomes a plain error with its message, and a value that is no object is refused', () => {
  const error = errorFrom({ name: 'AbortError', message: 'stopped' });
  assert.equal(String(error), 'AbortError: stopped');
  for (const code of ['constructor', 1, null, undefined]) {
    assert.equal(Object.getPrototypeOf(errorFrom({ code, message: 'm' })), Error.prototype);
  }
  for (const data of [null, undefined, 'text', 7]) {
    assert.throws(() => errorFrom(/** @type {any} */ (data)), { name: 'DTypeError' });
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
