// Mappings from data units to pixels.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clamped, linear, logarithmic } from '../../../../../web/figures/kit/chart/mapping.js';

describe('a linear mapping', () => {
  const map = linear([-2, 6], [100, 20]);

  it('meets both ends and the middle, also in a range that runs backwards', () => {
    assert.deepEqual([-2, 2, 6].map(map), [100, 60, 20]);
  });

  it('goes on beyond its ends unless it is clamped', () => {
    assert.equal(map(7), 10);
    assert.deepEqual([-100, 2, 7].map(clamped(map)), [100, 60, 20]);
  });
});

describe('a logarithmic mapping', () => {
  const map = logarithmic([1, 1024], [0, 100]);

  it('puts equal ratios at equal distances', () => {
    for (let power = 0; power <= 10; power++) {
      assert.ok(Math.abs(map(2 ** power) - 10 * power) < 1e-9);
    }
  });

  it('is undone by invert', () => {
    for (const value of [1, 3, 64, 700]) {
      assert.ok(Math.abs(map.invert(map(value)) / value - 1) < 1e-12);
    }
  });

  it('leads nowhere for numbers without a logarithm', () => {
    assert.equal(Number.isFinite(map(0)), false);
    assert.equal(Number.isFinite(map(-1)), false);
  });
});
