/** Makes a kernel of WebAssembly. */
import { Kernel } from './kernel.js';

/** @import { Instance } from './kernel.js' */

/** Where memory for arrays ends. An array may not end where addresses wrap around, at 0: a loop up to its
 *  end would not begin. */
const LIMIT = 2 ** 32 - 65536;

/**
 * Wraps an instance of a module as a kernel, which makes further instances from the module.
 *
 * @param {'simd' | 'relaxed'} backend
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Instance} instance
 */
export function wasmKernel(backend, module, instance) {
  /**
   * Returns an instance with its limit of memory.
   * @param {WebAssembly.Instance} made
   * @returns {Instance}
   */
  const wrap = ({ exports }) => ({ exports, limit: LIMIT });
  const kernel = new Kernel(backend, wrap(instance), () => wrap(new WebAssembly.Instance(module)));
  kernel.module = module;
  return kernel;
}
