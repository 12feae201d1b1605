// Kernels that start, fail to start and are disposed of.

import { any, refusal, rejection, written } from './case-values.js';

/** @import { Case } from './case-values.js' */

/** @type {Record<string, Case>} */
export const LIFE_CYCLE = {
  'starting twice, and at the same time, makes one instance': {
    run: async (load) => {
      let instances = 0;
      const { instantiate } = WebAssembly;
      WebAssembly.instantiate = any((/** @type {WebAssembly.Module} */ module) => {
        instances += 1;
        return instantiate.call(WebAssembly, module);
      });
      WebAssembly.Instance = any(function Instance() {
        instances += 1;
      });
      const { init, softmax } = await load.index();
      const [auto, simd] = [init({ backend: 'auto' }), init({ backend: 'simd' })];
      const together = await Promise.all([init(), init(), auto, simd]);
      await init();
      return { together, again: [await init()], instances, works: written(softmax([0, 0])) };
    },
    seen: {
      together: Array(4).fill('simd'),
      again: ['simd'],
      instances: 1,
      works: ['0.5', '0.5'],
    },
  },

  'a start that failed can be tried again': {
    run: async (load) => {
      const { compile } = WebAssembly;
      WebAssembly.compile = any(() => Promise.reject('out of memory')); // a string, as in Firefox
      const { backend, init, softmax } = await load.index();
      const simd = any({ backend: 'simd' });
      const failed = await Promise.all([rejection(init(simd)), rejection(init(simd))]);
      const between = backend() ?? 'none';
      WebAssembly.compile = compile;
      return { failed, between, after: await init(simd), works: written(softmax([0, 0])) };
    },
    seen: {
      failed: Array(2).fill('BackendError: init: no backend works'),
      between: 'none',
      after: 'simd',
      works: ['0.5', '0.5'],
    },
  },

  'a kernel disposed of in flight computes no more, and harms no other': {
    run: async (load) => {
      const { createKernel, softmax } = await load.index();
      const kernel = await createKernel();
      const options = {
        get temperature() {
          kernel.dispose();
          return 1;
        },
      };
      const inFlight = refusal(() => kernel.softmax([1], options));
      const starting = createKernel();
      const later = refusal(() => kernel.softmax([1]));
      const other = await starting;
      return [inFlight, later, written(other.softmax([0, 0])), written(softmax([0, 0]))];
    },
    seen: [
      'BackendError: softmax: this kernel has been disposed of',
      'BackendError: softmax: this kernel has been disposed of',
      ['0.5', '0.5'],
      ['0.5', '0.5'],
    ],
  },
};
