// Engines that lack something, and pages that patch them.

import { any, refusal, written } from './case-values.js';

/** @import { Case } from './case-values.js' */

/** @type {Record<string, Case>} */
export const ENVIRONMENT = {
  'without WebAssembly an error names the way out, and the js backend gives the same bits': {
    run: async (load) => {
      const { WebAssembly: real } = globalThis;
      Reflect.deleteProperty(globalThis, 'WebAssembly');
      const { attention, createKernel, init, randomNormal, softmax } = await load.index();
      const early = refusal(() => softmax([1]));
      const backend = await init();
      const x = randomNormal([20, 16], { seed: 1 });
      const plain = written(attention(x, x, x).output).join();
      globalThis.WebAssembly = real;
      const simd = await createKernel({ backend: 'simd' });
      return { early, backend, same: written(simd.attention(x, x, x).output).join() === plain };
    },
    seen: {
      early:
        'BackendError: softmax: the kernel cannot start at once here, expected `await init()` before the first call',
      backend: 'js',
      same: true,
    },
  },

  'globals that a page has patched change no number': {
    run: async (load) => {
      const add = (/** @type {any} */ target, /** @type {string} */ name, enumerable = true) =>
        Object.defineProperty(target, name, {
          configurable: true,
          enumerable, // so for…in meets it
          writable: true,
          value: () => {
            throw new Error(`${name} ran`);
          },
        });
      // WebKit's driver cannot read results that inherit enumerable properties.
      for (const target of [Object, Function]) add(target.prototype, 'each', false);
      for (const target of [Array, String, Float32Array]) {
        add(target.prototype, 'each');
        add(target.prototype, 'toJSON');
      }
      const { random, exp, log, tanh } = Math;
      for (const name of ['random', 'exp', 'log', 'tanh']) add(Math, name);
      const { fetch, Promise: RealPromise } = globalThis;
      add(globalThis, 'fetch');
      globalThis.Promise = any(class extends any(RealPromise) {});
      try {
        const { attention, init, softmax } = await load.index();
        const backend = await init();
        const { output } = attention([[1, 2]], [[1, 2]], [[3, 4]], { returns: ['weights'] });
        return [backend, [...output.data].join(), written(softmax([0, 0])).join()].join(' ');
      } finally {
        Object.assign(Math, { random, exp, log, tanh });
        Object.assign(globalThis, { fetch, Promise: RealPromise });
        for (const target of [Array, Object, Function, String, Float32Array]) {
          delete any(target.prototype).each;
          delete any(target.prototype).toJSON;
        }
      }
    },
    seen: 'simd 3,4 0.5,0.5',
  },
};
