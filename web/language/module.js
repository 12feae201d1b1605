/**
 * The module of the language model, in which the kernel's functions that it needs are, too: one shared
 * instance for calls, and one for each trainer, whose memory lives from step to step.
 */
import { readInitOptions } from '../attention/kernel/active.js';
import { openKernel, openKernelNow } from '../attention/kernel/backends.js';
import { Kernel } from '../attention/kernel/kernel.js';
import { LANGUAGE_KERNELS } from './assets.js';
import { text } from './generated/simd.js';

/**
 * @import { InitOptions } from '../attention/kernel/active.js'
 * @import { Backend, Build } from '../attention/kernel/backends.js'
 */

/** @type {Build} */
const LANGUAGE = {
  name: 'language',
  sign: 'attn_language_count',
  text,
  assets: LANGUAGE_KERNELS,
  compiled: {},
};

/** Bytes that the shared instance keeps between calls; memory of WebAssembly never shrinks. */
const MOST_KEPT = 2 ** 26;

/** @type {Kernel | undefined} */
let shared;
/** The last start-up: one follows another, so that the last one decides.
 *  @type {Promise<void>} */
let starting = Promise.resolve();

/**
 * Does `work` on the shared instance, after starting it if need be.
 * @template T
 * @param {string} caller the public function, for messages
 * @param {(kernel: Kernel) => T} work synchronous
 * @returns {T}
 */
export function run(caller, work) {
  const kernel = (shared ??= openKernelNow(caller, LANGUAGE));
  try {
    return kernel.run(caller, work);
  } finally {
    kernel.trim(MOST_KEPT);
  }
}

/**
 * Returns an instance apart from the shared one, with the same backend.
 * @param {string} caller
 * @returns {Kernel}
 */
export function openOwn(caller) {
  return run(caller, ({ backend, revive }) => new Kernel(backend, revive(), revive));
}

/**
 * Returns the module of the shared instance, for another thread; undefined where there is no WebAssembly.
 * @param {string} caller
 */
export const moduleForWorkers = (caller) =>
  run(caller, ({ module, backend }) => ({ module, backend }));

/**
 * Starts the module of the language model without blocking, as `init` does for the kernel. Needed only
 * where the engine refuses to compile at once, where WebAssembly is missing or forbidden, or to choose a
 * backend.
 * @param {InitOptions} [options] as in `init`; a given module is language.wasm, or language-relaxed.wasm
 * @returns {Promise<Backend>} the backend of models and new trainers from now on
 * @throws {BackendError} if the engine cannot run the backend, or its file cannot be loaded
 * @throws {DTypeError} for an unknown option or backend
 * @example
 * await initLanguage(); // 'simd'
 */
export async function initLanguage(options) {
  const { backend, module } = readInitOptions('initLanguage', options);
  const before = starting.catch(() => {});
  starting = before.then(async () => {
    const serves = !module && shared?.arena && ['auto', shared.backend].includes(backend);
    if (!serves) shared = await openKernel('initLanguage', backend, module, LANGUAGE);
  });
  await starting;
  return /** @type {Kernel} */ (shared).backend;
}
