// Arrays that lose their memory, or change while they are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import {
  additiveAttention,
  attention,
  attentionGradient,
  multiHeadAttention,
  softmax,
  softmaxFloat16,
  softmaxGradient,
  tensor,
} from '../../../web/attention/index.js';

test('a detached array is refused, not read as an empty one', () => {
  const data = new Float32Array(4);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  const message = 'softmax: x is on a detached or shrunken buffer, expected one with data';
  assert.throws(() => softmax(data), { name: 'DTypeError', message });
  assert.throws(() => softmax({ data, shape: [2, 2] }), { name: 'DTypeError', message });
  for (const [x, row] of /** @type {const} */ ([
    [[data, [1, 2]], 'x[0]'],
    [[[1, 2], data], 'x[1]'],
    [[[[1, 2]], [data]], 'x[1][0]'],
  ])) {
    const named = message.replace('x is', `${row} is`);
    assert.throws(() => softmax(x), { name: 'DTypeError', message: named });
  }
  const bytes = new Uint8Array(4);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  const x = tensor([1, 2, 3, 4], [2, 2]);
  assert.throws(() => attention(x, x, x, { mask: { data: bytes, shape: [2, 2] } }), {
    name: 'DTypeError',
    message: 'attention: mask is on a detached or shrunken buffer, expected one with data',
  });
});

test('an array whose buffer has shrunk from under it is refused too', () => {
  const buffer = new /** @type {any} */ (ArrayBuffer)(16, { maxByteLength: 16 });
  const [data, still] = [new Float32Array(buffer, 8), new Float32Array(buffer, 0, 1)];
  const outside = new Float32Array(buffer, 8, 2);
  buffer.resize(4);
  const message = 'softmax: x is on a detached or shrunken buffer, expected one with data';
  for (const x of [data, outside, { data: outside, shape: [2] }])
    assert.throws(() => softmax(x), { name: 'DTypeError', message });
  assert.deepEqual(softmax(still).data, Float32Array.of(1));
});

test('an array that a getter among the options detaches is refused, in every function', () => {
  const detach = (/** @type {ArrayBuffer} */ buffer) =>
    structuredClone(buffer, { transfer: [buffer] });
  const shrink = (/** @type {any} */ buffer) => buffer.resize(0);
  const x = tensor([1, 2, 3, 4], [2, 2]);
  const weights = { queryWeight: x, keyWeight: x, valueWeight: x };
  const calls = /** @type {Record<string, (input: any, lose: () => unknown) => unknown>} */ ({
    softmax: (input, lose) => softmax(input, { get temperature() { lose(); return 1; } }),
    softmaxGradient: (input, lose) => softmaxGradient(x, input, { get temperature() { lose(); return 1; } }),
    attention: (input, lose) => attention(x, x, input, { get scale() { lose(); return 1; } }),
    attentionGradient: (input, lose) => attentionGradient(x, x, x, input, { get causal() { lose(); return false; } }),
    additiveAttention: (input, lose) => additiveAttention(x, x, x, { queryWeight: input, keyWeight: x, scoreWeight: [1, 2], get causal() { lose(); return false; } }),
    multiHeadAttention: (input, lose) => multiHeadAttention(x, { ...weights, outputWeight: input }, { heads: 1, get scale() { lose(); return 1; } }),
    softmaxFloat16: (input, lose) => softmaxFloat16(input, { get subtractMax() { lose(); return true; } }),
  }); // prettier-ignore
  for (const [name, call] of Object.entries(calls)) {
    for (const lose of [detach, shrink]) {
      const buffer = new /** @type {any} */ (ArrayBuffer)(16, { maxByteLength: 16 });
      const input = { data: new Float32Array(buffer), shape: [2, 2] };
      assert.throws(() => call(input, () => lose(buffer)), {
        name: 'DTypeError',
        message: `${name}: an input is on a detached or shrunken buffer, expected one with data`,
      });
    }
  }
  const buffer = new ArrayBuffer(4);
  const mask = { data: new Uint8Array(buffer), shape: [2, 2] };
  const options = { mask, get scale() { detach(buffer); return 1; } }; // prettier-ignore
  assert.throws(() => attention(x, x, x, options), { name: 'DTypeError' });
});

test('an array is read by index, as often as it was counted, in spite of its iterator and entries', () => {
  class Odd extends Array {
    [Symbol.iterator]() {
      return [5].values();
    }
  }
  assert.deepEqual(tensor(Odd.of(1, 2, 3, 4)).data, Float32Array.of(1, 2, 3, 4));
  const x = tensor([1, 2, 3, 4], [2, 2]);
  const mask = { data: Odd.of(true, false, true, true), shape: [2, 2] };
  assert.equal(attention(x, x, x, { mask, returns: ['weights'] }).weights.data[0], 1);

  const shrinking = [1, 2, 3, 4];
  Object.defineProperty(shrinking, 1, { get: () => (shrinking.length = 3) });
  assert.throws(() => softmax(shrinking), {
    name: 'DTypeError',
    message: 'softmax: x[3] is undefined, expected a number',
  });
  const changing = [1, 2];
  let reads = 0;
  Object.defineProperty(changing, 1, { get: () => (reads++ ? 'b' : 2) });
  assert.deepEqual(tensor(changing).data, Float32Array.of(1, 2));

  const numbers = [1, 2];
  const shape = [4];
  Object.defineProperty(shape, 0, { get: () => numbers.push(3, 4) });
  assert.deepEqual(tensor(numbers, shape).data, Float32Array.of(1, 2, 3, 4));
});

test('nested rows that change after their lengths were compared are refused or read as before', () => {
  /** Rows of which one does something when it is read. @param {number} at @param {() => unknown} get */
  const rows = (at, get, count = 3) => {
    const outer = Array.from({ length: count }, (_, i) => [i, i + 0.5]);
    return Object.defineProperty(outer, at, { get });
  };
  const first = [0, 1];
  const shrinks = rows(2, () => ((first.length = 1), [4, 5]));
  shrinks[0] = first;
  assert.throws(() => softmax(shrinks), {
    name: 'DTypeError',
    message: 'softmax: x[0][1] is undefined, expected a number',
  });
  const row = Float32Array.of(1, 2);
  const detaches = rows(2, () => (structuredClone(row.buffer, { transfer: [row.buffer] }), [4, 5]));
  detaches[1] = /** @type {any} */ (row);
  assert.throws(() => softmax(detaches), {
    name: 'DTypeError',
    message: 'softmax: x[1][0] is undefined, expected a number',
  });
  const grows = rows(2, () => (grows.push([6, 7]), first2.push(9), [4, 5]));
  const first2 = grows[0];
  assert.deepEqual(tensor(grows), tensor([0, 0.5, 1, 1.5, 4, 5], [3, 2]));
  let reads = 0;
  const changes = rows(0, () => (reads++ ? [1, 2, 3] : [1, 2]));
  assert.throws(() => softmax(changes), {
    name: 'ShapeError',
    message: 'softmax: x[0] has length 3, expected an array of 2 to match x[0]',
  });
});

test('a typed row has the length of its memory, in spite of its class', () => {
  class Sub extends Float32Array {
    get length() {
      return 1;
    }
  }
  const other = vm.runInNewContext('Float64Array.of(3, 4)');
  assert.deepEqual(tensor([new Sub([1, 2]), other]), tensor([1, 2, 3, 4], [2, 2]));
});

test('no memory is taken for rows that are only claimed', () => {
  const { Float32Array: own } = globalThis;
  const many = /** @type {any[]} */ ([[1, 2]]);
  many.length = 2 ** 32 - 1;
  const missing = 'softmax: x[1] is undefined, expected an array of 2';
  const lies = new Proxy([[1, 2]], { get: (target, key) => (key === 'length' ? 2 ** 31 : Reflect.get(target, key)) }); // prettier-ignore
  try {
    globalThis.Float32Array = /** @type {any} */ (() => assert.fail('memory was asked for'));
    for (const x of [many, lies, [many], [[[1, 2]], lies]])
      assert.throws(() => softmax(/** @type {any} */ (x)), { name: /^(DType|Shape)Error$/ });
    assert.throws(() => softmax(many), { name: 'DTypeError', message: missing });
  } finally {
    globalThis.Float32Array = own;
  }
});
