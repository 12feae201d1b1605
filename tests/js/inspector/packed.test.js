// Attention as text in a saved page: what is read is what was written, to the bit, whatever it is.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pack, unpack } from '../../../web/inspector/view/packed.js';

it('gives back every number, infinite ones, masks and texts of markup included', () => {
  const attention = {
    query: { data: Float32Array.of(0.1, -0, NaN, Infinity, 1e-45, 3e38), shape: [1, 1, 3, 2] },
    key: { data: new Float32Array(40_000).fill(1 / 3), shape: [1, 1, 20_000, 2] },
    tokens: ['</script><b>', '<!--', '\u2028海"\\'],
    scale: 0.5,
    options: {
      sink: -Infinity,
      mask: { data: Uint8Array.of(0, 1, 255), shape: [3] },
      causal: true,
    },
  };
  const text = pack(attention);
  assert.ok(!text.includes('<'));
  assert.deepEqual(unpack(text), attention);
});

it('gives back masks of any integers', () => {
  for (const data of [
    Int16Array.of(0, -1),
    Uint8ClampedArray.of(0, 255),
    Uint16Array.of(0, 65535),
    BigInt64Array.of(0n, -1n),
  ]) {
    const options = { mask: { data, shape: [2] } };
    assert.deepEqual(unpack(pack(/** @type {any} */ ({ options }))), { options });
  }
});

it('takes the numbers that a view shows, and no others of its buffer', () => {
  const data = Float64Array.of(1, 2, 3, 4).subarray(1, 3);
  const { weights } = unpack(
    pack({ weights: { data: /** @type {any} */ (data), shape: [1, 1, 1, 2] } }),
  );
  assert.deepEqual(weights?.data, Float64Array.of(2, 3));
});
