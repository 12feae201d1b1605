/**
 * Chooses the kernel of a call: the one its wrapper set (createKernel), else the shared one, which the
 * first call starts.
 */
import { DTypeError, reject } from '../errors.js';
import { readChoice, readOptions } from '../options.js';
import { backends, openKernel, openKernelNow } from './backends.js';

/** @import { Backend } from './backends.js' */

/** @typedef {import('./kernel.js').Kernel} Kernel for the modules outside this folder */

/**
 * @typedef {object} InitOptions
 * @property {'auto' | Backend} [backend] 'auto' (default) is the backend that has been started
 *   already, else 'simd', or 'js' where the engine lacks or forbids it; 'simd' is bit-reproducible;
 *   'relaxed' is faster (not in Node before 24), may differ in the last bits between devices, and is
 *   'simd' where the engine lacks it; 'js' is the same C compiled to JavaScript
 * @property {WebAssembly.Module} [module] a precompiled module of this package instead of an inline
 *   one: kernel-relaxed.wasm with backend 'relaxed', else kernel.wasm
 */

/** @type {Kernel | undefined} */
let shared;
/** The request that started `shared`. @type {{ backend?: string, module?: WebAssembly.Module }} */
let sharedRequest = {};
/** @type {Kernel | undefined} */
let current;
/** Whether calls only make their results. */
let isIdle = false;
/** The last start-up: one follows another, so that the last one decides.
 *  @type {Promise<void>} */
let starting = Promise.resolve();

/** Bytes that the shared kernel keeps between calls; memory of WebAssembly never shrinks. */
const MOST_KEPT = 2 ** 26;

/**
 * Does `work` on the kernel in charge, after starting it if need be.
 *
 * @template T
 * @param {string} caller the public function, for messages
 * @param {(kernel: Kernel) => T} work synchronous
 * @returns {T}
 */
export function run(caller, work) {
  if (isIdle) return /** @type {any} */ (undefined);
  if (current) return current.run(caller, work);
  const kernel = (shared ??= openKernelNow(caller));
  try {
    return kernel.run(caller, work);
  } finally {
    kernel.trim(MOST_KEPT);
  }
}

/**
 * Calls `work` with `kernel` in charge.
 *
 * @template T
 * @param {Kernel} kernel
 * @param {() => T} work synchronous
 * @returns {T}
 */
export function withKernel(kernel, work) {
  const outer = current;
  current = kernel;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/**
 * Calls `work`, in which functions check their arguments and make their results, but compute nothing: `run`
 * returns undefined.
 *
 * @template T
 * @param {() => T} work synchronous
 * @returns {T}
 */
export function whileIdle(work) {
  isIdle = true;
  try {
    return work();
  } finally {
    isIdle = false;
  }
}

/**
 * Returns operations a millisecond of the kernel in charge, measured once.
 *
 * @param {string} caller
 * @param {(kernel: Kernel) => number} measure
 * @returns {number}
 */
export function speedOf(caller, measure) {
  const kernel = current ?? (shared ??= openKernelNow(caller));
  return (kernel.speed ??= kernel.run(caller, measure));
}

/**
 * Returns the backend in use, 'simd', 'relaxed' or 'js', and undefined before the first call or `init`.
 *
 * @returns {Backend | undefined}
 * @example
 * await init();
 * backend(); // 'simd'
 */
export function backend() {
  return (current ?? shared)?.backend;
}

/**
 * Starts the shared kernel without blocking. Needed only where the engine refuses to compile at
 * once (Chrome before 115 on the main thread), where WebAssembly is missing or forbidden, or to
 * choose a backend. Where dynamic imports are forbidden as well, in service workers and in background
 * workers of extensions, import from `attention-lab/js`: its only backend is 'js', and it starts at the
 * first call. Concurrent calls share one start, and if they name several backends the last one
 * decides; after a failure, which changes nothing, it can be called again.
 *
 * @param {InitOptions} [options]
 * @returns {Promise<Backend>} the backend in use from now on
 * @throws {BackendError} if the engine cannot run the backend, or its file cannot be loaded
 * @throws {DTypeError} for an unknown option or backend
 * @example
 * await init(); // 'simd'
 * await init({ backend: 'js' }); // 'js': from now on without WebAssembly
 */
export async function init(options) {
  const request = readInitOptions('init', options);
  const before = starting.catch(() => {});
  starting = before.then(() => open(request));
  await starting;
  return /** @type {Kernel} */ (shared).backend;
}

/**
 * Reads the options of `init` and `createKernel`.
 *
 * @param {string} caller
 * @param {unknown} options
 * @returns {{ backend: 'auto' | Backend, module?: WebAssembly.Module }}
 */
export function readInitOptions(caller, options) {
  const { backend: name, module } = readOptions(caller, options, ['backend', 'module']);
  if (module !== undefined && !isModule(module)) {
    reject(caller, 'module', module, 'a compiled WebAssembly.Module');
  }
  const choice = readChoice(caller, 'backend', name, backends());
  if (module !== undefined && choice === 'js') {
    throw new DTypeError(`${caller}: backend 'js' takes no module, expected 'simd' or 'relaxed'`);
  }
  return { backend: choice, module };
}

/**
 * Returns whether a value is a compiled module, also of another realm.
 * @param {unknown} value
 * @returns {value is WebAssembly.Module}
 */
const isModule = (value) => Object.prototype.toString.call(value) === '[object WebAssembly.Module]';

/** Starts the shared kernel, unless it serves. @param {ReturnType<typeof readInitOptions>} request */
async function open(request) {
  if (serves(request)) return;
  const kernel = await openKernel('init', request.backend, request.module);
  // A call may have started the shared kernel meanwhile; then one memory is enough.
  if (serves(request)) return;
  shared = kernel;
  sharedRequest = request;
}

/** Returns whether the shared kernel is alive and satisfies `request`, or stands in its place.
 *  @param {ReturnType<typeof readInitOptions>} request */
function serves({ backend: name, module }) {
  if (!shared?.arena || (module && module !== sharedRequest.module)) return false;
  return name === 'auto' || [shared.backend, sharedRequest.backend].includes(name);
}
