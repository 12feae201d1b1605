// Memory that cases break: that of the shared kernel, of another realm, and allocations that fail.

import { any } from './case-values.js';

/** @import { Load } from './case-values.js' */

/** Returns the memory of the shared kernel. @param {Load} load @returns {Promise<WebAssembly.Memory>} */
export async function memoryOf(load) {
  const { run } = await load.active();
  return run('test', (kernel) => any(kernel.current().memory));
}

/** Returns a typed array of another realm: of another frame, or of another context in Node. */
export async function foreignFloats() {
  if (!globalThis.document) {
    const { runInNewContext } = await import(/** @type {string} */ ('node:vm'));
    return runInNewContext('Float32Array.of(1, 2)');
  }
  const frame = document.body.appendChild(document.createElement('iframe'));
  return any(frame.contentWindow).Float32Array.of(1, 2);
}

/**
 * Makes the `nth` allocation from now on fail, and with `forever` all that follow: growth of the kernel's memory,
 * and typed arrays that allocate. The function that it returns undoes this, and returns whether one has failed.
 * @param {number} nth
 * @param {boolean} forever
 */
export function failAllocation(nth, forever) {
  let count = 0;
  const fails = () => {
    count += 1;
    return forever ? count >= nth : count === nth;
  };
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (fails()) throw new RangeError('injected');
    return grow.call(this, pages);
  };
  const arrays = { Float32Array, Uint8Array };
  for (const [name, Real] of Object.entries(arrays)) {
    const construct = (/** @type {any} */ target, /** @type {any[]} */ args) => {
      if (!isBuffer(args[0]) && fails()) throw new RangeError('injected');
      return Reflect.construct(target, args);
    };
    any(globalThis)[name] = new Proxy(Real, { construct });
  }
  return () => {
    WebAssembly.Memory.prototype.grow = grow;
    Object.assign(globalThis, arrays);
    return count >= nth;
  };
}

/** @param {unknown} value */
const isBuffer = (value) => /ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
