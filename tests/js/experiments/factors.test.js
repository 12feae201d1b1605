// Scale factors by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleFactor } from '../../../web/experiments/factors.js';

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
