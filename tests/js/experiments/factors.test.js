// Scale factors by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCALE_FACTORS, scaleFactor } from '../../../web/experiments/factors.js';

test('the named factors are functions of d_k', () => {
  assert.equal(scaleFactor('none', 64), 1);
  assert.equal(scaleFactor('1/√d', 64), 1 / 8);
  assert.equal(scaleFactor('1/(2√d)', 64), 1 / 16);
  assert.equal(scaleFactor('1/d', 64), 1 / 64);
});

test('a number is itself at every d_k', () => {
  assert.equal(scaleFactor(0.3, 1), 0.3);
  assert.equal(scaleFactor(0.3, 4096), 0.3);
});

test('every listed name is known', () => {
  for (const name of SCALE_FACTORS) assert.ok(scaleFactor(name, 9) > 0);
});

test('a factor that is neither a positive number nor a known name is refused', () => {
  for (const factor of /** @type {any[]} */ ([0, -1, NaN, Infinity, 'constructor', '√d', null])) {
    assert.throws(() => scaleFactor(factor, 4), RangeError);
  }
  assert.throws(() => scaleFactor(/** @type {any} */ ('√d'), 4), {
    message: "scaleFactor: factor is '√d', expected > 0 or one of none, 1/√d, 1/(2√d), 1/d",
  });
});
