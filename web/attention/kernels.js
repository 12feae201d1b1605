/**
 * Separate kernels: instances apart from the shared one, with a memory that `dispose` frees.
 */
import { BackendError } from './errors.js';
import * as FUNCTIONS from './functions.js';
import { backend, readInitOptions, withKernel } from './kernel/active.js';
import { openKernel } from './kernel/backends.js';

/**
 * @import { InitOptions } from './kernel/active.js'
 * @import { Backend } from './kernel/backends.js'
 */

/**
 * The functions of the package on a separate instance. `backend` returns its backend; after
 * `dispose` every function throws a BackendError.
 *
 * @typedef {typeof FUNCTIONS & { backend: () => Backend, dispose: () => void }} Kernel
 */

/**
 * Starts a kernel apart from the shared one. It keeps the memory of its largest call until `dispose`.
 *
 * @param {InitOptions} [options] as in `init`
 * @returns {Promise<Kernel>}
 * @throws {BackendError} if the engine cannot run the backend, or its file cannot be loaded
 * @throws {DTypeError} for an unknown option or backend
 * @example
 * const kernel = await createKernel({ backend: 'js' });
 * kernel.softmax([1, 2, 3]).data; // Float32Array [0.0900, 0.2447, 0.6652]
 * kernel.dispose();
 */
export async function createKernel(options) {
  const { backend: name, module } = readInitOptions('createKernel', options);
  const kernel = await openKernel('createKernel', name, module);
  /**
   * Returns a function of the package bound to the kernel.
   * @param {[string, (...args: any[]) => unknown]} entry
   */
  const bind = ([caller, method]) => [
    caller,
    (/** @type {unknown[]} */ ...args) => {
      if (kernel.disposed) throw new BackendError(`${caller}: this kernel has been disposed of`);
      return withKernel(kernel, () => method(...args));
    },
  ];
  const methods = Object.entries({ ...FUNCTIONS, backend }).map(bind);
  return Object.freeze({ ...Object.fromEntries(methods), dispose: () => kernel.dispose() });
}
