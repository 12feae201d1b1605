// Scales of the charts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clamped, scaleLinear, scaleLog } from '../../../web/figures/kit/scale.js';

describe('a linear scale', () => {
  const scale = scaleLinear([-2, 6], [100, 20]);

  it('meets both ends and the middle, also in a range that runs backwards', () => {
    assert.deepEqual([-2, 2, 6].map(scale), [100, 60, 20]);
  });

  it('goes on beyond its ends unless it is clamped', () => {
    assert.equal(scale(7), 10);
    assert.deepEqual([-100, 2, 7].map(clamped(scale)), [100, 60, 20]);
  });
});

describe('a logarithmic scale', () => {
  const scale = scaleLog([1, 1024], [0, 100]);

  it('puts equal ratios at equal distances', () => {
    for (let power = 0; power <= 10; power++) {
      assert.ok(Math.abs(scale(2 ** power) - 10 * power) < 1e-9);
    }
  });

  it('is undone by invert', () => {
    for (const value of [1, 3, 64, 700]) {
      assert.ok(Math.abs(scale.invert(scale(value)) / value - 1) < 1e-12);
    }
  });

  it('leads nowhere for numbers without a logarithm', () => {
    assert.equal(Number.isFinite(scale(0)), false);
    assert.equal(Number.isFinite(scale(-1)), false);
  });
});
