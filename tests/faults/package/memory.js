// Memory that grows, is refused, ends or breaks.

import { failAllocation, memoryOf } from './broken-memory.js';
import { any, filled, refusal, written } from './case-values.js';

/** @import { Case } from './case-values.js' */

/** @type {Record<string, Case>} */
export const MEMORY = {
  'memory that grows in mid-call changes no number': {
    run: async (load) => {
      const { attention, attentionGradient, randomNormal } = await load.index();
      const { run } = await load.active();
      const x = randomNormal([300, 64], { seed: 1 });
      const memory = await memoryOf(load);
      let growths = 0;
      run('test', (kernel) => {
        const arena = kernel.current();
        const { grow } = arena;
        arena.grow = (caller, end) => {
          growths += 1;
          return grow.call(arena, caller, end);
        };
      });
      const first = [attention(x, x, x).output, attentionGradient(x, x, x, x).dKey].map(written);
      const size = memory.buffer.byteLength;
      const second = [attention(x, x, x).output, attentionGradient(x, x, x, x).dKey].map(written);
      return {
        grew: growths > 1,
        steady: memory.buffer.byteLength === size,
        same: JSON.stringify(first) === JSON.stringify(second),
      };
    },
    seen: { grew: true, steady: true, same: true },
  },

  'growth that is refused is a CapacityError, and the next call works': {
    run: async (load) => {
      const { softmax } = await load.index();
      softmax([1]);
      const large = new Float32Array(5_000_000);
      const { grow } = WebAssembly.Memory.prototype;
      const outcomes = [];
      for (const refuse of [
        () => {
          throw new RangeError('refused');
        },
        () => {
          throw 'out of memory'; // as Firefox has it
        },
      ]) {
        WebAssembly.Memory.prototype.grow = refuse;
        outcomes.push(refusal(() => softmax(large)).replace(/\d{4,}/, 'N'));
        outcomes.push(written(softmax([0, 0])).join(' '));
      }
      WebAssembly.Memory.prototype.grow = grow;
      return [...outcomes, softmax(large).data.length];
    },
    seen: [
      'CapacityError: softmax: needs N bytes of kernel memory: the engine refuses to grow it',
      '0.5 0.5',
      'CapacityError: softmax: needs N bytes of kernel memory: the engine refuses to grow it',
      '0.5 0.5',
      5_000_000,
    ],
  },

  'whichever allocation fails, once or from then on, is a CapacityError, and the next call works': {
    run: async (load) => {
      const { attention, additiveAttention, createKernel, softmax } = await load.index();
      const x = { data: new Float64Array(400 * 64).fill(0.5), shape: [400, 64] };
      const weights = { data: new Float64Array(64 * 64).fill(0.01), shape: [64, 64] };
      const additive = {
        queryWeight: weights,
        keyWeight: weights,
        scoreWeight: new Float64Array(64),
      };
      const mask = { data: Array(400 * 400).fill(true), shape: [400, 400] };
      const calls = [
        (/** @type {any} */ lab) => lab.attention(x, x, x, { mask, returns: ['weights'] }),
        (/** @type {any} */ lab) => lab.attentionGradient(x, x, x, x),
        (/** @type {any} */ lab) => lab.additiveAttention(x, x, x, additive),
        (/** @type {any} */ lab) => lab.softmax({ data: x.data, shape: [1, 400 * 64] }),
      ];
      const expected = [attention(x, x, x).output, additiveAttention(x, x, x, additive).output];
      const answers = new Set();
      let injected = 0;
      for (const call of calls) {
        for (const forever of [false, true]) {
          for (let nth = 1; ; nth++) {
            const kernel = await createKernel(); // a small memory, so that it has to grow
            const restore = failAllocation(nth, forever);
            const [outcome] = refusal(() => call(kernel)).split(':');
            if (!restore()) break;
            injected += 1;
            answers.add(outcome);
            if (refusal(() => call(kernel)) !== 'works') answers.add('broken afterwards');
            kernel.dispose();
          }
        }
      }
      const again = [attention(x, x, x).output, additiveAttention(x, x, x, additive).output];
      return {
        answers: [...answers].sort(),
        enough: injected > 30,
        same: JSON.stringify(expected) === JSON.stringify(again),
        next: written(softmax([0, 0])),
      };
    },
    seen: { answers: ['CapacityError', 'works'], enough: true, same: true, next: ['0.5', '0.5'] },
  },

  'a trap inside the module discards the instance; the next call has a new one': {
    run: async (load) => {
      const { attention, init, softmax } = await load.index();
      const { run } = await load.active();
      const x = filled(8, 8, 0.5);
      const before = written(attention(x, x, x).output).join();
      const instance = () => run('test', (kernel) => kernel.exports);
      const trapped = instance();
      const trap = () =>
        run('test', (kernel) => {
          const block = kernel.floats(1);
          block.address = 2 ** 31; // far outside of memory
          kernel.call('attn_softmax_forward', block, 100, 100, 1, block);
        });
      const atOnce = [refusal(trap), written(softmax([0, 0])).join(' ')];
      const replaced = instance() !== trapped;
      const awaited = [refusal(trap), await init(), written(attention(x, x, x).output).join() === before]; // prettier-ignore
      return { atOnce, replaced, awaited };
    },
    seen: {
      atOnce: ['BackendError: test: the kernel failed; the next call starts a new one', '0.5 0.5'],
      replaced: true,
      awaited: [
        'BackendError: test: the kernel failed; the next call starts a new one',
        'simd',
        true,
      ],
    },
  },

  'a hundred thousand calls, failing ones among them, leave the memory as large as it was': {
    run: async (load) => {
      const { attention, attentionGradient, softmax } = await load.index();
      const x = filled(4, 4, 0.5);
      const round = (/** @type {number} */ i) => {
        softmax(x);
        attention(x, x, x, { causal: i % 2 === 0 });
        if (i % 5 === 0) attentionGradient(x, x, x, x);
        if (i % 7 === 0) refusal(() => attention(x, x, any([1, 2])));
      };
      for (let i = 0; i < 100; i++) round(i);
      const { run } = await load.active();
      const state = () =>
        run('test', (kernel) => {
          const { memory, top } = kernel.current();
          return [memory.buffer.byteLength, top].join();
        });
      const before = state();
      for (let i = 0; i < 50_000; i++) round(i);
      return state() === before;
    },
    seen: true,
  },
};
