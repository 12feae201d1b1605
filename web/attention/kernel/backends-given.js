/**
 * Stands in for backends.js in workers: the only kernel is the one of a module that the page has compiled,
 * so that no worker holds the text of another.
 */
import { BackendError } from '../errors.js';
import { wasmKernel } from './wasm-kernel.js';

export const BACKENDS = /** @type {('simd' | 'relaxed')[]} */ (['simd', 'relaxed']);

/**
 * Opens the kernel of a module.
 *
 * @param {string} caller for messages
 * @param {'simd' | 'relaxed'} backend of the module
 * @param {WebAssembly.Module} module
 */
export async function openKernel(caller, backend, module) {
  if (!module) openKernelNow(caller);
  return wasmKernel(backend, module, await WebAssembly.instantiate(module));
}

/** Refuses. @param {string} caller @returns {never} */
export function openKernelNow(caller) {
  throw new BackendError(
    `${caller}: a worker has no kernel of its own, expected the page's module`,
  );
}
