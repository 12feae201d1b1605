// The clock of the benchmark, and the loops that measure the peak of the machine.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bestOf } from '../../bench/clock.js';
import { peakFunction, readFunction } from '../../bench/peak.js';

/** One call a sample. */
const SHORT = { sample: 0, warmUp: 0 };

it('the best sample of each function counts, less the time of reading the clock', async () => {
  let time = 0;
  const reading = 3;
  const clock = { read: () => (time += reading), sample: 1 };
  const costs = [
    [50, 20, 70],
    [400, 900, 300],
  ];
  const calls = [0, 0];
  const runs = costs.map((cost, i) => async () => void (time += cost[calls[i]++ % cost.length]));
  assert.deepEqual(await bestOf(runs, 0, { clock, ...SHORT }), [20, 300]);
});

it('functions are measured in turn', async () => {
  let order = '';
  const spin = () => {
    const end = performance.now() + 0.01;
    while (performance.now() < end);
  };
  const runs = ['a', 'b'].map((letter) => () => {
    order += letter;
    spin();
  });
  await bestOf(runs, 0, SHORT);
  assert.match(order, /(ab){5}$/);
});

it('the loop that measures the peak computes 13 chains of multiply and add', () => {
  const peak = peakFunction('simd');
  const { fround } = Math;
  /** @type {(iterations: number) => number} */
  const chain = (n) => (n === 0 ? 0 : fround(fround(fround(0.999) * chain(n - 1)) + fround(0.001)));
  for (const iterations of [1, 2, 50]) {
    assert.ok(Math.abs(peak(iterations) - 13 * chain(iterations)) < 1e-5);
  }
});

it('the loop that reads memory reads every byte of its range, and none beyond', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const read = readFunction(memory);
  const floats = new Float32Array(memory.buffer).fill(1);
  assert.equal(read(0, 65536), 65536 / 4 / 4);
  floats[64] = 10; // the third line begins there
  assert.deepEqual([read(128, 128), read(256, 128), read(128, 256)], [8, 17, 25]);
  assert.throws(() => read(128, 65536), WebAssembly.RuntimeError);
});
