// The forms that a tensor may come in, and errors for those that it may not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import fc from 'fast-check';
import {
  rows,
  additiveAttention,
  attention,
  attentionGradient,
  describe,
  multiHeadAttention,
  multiHeadAttentionGradient,
  softmax,
  softmaxGradient,
  tensor,
  toNested,
} from '../../../web/attention/index.js';
import { runs } from '../runs.js';

test('integers, a subclass and arrays of another realm are read like any tensor', () => {
  const [numbers, shape] = [[2, -1, 2, 0, 3, 1], [2, 3]]; // prettier-ignore
  class Sub extends Float32Array {
    get length() {
      return 1; // a subclass may lie about its name
    }
  }
  const expected = softmax(tensor(numbers, shape));
  for (const form of [
    { data: Int32Array.from(numbers), shape },
    { data: new Sub(numbers), shape },
    vm.runInNewContext('[numbers.slice(0, 3), numbers.slice(3)]', { numbers }),
  ]) {
    assert.deepEqual(softmax(form), expected);
  }
});

test('a bare typed array or flat array is a vector', () => {
  assert.deepEqual(softmax(new Float32Array(3)).shape, [3]);
  assert.deepEqual(softmax(new Float64Array(3)).shape, [3]);
  assert.deepEqual(softmax([0, 0, 0]).shape, [3]);
  assert.equal(describe(new Uint8Array(4)).count, 4);
});

test('tensor copies its data and can see them in another shape', () => {
  const data = Float32Array.of(0.5, -1, 2, 0, 3, 1);
  const shape = [2, 3];
  const t = tensor(data, shape);
  data.fill(9);
  shape[0] = 7;
  assert.deepEqual(t, { data: Float32Array.of(0.5, -1, 2, 0, 3, 1), shape: [2, 3] });
  assert.deepEqual(tensor([[1, 2], [3, 4]]), tensor([1, 2, 3, 4], [2, 2])); // prettier-ignore
  assert.deepEqual(tensor([[1, 2], [3, 4]], [4]).shape, [4]); // prettier-ignore
  assert.deepEqual(tensor([5], []), { data: Float32Array.of(5), shape: [] });
  assert.deepEqual(tensor([], [0, 3]), { data: new Float32Array(0), shape: [0, 3] });
});

test('toNested undoes tensor', () => {
  assert.equal(toNested(tensor([2.5], [])), 2.5);
  assert.deepEqual(toNested(tensor([], [2, 0])), [[], []]);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
      (shape) => {
        const count = shape.reduce((a, b) => a * b);
        const t = tensor(
          Array.from({ length: count }, (_, i) => i),
          shape,
        );
        assert.deepEqual(tensor(toNested(t)), t);
      },
    ),
    runs(300),
  );
});

test('a length that does not match its shape is a ShapeError before anything else', () => {
  const cases = /** @type {[any, any, string][]} */ ([
    [new Float32Array(5), [2, 3], 'softmax: x.data has length 5, expected 6 to match shape [2, 3]'],
    [['a', 'b'], [3], 'softmax: x.data has length 2, expected 3 to match shape [3]'],
    [new BigInt64Array(1), [2], 'softmax: x.data has length 1, expected 2 to match shape [2]'],
    [new Float32Array(0), [], 'softmax: x.data has length 0, expected 1 to match shape []'],
    [new Float32Array(4), [65536, 65536, 65536, 65536], 'softmax: x.data has length 4, expected 18446744073709552000 to match shape [65536, 65536, 65536, 65536]'],
    [new Float32Array(1), [2 ** 33], 'softmax: x.data has length 1, expected 8589934592 to match shape [8589934592]'],
    [[1], [0, 2 ** 33], 'softmax: x.data has length 1, expected 0 to match shape [0, 8589934592]'],
    [[1], [2 ** 40, 2 ** 40], 'softmax: x.data has length 1, expected 1.2089258196146292e+24 to match shape [1099511627776, 1099511627776]'],
    [new Float32Array(6), [2, -3], 'softmax: x.shape[1] is -3, expected a non-negative integer'],
    [new Float32Array(6), [2.5], 'softmax: x.shape[0] is 2.5, expected a non-negative integer'],
    [new Float32Array(6), ['6'], "softmax: x.shape[0] is '6', expected a non-negative integer"],
    [new Float32Array(6), [NaN], 'softmax: x.shape[0] is NaN, expected a non-negative integer'],
    [new Float32Array(6), [6n], 'softmax: x.shape[0] is 6n, expected a non-negative integer'],
    [new Float32Array(6), new Array(1), 'softmax: x.shape[0] is undefined, expected a non-negative integer'],
    [new Float32Array(6), 6, 'softmax: x.shape is 6, expected an array of non-negative integers'],
    [new Float32Array(6), null, 'softmax: x.shape is null, expected an array of non-negative integers'],
    [new Float32Array(6), undefined, 'softmax: x has data but no shape, expected { data, shape }'],
    [new Float32Array(1), Array(17).fill(1), 'softmax: x.shape has 17 axes, expected at most 16'],
  ]); // prettier-ignore
  for (const [data, shape, message] of cases) {
    const call = () => softmax({ data, shape }, /** @type {any} */ ({ wrong: 1 }));
    assert.throws(call, { name: 'ShapeError', code: 'ATTN_SHAPE', message });
  }
  assert.throws(() => softmax({ data: [1, 2], dims: [1.5, 2] }), {
    name: 'ShapeError',
    message: 'softmax: x.dims[0] is 1.5, expected a non-negative integer',
  });
  assert.throws(() => tensor([1, 2, 3], [2, 2]), {
    name: 'ShapeError',
    message: 'tensor: data has 3 entries, expected 4 to match shape [2, 2]',
  });
  assert.throws(() => tensor([1, 2, 3], [2 ** 33]), {
    name: 'ShapeError',
    message: 'tensor: data has 3 entries, expected 8589934592 to match shape [8589934592]',
  });
});

test('lengths are compared before options are looked at', () => {
  const x = tensor([1, 2, 3, 4], [2, 2]);
  const short = { data: new Float32Array(3), shape: [2, 2] };
  const mask = { data: new Uint8Array(3), shape: [2, 2] };
  const weights = { queryWeight: x, keyWeight: x, valueWeight: x, outputWeight: x };
  const unknown = /** @type {any} */ ({ ...weights, foo: 1 });
  const cases = /** @type {[(options: any) => unknown, any, string][]} */ ([
    [(options) => softmaxGradient(x, short, options), { foo: 1 }, 'dOutput.data has length 3'],
    [(options) => softmaxGradient([1, 2], [1, 2, 3], options), { foo: 1 }, 'dOutput is [3]'],
    [(options) => attention(x, x, x, options), { mask, foo: 1 }, 'mask.data has length 3'],
    [(options) => attention(x, x, x, options), { mask, scale: 'x' }, 'mask.data has length 3'],
    [(options) => attentionGradient(x, x, x, x, options), { mask, foo: 1 }, 'mask.data has length 3'],
    [(options) => additiveAttention(x, x, x, options), { queryWeight: short, keyWeight: x, scoreWeight: [1, 2], method: 'x' }, 'queryWeight.data has length 3'],
    [(options) => additiveAttention(x, x, x, options), { queryWeight: x, keyWeight: x, scoreWeight: [1, 2], mask, causal: 'x' }, 'mask.data has length 3'],
    [(options) => additiveAttention(x, x, x, options), { queryWeight: x, keyWeight: short, scoreWeight: [1, 2], foo: 1 }, 'keyWeight.data has length 3'],
    [(options) => additiveAttention(x, x, x, options), { queryWeight: x, keyWeight: x, scoreWeight: [1, 2], mask, foo: 1 }, 'mask.data has length 3'],
    [(options) => multiHeadAttention(x, weights, options), { heads: 1, mask, scale: 'x' }, 'mask.data has length 3'],
    [(options) => multiHeadAttention(x, weights, options), { heads: 1, mask, foo: 1 }, 'mask.data has length 3'],
    [(options) => multiHeadAttention(x, { ...unknown, keyWeight: short }, options), { heads: 1 }, 'keyWeight.data has length 3'],
    [(options) => multiHeadAttentionGradient(x, unknown, short, options), { heads: 1, foo: 1 }, 'dOutput.data has length 3'],
  ]); // prettier-ignore
  for (const [call, options, message] of cases) {
    assert.throws(
      () => call(options),
      (/** @type {Error} */ error) =>
        error.name === 'ShapeError' && error.message.includes(`: ${message}`),
      message,
    );
  }
});

test('an axis beyond 2³² − 1 is a CapacityError, even of an empty tensor', () => {
  assert.throws(() => softmax({ data: [], shape: [0, 2 ** 32] }), {
    name: 'CapacityError',
    code: 'ATTN_CAPACITY',
    message: 'softmax: x.shape[1] is 4294967296, expected at most 4294967295',
  });
  assert.deepEqual(softmax({ data: [], shape: [2 ** 32 - 1, 2 ** 32 - 1, 0] }).data.length, 0);
});

test('ragged nested arrays are named at the first row that differs', () => {
  const cases = /** @type {[any, string][]} */ ([
    [[[1, 2], [3]], 'softmax: x[1] has length 1, expected an array of 2 to match x[0]'],
    [[[[1], [2]], [[3], [4, 5]]], 'softmax: x[1][1] has length 2, expected an array of 1 to match x[0][0]'],
    [[[[1, 2, 3]], [[1, 2]]], 'softmax: x[1][0] has length 2, expected an array of 3 to match x[0][0]'],
    [[[1], 2], 'softmax: x[1] is 2, expected an array of 1 to match x[0]'],
    [[1, [2]], 'softmax: x[1] is an array, expected a number'],
    [[[1, 2], [3, [4]]], 'softmax: x[1][1] is an array, expected a number'],
  ]); // prettier-ignore
  for (const [x, message] of cases) {
    assert.throws(() => softmax(x), { name: 'ShapeError', message });
  }
  const loop = /** @type {any[]} */ ([]);
  loop.push(loop);
  assert.throws(() => softmax(loop), {
    name: 'ShapeError',
    message: 'softmax: x has too many axes, expected at most 16',
  });
});

test('an entry that is no number is named with its place', () => {
  const cases = /** @type {[any, string][]} */ ([
    [['a'], "softmax: x[0] is 'a', expected a number"],
    [['x'.repeat(40)], `softmax: x[0] is '${'x'.repeat(40)}', expected a number`],
    [['x'.repeat(50)], `softmax: x[0] is '${'x'.repeat(40)}…', expected a number`],
    [[1, null], 'softmax: x[1] is null, expected a number'],
    [new Array(2), 'softmax: x[0] is undefined, expected a number'],
    [[[1, 2], [3, true]], 'softmax: x[1][1] is true, expected a number'],
    [[[1, 2], null], 'softmax: x[1] is null, expected an array of 2'],
    [[1n], 'softmax: x[0] is 1n, expected a number'],
    [[new Int32Array(2)], 'softmax: x[0] is an Int32Array, expected a number; typed rows are of floats'],
    [[[new Uint8Array(2)], [[1, 2]]], 'softmax: x[0][0] is a Uint8Array, expected a number; typed rows are of floats'],
    [[new BigInt64Array(1)], 'softmax: x[0] is a BigInt64Array, expected a number; typed rows are of floats'],
    [[1, new Int8Array(2)], 'softmax: x[1] is an Int8Array, expected a number'],
    [[[1, 2], new Int32Array(2)], 'softmax: x[1] is an Int32Array, expected an array of 2'],
    [[Symbol('s')], 'softmax: x[0] is a symbol, expected a number'],
    [[() => 1], 'softmax: x[0] is a function, expected a number'],
    [[{ valueOf: () => 1 }], 'softmax: x[0] is an object, expected a number'],
    [{ data: [1, '2'], shape: [2] }, "softmax: x.data[1] is '2', expected a number"],
    [{ data: [1, [2]], shape: [2] }, 'softmax: x.data[1] is an array, expected a number'],
    [{ data: 'ab', shape: [2] }, "softmax: x.data is 'ab', expected a typed array or an array of numbers"],
    [{ data: new ArrayBuffer(8), shape: [2] }, 'softmax: x.data is an object, expected a typed array or an array of numbers'],
    [{ data: new DataView(new ArrayBuffer(8)), shape: [2] }, 'softmax: x.data is a DataView, expected a typed array or an array of numbers'],
    [{ data: new Proxy(new Float32Array(2), {}), shape: [2] }, 'softmax: x.data is an object, expected a typed array or an array of numbers'],
    [new BigUint64Array(2), 'softmax: x holds a BigUint64Array, expected numbers'],
    [new DataView(new ArrayBuffer(8)), 'softmax: x is a DataView, expected a tensor'],
    [new Proxy(new Float32Array(2), {}), 'softmax: x is an object without data, expected a tensor'],
    [{}, 'softmax: x is an object without data, expected a tensor'],
    [undefined, 'softmax: x is undefined, expected a tensor'],
    [null, 'softmax: x is null, expected a tensor'],
    [5, 'softmax: x is 5, expected a tensor'],
  ]); // prettier-ignore
  for (const [x, message] of cases) {
    const isShape = message.endsWith('is an array, expected a number');
    const name = isShape ? 'ShapeError' : 'DTypeError';
    assert.throws(() => softmax(x), { name, message });
  }
});

test('the error message runs no code of the value', () => {
  const hostile = {
    toString() {
      throw new Error('ran');
    },
    get [Symbol.toStringTag]() {
      throw new Error('ran');
    },
  };
  assert.throws(() => softmax(/** @type {any} */ ([hostile])), { name: 'DTypeError' });
});

test('denormals, −0 and NaN payload places survive the way in and out', () => {
  const data = Float32Array.of(-0, 1e-45, NaN, -1e-40, Infinity);
  assert.deepEqual(tensor(data).data, data);
  const [first] = /** @type {number[]} */ (toNested(tensor(data)));
  assert.ok(Object.is(first, -0));
});

test('rows of a tensor have an index for each axis and the entry, in the order of the entries', () => {
  const x = { data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 1, 2] };
  assert.deepEqual(
    rows(x, ['head', 'query', 'key']).map((row) => Object.entries(row).flat().join(' ')),
    [
      'head 0 query 0 key 0 value 1',
      'head 0 query 0 key 1 value 2',
      'head 1 query 0 key 0 value 3',
      'head 1 query 0 key 1 value 4',
      'head 2 query 0 key 0 value 5',
      'head 2 query 0 key 1 value 6',
    ],
  );
  assert.deepEqual(rows([5, 7], ['key']), [
    { key: 0, value: 5 },
    { key: 1, value: 7 },
  ]);
  assert.deepEqual(rows({ data: [3], shape: [] }, []), [{ value: 3 }]);
  assert.deepEqual(rows({ data: [], shape: [2, 0] }, ['a', 'b']), []);
});

test('names of rows must fit the axes', () => {
  const wrong = /** @type {[any, string, string][]} */ ([
    [['a'], 'ShapeError', 'rows: names has length 1, expected 2 to match t [1, 2]'],
    ['ab', 'DTypeError', "rows: names is 'ab', expected an array with a name for each axis"],
    [undefined, 'DTypeError', 'rows: names is undefined, expected an array with a name for each axis'],
    [['a', 'a'], 'DTypeError', "rows: names[1] is 'a', expected a string, not 'value', different from others"],
    [['a', 'value'], 'DTypeError', "rows: names[1] is 'value', expected a string, not 'value', different from others"],
    [['a', 1], 'DTypeError', "rows: names[1] is 1, expected a string, not 'value', different from others"],
  ]); // prettier-ignore
  for (const [names, name, message] of wrong) {
    assert.throws(() => rows([[1, 2]], names), { name, message });
  }
});

test('numbers beyond float32 are named, but infinite ones and those of a mask pass', () => {
  for (const x of [[1, 1e39], new Float64Array([1, -1e39])]) {
    assert.throws(() => tensor(x), {
      name: 'DTypeError',
      message: /is -?1e\+39, expected a number that float32 has/,
    });
  }
  assert.deepEqual([...tensor([Infinity, -Infinity]).data], [Infinity, -Infinity]);
});

test('float32 numbers are not searched for what cannot be among them', (t) => {
  const search = t.mock.method(Float32Array.prototype, 'indexOf');
  softmax(new Float32Array(8));
  softmax({ data: new Float32Array(8), shape: [2, 4] });
  assert.equal(search.mock.callCount(), 0);
  softmax(new Float64Array(8));
  assert.equal(search.mock.callCount(), 2);
});
