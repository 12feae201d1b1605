/**
 * The relaxed backend: all that the other files of this folder hold the package to, golden vectors and
 * oracles with their tolerances, once more with fused multiply-add.
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
  'attention-gradient',
  'contract',
  'half',
  'multihead',
  'random',
  'softmax',
  'statistics',
]) {
  await import(`./${name}.test.js`);
}

test('all of this was computed by the relaxed backend', () => assert.equal(backend(), 'relaxed'));
