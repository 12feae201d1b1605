// Calls of a kernel: blocks, structs, statuses, traps, and how much memory they take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attention,
  attentionGradient,
  init,
  randomNormal,
} from '../../../../web/attention/index.js';
import { run } from '../../../../web/attention/kernel/active.js';
import { openKernel } from '../../../../web/attention/kernel/backends.js';
import { ATTN_TEXT } from '../../../../web/attention/kernel/generated/structs.js';
import { Kernel } from '../../../../web/attention/kernel/kernel.js';
import { isolated } from './isolated.js';

/** Returns a kernel of one page whose functions are written here. @param {Record<string, any>} functions */
function fake(functions) {
  const create = () => ({
    exports: {
      memory: new WebAssembly.Memory({ initial: 1, maximum: 4 }),
      __heap_base: { value: 64 },
      ...functions,
    },
    limit: 4 * 65536,
  });
  return new Kernel('simd', create(), create);
}

/** Returns the arena of the shared kernel. */
const arena = () => run('test', (kernel) => /** @type {any} */ (kernel.arena));

test('numbers written to a block are read from it', () => {
  const kernel = fake({});
  kernel.run('test', () => {
    const block = kernel.floats(4);
    const target = new Float32Array(6);
    kernel.write(block, Float32Array.of(1, 2, 3, 4));
    kernel.read(block, target, 1, 4);
    assert.deepEqual([...target], [0, 1, 2, 3, 4, 0]);
    kernel.write(block, Float32Array.of(9, 8, 7, 6), 2, 2);
    kernel.read(block, target, 0, 2);
    assert.deepEqual([...target.subarray(0, 2)], [7, 6]);
    kernel.writeMask(block, Uint8Array.of(1, 1, 0, 5), 1, 3);
    kernel.read(block, target, 0, 3);
    assert.deepEqual([...target.subarray(0, 3)], [0, -Infinity, 0]);
  });
});

test('a part of a block is cleared', () => {
  const kernel = fake({});
  kernel.run('test', () => {
    const block = kernel.load(Float32Array.of(1, 2, 3, 4));
    const target = new Float32Array(4);
    kernel.clear(kernel.part(block, 2), 1);
    kernel.read(block, target);
    assert.deepEqual([...target], [1, 2, 0, 4]);
  });
});

test('memory that a part of the work took is given back at once', () => {
  const kernel = fake({});
  kernel.run('test', () => {
    const top = kernel.current().top;
    assert.equal(
      kernel.within(() => {
        kernel.floats(10);
        return 5;
      }),
      5,
    );
    assert.equal(kernel.current().top, top);
  });
});

test('a struct holds addresses and numbers, null as 0', () => {
  const kernel = fake({});
  kernel.run('test', () => {
    const tokens = kernel.bytes(4);
    const struct = kernel.struct(ATTN_TEXT, { tokens, targets: null, batch: 7, n: 9 });
    const memory = kernel.exports.memory.buffer;
    assert.deepEqual([...new Uint32Array(memory, struct.address, 4)], [tokens.address, 0, 7, 9]);
  });
});

test('a status becomes an error that names the caller', () => {
  for (const [status, name, message] of /** @type {const} */ ([
    [2, 'CapacityError', 'attention: an array would exceed 4 GiB of kernel memory'],
    [1, 'BackendError', 'attention: attn_sum_of_squares returned the unexpected status 1'],
  ])) {
    const kernel = fake({ attn_sum_of_squares: () => status });
    const call = () =>
      kernel.run('attention', () =>
        kernel.call('attn_sum_of_squares', kernel.floats(1), 1, 1, kernel.bytes(8)),
      );
    assert.throws(call, { name, message });
  }
});

test('no array ends where addresses wrap around, of which C would read nothing', async () => {
  for (const [backend, end] of /** @type {const} */ ([
    ['simd', 2 ** 32],
    ['js', 2 ** 31],
  ])) {
    const { limit } = (await openKernel('test', backend)).current();
    assert.ok(limit < end && limit >= end - 65536, backend);
  }
});

test('scratch that would exceed 4 GiB is a CapacityError', () => {
  const kernel = fake({ attn_linear_scratch: () => -1 }); // 2³² − 1 as wasm returns it
  assert.throws(
    () => kernel.run('attention', () => kernel.scratch('attn_linear_scratch', 1, 1, 1)),
    { name: 'CapacityError', message: 'attention: needs more than 4 GiB of kernel memory' },
  );
});

test('a trap discards the instance; the next call gets a new one', () => {
  const kernel = fake({
    attn_sum_of_squares() {
      throw 'unreachable'; // some engines throw strings
    },
  });
  const { exports } = kernel;
  assert.throws(
    () => kernel.run('jacobianTrace', () => kernel.call('attn_sum_of_squares', kernel.floats(1), 1, 1, kernel.bytes(8))),
    { name: 'BackendError', message: 'jacobianTrace: the kernel failed (unreachable); the next call starts a new one' },
  ); // prettier-ignore
  assert.equal(kernel.arena, undefined);
  kernel.run('test', () => assert.equal(kernel.floats(1).address, 64));
  assert.notEqual(kernel.exports, exports);
});

test('a kernel that is disposed of lets go of its memory and functions', () => {
  const kernel = fake({});
  kernel.dispose();
  assert.equal(kernel.arena, undefined);
  assert.deepEqual(kernel.exports, {});
  assert.throws(() => kernel.run('softmax', () => 1), { name: 'BackendError' });
});

test('the error of an instance that cannot be replaced at once names init()', () => {
  const { exports, revive } = fake({
    attn_sum_of_squares() {
      throw new Error('trap');
    },
  });
  const kernel = new Kernel('simd', { exports, limit: 65536 }, () => {
    throw new Error('too large for the main thread');
  });
  assert.ok(revive);
  assert.throws(() =>
    kernel.run('jacobianTrace', () =>
      kernel.call('attn_sum_of_squares', kernel.floats(1), 1, 1, kernel.bytes(8)),
    ),
  );
  assert.throws(() => kernel.run('softmax', () => 1), {
    name: 'BackendError',
    message: 'softmax: the kernel failed and cannot start again at once, expected `await init()` first (too large for the main thread)',
  }); // prettier-ignore
});

test('fifty heads take no more memory than one', async () => {
  await init();
  const small = randomNormal([1, 64, 32], { seed: 1 });
  attention(small, small, small);
  const size = arena().floats.byteLength;
  const heads = { data: new Float32Array(50 * 64 * 32).fill(0.1), shape: [50, 64, 32] };
  attention(heads, heads, heads);
  assert.equal(arena().floats.byteLength, size);
});

/** Returns the most memory of the kernel that `work` has in use at one time, in bytes.
 *  @param {() => void} work */
function peakOf(work) {
  const kernelArena = arena();
  const { take, top } = kernelArena;
  let peak = top;
  kernelArena.take = (/** @type {string} */ caller, /** @type {number} */ bytes) => {
    const address = take.call(kernelArena, caller, bytes);
    peak = Math.max(peak, kernelArena.top);
    return address;
  };
  try {
    work();
  } finally {
    kernelArena.take = take;
  }
  return peak - top;
}

test('n = 4096 needs at most 2·n·d numbers of memory beyond inputs and outputs', () => {
  const [n, d] = [4096, 64];
  const x = { data: new Float32Array(n * d), shape: [n, d] };
  const unit = 4 * n * d;
  for (const similarity of /** @type {const} */ (['dot', 'cosine'])) {
    const options = { similarity };
    assert.ok(peakOf(() => attention(x, x, x, options)) <= (4 + 2) * unit);
    assert.ok(peakOf(() => attentionGradient(x, x, x, x, options)) <= (7 + 2) * unit);
  }
});

test('a result the engine refuses to allocate is a CapacityError and the next call works', async () => {
  const seen = await isolated(async (load) => {
    const { softmax } = await load.index();
    const x = new Float32Array(100_000);
    softmax(x);
    const Real = Float32Array;
    globalThis.Float32Array = /** @type {any} */ (
      new Proxy(Real, {
        construct(target, args) {
          if (args[0] === 100_000) throw new RangeError('Array buffer allocation failed');
          return Reflect.construct(target, args);
        },
      })
    );
    const outcome = (() => {
      try {
        return softmax(x).shape;
      } catch (error) {
        return `${error}`;
      }
    })();
    globalThis.Float32Array = Real;
    return [outcome, softmax(x).shape];
  });
  assert.deepEqual(seen, [
    'CapacityError: softmax: the engine refuses 400000 bytes for a result of [100000]',
    [100000],
  ]);
});
