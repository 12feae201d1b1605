// The size of a layer against counts worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachePerToken, layerParameters } from '../../../web/theory/parameters.js';

test('a layer has 4·d_model² weights, however many heads share them', () => {
  for (const heads of [1, 2, 8, 64]) {
    const sizes = { dModel: 512, heads, kvHeads: heads, dKey: 512 / heads };
    assert.equal(layerParameters(sizes), 4 * 512 ** 2);
  }
});

test('grouped heads make keys, values and the cache of a token smaller', () => {
  // 4096 × 4096 for queries and output, 4096 × 1024 for keys and for values.
  const sizes = { dModel: 4096, heads: 32, kvHeads: 8, dKey: 128 };
  assert.equal(layerParameters(sizes), 2 * 4096 ** 2 + 2 * 4096 * 1024);
  assert.equal(cachePerToken({ kvHeads: 8, dKey: 128 }), 2048);
});

test('biases add one number for each column', () => {
  const sizes = { dModel: 6, heads: 2, kvHeads: 1, dKey: 3 };
  const added = layerParameters({ ...sizes, bias: true }) - layerParameters(sizes);
  assert.equal(added, 6 + 3 + 3 + 6);
});
