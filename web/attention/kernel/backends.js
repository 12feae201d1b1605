/**
 * Makes kernels: compiles the inline module, or loads the one with fused multiply-add on request, or
 * the C compiled to JavaScript where WebAssembly or its SIMD is missing or forbidden. Only a real
 * compile proves that an engine allows one (WebAssembly.validate is true under a policy that forbids
 * it), and only a known answer proves that the result works.
 */
import { BackendError, reason } from '../errors.js';
import { decode } from './decode.js';
import { text } from './generated/simd.js';
import { jsKernel } from './js-kernel.js';
import { expectKnownAnswer } from './known-answer.js';
import { loadFallback, loadRelaxed } from './load.js';
import { wasmKernel } from './wasm-kernel.js';

/** @import { Kernel } from './kernel.js' */

/** @typedef {'simd' | 'relaxed' | 'js'} Backend */

/** The backends to try, in this order, for each choice of the option `backend`.
 *  @type {Record<'auto' | Backend, readonly Backend[]>} */
const CANDIDATES = {
  auto: ['simd', 'js'],
  simd: ['simd'],
  relaxed: ['relaxed', 'simd', 'js'],
  js: ['js'],
};

export const BACKENDS = /** @type {('auto' | Backend)[]} */ (Object.keys(CANDIDATES));

/**
 * A module in its three builds.
 *
 * @typedef {object} Build
 * @property {string} name of its files
 * @property {string} sign the name of an export that other modules lack
 * @property {string} text the one with SIMD, for decode.js
 * @property {() => Promise<{ text: string }>} loadRelaxed
 * @property {() => Promise<{ instantiate: () => Record<string, any> }>} loadFallback
 * @property {{ simd?: WebAssembly.Module, relaxed?: WebAssembly.Module }} compiled the inline ones, so far
 */

/** @type {Build} */
const KERNEL = {
  name: 'kernel',
  sign: 'attn_describe',
  text,
  loadRelaxed,
  loadFallback,
  compiled: {},
};

/** A file of the package failed to load: no proof about the engine, and a retry may succeed. */
class Unreachable extends Error {}

/** The number of files that failed to load even under another name. */
let failures = 0;

/**
 * Opens a kernel on the first candidate that gives the known answer.
 *
 * @param {string} caller for messages
 * @param {'auto' | Backend} backend
 * @param {WebAssembly.Module} [module] instead of the inline one
 * @param {Build} [build]
 * @returns {Promise<Kernel>}
 */
export async function openKernel(caller, backend, module, build = KERNEL) {
  const refusals = [];
  /** @type {readonly Backend[]} */
  const own = [backend === 'relaxed' ? backend : 'simd']; // whose build a given module is
  for (const candidate of module ? own : CANDIDATES[backend]) {
    try {
      const kernel =
        candidate === 'js' ? await openJs(build) : await openWasm(candidate, build, module);
      return expectKnownAnswer(kernel);
    } catch (thrown) {
      refusals.push(`${candidate}: ${reason(thrown)}`);
      if (thrown instanceof Unreachable) break;
    }
  }
  const isJsMissing = refusals.some((refusal) => refusal.startsWith('js:'));
  const hint = isJsMissing ? "; 'attention-lab/js' needs no WebAssembly and no import()" : '';
  throw new BackendError(`${caller}: no backend works (${refusals.join('; ')})${hint}`);
}

/**
 * Opens a simd kernel without waiting, for a first call before `init`.
 *
 * @param {string} caller
 * @param {Build} [build]
 * @returns {Kernel}
 */
export function openKernelNow(caller, build = KERNEL) {
  try {
    const module = (build.compiled.simd ??= new WebAssembly.Module(decode(build.text)));
    return expectKnownAnswer(wasmKernel('simd', module, new WebAssembly.Instance(module)));
  } catch (thrown) {
    throw new BackendError(
      `${caller}: the kernel cannot start at once here, expected \`await init()\` before the first call (${reason(thrown)})`,
    );
  }
}

/** Opens a kernel of WebAssembly.
 *  @param {'simd' | 'relaxed'} backend @param {Build} build @param {WebAssembly.Module} [given] */
async function openWasm(backend, build, given) {
  const module = given ?? (build.compiled[backend] ??= await compile(backend, build));
  const { customSections, exports } = WebAssembly.Module;
  const isRelaxed = customSections(module, 'relaxed').length > 0; // web/build/embed-kernel.js
  const isOurs = exports(module).some(({ name }) => name === build.sign);
  if (!isOurs || isRelaxed !== (backend === 'relaxed')) {
    const file = `${build.name}${backend === 'simd' ? '' : '-relaxed'}.wasm`;
    throw new BackendError(`module is another one, expected ${file} of this package`);
  }
  return wasmKernel(backend, module, await WebAssembly.instantiate(module));
}

/** Compiles the inline module of a backend. @param {'simd' | 'relaxed'} backend @param {Build} build */
async function compile(backend, { text, loadRelaxed }) {
  const module = backend === 'simd' ? text : (await loadRelaxed().catch(importAgain)).text;
  return WebAssembly.compile(decode(module));
}

/**
 * Imports a file that failed to load once more, under another name: Firefox remembers the failure of the
 * first. Only Firefox names the address in its message, also where a bundler has moved the file.
 *
 * @param {unknown} thrown by the first import
 * @returns {Promise<any>} the module
 */
async function importAgain(thrown) {
  const message = reason(thrown);
  const address = /^error loading .* module: (.+)/.exec(message)?.[1];
  if (address !== undefined) {
    try {
      return await import(
        /* @vite-ignore */ /* webpackIgnore: true */ `${address}?retry=${failures}`
      );
    } catch {
      failures += 1;
    }
  }
  throw new Unreachable(message);
}

/** Opens a kernel of the C compiled to JavaScript. @param {Build} build */
async function openJs(build) {
  return jsKernel(await build.loadFallback().catch(importAgain));
}
