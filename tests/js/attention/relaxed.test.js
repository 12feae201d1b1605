// @slow
/**
 * The relaxed backend: the tests of the other files of this folder, golden vectors and oracles with
 * their tolerances, once more with fused multiply-add.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../web/build/relaxed-simd.js';
import { backend, init } from '../../../web/attention/index.js';

await init({ backend: 'relaxed' });

for (const name of [
  'additive',
  'additive-gradient',
  'attention',
  'attention-accuracy',
  'attention-gradient',
  'attention-gradient-accuracy',
  'contract',
  'half',
  'multihead',
  'multihead-accuracy',
  'parameter-count',
  'random',
  'softmax',
  'statistics',
]) {
  await import(`./${name}.test.js`);
}

test('all of this was computed by the relaxed backend', () => assert.equal(backend(), 'relaxed'));
