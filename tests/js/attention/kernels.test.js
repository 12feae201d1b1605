// Kernels of one’s own, side by side and after their end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as index from '../../../web/attention/index.js';

const { createKernel } = index;

test('a kernel has every function of the package', async () => {
  const kernel = await createKernel();
  const functions = Object.entries(index)
    .filter(([name, value]) => typeof value === 'function' && !/error/i.test(name))
    .map(([name]) => name)
    // The last arranges diagnoses and computes nothing.
    .filter((name) => !['init', 'createKernel', 'diagnosisCourse'].includes(name));
  assert.deepEqual(Object.keys(kernel).sort(), [...functions, 'dispose'].sort());
});

test('kernels work side by side, each on its backend, without the shared one', async () => {
  const [simd, js] = await Promise.all([createKernel(), createKernel({ backend: 'js' })]);
  assert.deepEqual([simd.backend(), js.backend()], ['simd', 'js']);
  const shared = index.backend();
  const x = simd.randomNormal([4, 5, 6], { seed: 1 });
  assert.deepEqual(js.randomNormal([4, 5, 6], { seed: 1 }), x);
  assert.deepEqual(simd.attention(x, x, x), js.attention(x, x, x));
  assert.equal(index.backend(), shared);
});

test('a call after dispose is a BackendError, of every function; others go on', async () => {
  const kernel = await createKernel();
  const other = await createKernel();
  kernel.dispose();
  kernel.dispose();
  for (const [name, call] of Object.entries(kernel)) {
    if (name === 'dispose') continue;
    assert.throws(() => /** @type {any} */ (call)([1]), {
      name: 'BackendError',
      code: 'ATTN_BACKEND',
      message: `${name}: this kernel has been disposed of`,
    });
  }
  assert.deepEqual([...other.softmax([0, 0]).data], [0.5, 0.5]);
});

test('a getter may call the package while its arguments are read', async () => {
  const kernel = await createKernel({ backend: 'js' });
  let inner = '';
  const options = {
    get temperature() {
      inner = `${kernel.backend()} ${kernel.softmax([0, 0]).data[0]}`;
      return 2;
    },
  };
  assert.deepEqual(kernel.softmax([2, 4], options), index.softmax([1, 2]));
  assert.equal(inner, 'js 0.5');
});

test('a call of a kernel while its arguments are read leaves that kernel in charge', async () => {
  const kernel = await createKernel({ backend: 'js' });
  let seen;
  const options = {
    get scale() {
      kernel.softmax([1]);
      return 1;
    },
    get causal() {
      seen = index.backend();
      return false;
    },
  };
  kernel.attention([[1]], [[1]], [[1]], options);
  assert.equal(seen, 'js');
});

test('wrong options are named', async () => {
  await assert.rejects(createKernel(/** @type {any} */ ({ backend: 'gpu' })), {
    name: 'DTypeError',
    message: "createKernel: backend is 'gpu', expected one of 'auto', 'simd', 'relaxed', 'js'",
  });
});
