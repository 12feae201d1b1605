// How the options of masks, caps and sinks are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attention, randomNormal } from '../../../web/attention/index.js';

test('wrong values of the options are named with the expected ones', () => {
  const x = randomNormal([2, 3, 4, 5], { seed: 1 });
  const cases = /** @type {[any, string, string][]} */ ([
    [{ softcap: 0 }, 'DTypeError', 'softcap is 0, expected a positive float32 number'],
    [{ softcap: Infinity }, 'DTypeError', 'softcap is Infinity, expected a finite float32 number'],
    [{ window: 3 }, 'DTypeError', 'window is 3, expected [left, right], two whole numbers from 0 on, or −1 for no limit'],
    [{ window: [1] }, 'ShapeError', 'window has length 1, expected [left, right], two whole numbers from 0 on, or −1 for no limit'],
    [{ window: [1, -2] }, 'DTypeError', 'window[1] is -2, expected whole, from −1 to 2147483647'],
    [{ window: [0.5, 1] }, 'DTypeError', 'window[0] is 0.5, expected whole, from −1 to 2147483647'],
    [{ offset: 0.5 }, 'DTypeError', 'offset is 0.5, expected a whole number'],
    [{ offset: [1, 2, 3] }, 'ShapeError', "offset has length 3, expected 2, one 'offset' an item of the batch"],
    [{ offset: 2 ** 40 }, 'ShapeError', 'offset is 1099511627776, expected -2147483647 to 2147483647'],
    [{ keyLengths: [4, 5] }, 'ShapeError', 'keyLengths[1] is 5, expected 0 to 4'],
    [{ keyLengths: [4, -1] }, 'ShapeError', 'keyLengths[1] is -1, expected 0 to 4'],
    [{ keyLengths: ['4', 4] }, 'DTypeError', "keyLengths[0] is '4', expected a whole number"],
    [{ sink: NaN }, 'DTypeError', 'sink is NaN, expected a finite float32 number'],
    [{ sink: [1, 2] }, 'ShapeError', 'sink is [2], expected a number, or [3] with one a head'],
    [{ sink: [1, 2, NaN] }, 'DTypeError', 'sink[2] is NaN, expected finite or −Infinity'],
  ]); // prettier-ignore
  for (const [options, name, message] of cases) {
    assert.throws(() => attention(x, x, x, options), { name, message: `attention: ${message}` });
  }
});

test('lengths and offsets may be integers of any kind', () => {
  const x = randomNormal([2, 1, 4, 3], { seed: 1 });
  const expected = attention(x, x, x, { keyLengths: [3, 1], offset: [1, -1], causal: true });
  for (const [keyLengths, offset] of /** @type {any[]} */ ([
    [BigInt64Array.of(3n, 1n), Int32Array.of(1, -1)],
    [
      { data: BigInt64Array.of(3n, 1n), dims: [2] },
      { data: [1, -1], shape: [2] },
    ],
    [Uint8Array.of(3, 1), Int8Array.of(1, -1)],
  ])) {
    assert.deepEqual(attention(x, x, x, { keyLengths, offset, causal: true }), expected);
  }
});
