// Memory of a kernel: how memory is allocated, freed, grown and refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../../web/attention/kernel/arena.js';

const PAGE = 65536;
const GIB = 2 ** 30;

test('addresses are aligned to 64 bytes and do not overlap', () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: 1 }), 1001, 4 * GIB);
  const addresses = [1, 64, 65, 0, 3].map((bytes) => arena.allocate('test', bytes));
  assert.deepEqual(addresses, [1024, 1088, 1152, 1280, 1280]);
});

test('release frees the memory taken since the mark', () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: 1 }), 64, 4 * GIB);
  arena.allocate('test', 100);
  const mark = arena.mark();
  const first = arena.allocate('test', 1000);
  arena.release(mark);
  assert.equal(arena.allocate('test', 5), first);
});

test('memory grows when needed, by little more than needed, and its view follows', () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: 1 }), 64, 4 * GIB);
  const address = arena.allocate('test', 100 * PAGE);
  assert.ok(arena.floats.byteLength >= address + 100 * PAGE);
  assert.ok(arena.floats.byteLength <= 1.2 * 100 * PAGE);
  assert.equal(arena.floats.buffer, arena.memory.buffer);
  arena.floats[(address + 100 * PAGE) / 4 - 1] = 7;
  const size = arena.floats.byteLength;
  arena.allocate('test', 5 * PAGE);
  assert.equal(arena.floats.byteLength, size);
});

test('beyond the limit is a CapacityError, and nothing is taken', () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: 1 }), 64, 4 * GIB);
  for (const bytes of [4 * GIB, 2 ** 53, Infinity]) {
    assert.throws(() => arena.allocate('attention', bytes), {
      name: 'CapacityError',
      code: 'ATTN_CAPACITY',
      message: `attention: needs ${bytes + 64} bytes of kernel memory, expected at most ${4 * GIB}`,
    });
  }
  assert.equal(arena.allocate('test', 8), 64);
});

test('a growth with reserve that is refused is tried again without', () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 11 });
  const arena = new Arena(memory, 64, 4 * GIB);
  arena.allocate('test', 10 * PAGE);
  assert.equal(memory.buffer.byteLength, 11 * PAGE);
});

test('a growth that the engine refuses, with any kind of error, is a CapacityError', () => {
  const refusals = {
    'the engine refuses to grow it (too much)': () => {
      throw new RangeError('too much');
    },
    'the engine refuses to grow it (out of memory)': () => {
      throw 'out of memory';
    },
    'the engine refuses to grow it': () => -1,
  };
  for (const [why, grow] of Object.entries(refusals)) {
    const arena = new Arena({ buffer: new ArrayBuffer(PAGE), grow }, 64, 4 * GIB);
    assert.throws(() => arena.allocate('softmax', 2 * PAGE), {
      name: 'CapacityError',
      message: `softmax: needs ${2 * PAGE + 64} bytes of kernel memory: ${why}`,
    });
    assert.equal(arena.allocate('test', 8), 64);
  }
});
