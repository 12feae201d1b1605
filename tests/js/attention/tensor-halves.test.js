// 16-bit floats as inputs, with Float16Array and without.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attention, tensor, toNested } from '../../../web/attention/index.js';

test('Float16Array is read like the other floats, where there is one', (t) => {
  const Half = /** @type {any} */ (globalThis).Float16Array;
  if (!Half) return t.skip('this engine has none');
  const data = Half.of(1, 2.5, -65504, 2 ** -24);
  const expected = tensor([1, 2.5, -65504, 2 ** -24], [2, 2]);
  for (const x of [
    { data, shape: [2, 2] },
    { data, dims: [2, 2], type: 'float16' },
  ])
    assert.deepEqual(tensor(x), expected);
  assert.deepEqual(tensor([data.subarray(0, 2), data.subarray(2)]), expected);
  assert.deepEqual(tensor(data), tensor(expected, [4]));
});

/** Returns the entries as numbers, of which one NaN is like another. @param {any} x */
const numbersOf = (x) => Array.from(tensor(x).data);

const PATTERNS = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);

test('ONNX Runtime’s float16 without Float16Array is decoded, all 65 536 of them', () => {
  /** Decodes IEEE 754-2008 binary16. @param {number} bits */
  const valueOf = (bits) => {
    const [sign, exponent, fraction] = [bits >> 15, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31 && fraction) return NaN;
    if (exponent === 31) return sign ? -Infinity : Infinity;
    return (-1) ** sign * 2 ** Math.max(exponent, 1) * 2 ** -25 * (fraction + (exponent && 1024));
  };
  const expected = Array.from(PATTERNS, valueOf);
  for (const x of /** @type {const} */ ([
    { type: 'float16', data: PATTERNS, dims: [256, 256] },
    { dtype: 'float16', data: PATTERNS, shape: [256, 256] },
  ]))
    assert.deepEqual(numbersOf(x), expected);
  const data = Uint16Array.of(0x3c00, 0xbc00, 0x7bff, 0x0001, 0x8000, 0xfc00);
  assert.deepEqual(toNested({ type: 'float16', data, dims: [6] }), [
    1,
    -1,
    65504,
    2 ** -24,
    -0,
    -Infinity,
  ]);
  const mask = { type: 'float16', data: Uint16Array.of(0, 0xfc00, 0, 0), dims: [2, 2] };
  const x = tensor([1, 2, 3, 4], [2, 2]);
  assert.equal(attention(x, x, x, { mask, returns: ['weights'] }).weights.data[0], 1);
});

test('bfloat16 in a Uint16Array is decoded, and uint16 are integers', () => {
  const view = new DataView(new ArrayBuffer(4));
  const expected = Array.from(PATTERNS, (bits) => {
    view.setUint16(0, bits);
    return view.getFloat32(0);
  });
  const shape = [2 ** 16];
  assert.deepEqual(numbersOf({ dtype: 'bfloat16', data: PATTERNS, shape }), expected);
  const integers = Float32Array.from(PATTERNS);
  for (const x of [
    { data: PATTERNS, shape },
    { type: 'uint16', data: PATTERNS, dims: shape },
    { type: 'float16', data: Int32Array.from(PATTERNS), dims: shape },
    PATTERNS,
  ])
    assert.deepEqual(tensor(x).data, integers);
});
