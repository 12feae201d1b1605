import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DK_SCALES, dkScale } from '../../../web/shared/dk-scales.js';

test('a scale has one key and one name, and both find it', () => {
  for (const scale of DK_SCALES) {
    assert.equal(dkScale(scale.key), scale);
    assert.equal(dkScale(scale.name), scale);
  }
});

test('factors are 1, 1/√d, half of it and 1/d', () => {
  assert.deepEqual(
    DK_SCALES.map(({ name, factor }) => [name, factor(64)]),
    [
      ['none', 1],
      ['1/√d', 1 / 8],
      ['1/(2√d)', 1 / 16],
      ['1/d', 1 / 64],
    ],
  );
});
