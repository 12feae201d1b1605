/**
 * Makes kernels: compiles the inline module, or loads the one with fused multiply-add on request, or
 * the C compiled to JavaScript where WebAssembly or its SIMD is missing or forbidden. Only a real
 * compile proves that an engine allows one (WebAssembly.validate is true under a policy that forbids
 * it), and only a known answer proves that the result works.
 */
import { BackendError, reason } from '../errors.js';
import { decode } from './decode.js';
import { text } from './generated/simd.js';
import { Kernel } from './kernel.js';
import { expectKnownAnswer } from './known-answer.js';
import { loadFallback, loadRelaxed } from './load.js';

/** @import { Instance } from './kernel.js' */

/** @typedef {'simd' | 'relaxed' | 'js'} Backend */

/** Where memory for arrays ends. An array may not end where addresses wrap around, at 0 or in JavaScript
 *  below it: a loop up to its end would not begin. */
const WASM_LIMIT = 2 ** 32 - 65536;
const JS_LIMIT = 2 ** 31 - 65536;

/** What to try, in this order, for each backend that can be asked for.
 *  @type {Record<'auto' | Backend, readonly Backend[]>} */
const CANDIDATES = {
  auto: ['simd', 'js'],
  simd: ['simd'],
  relaxed: ['relaxed', 'simd', 'js'],
  js: ['js'],
};

export const BACKENDS = /** @type {('auto' | Backend)[]} */ (Object.keys(CANDIDATES));

/** The inline modules, once compiled. @type {{ simd?: WebAssembly.Module, relaxed?: WebAssembly.Module }} */
const compiled = {};

/** A file of the package did not come: says nothing about the engine, and may come another time. */
class Unreachable extends Error {}

/** How many files did not come even under another name. */
let failures = 0;

/**
 * A kernel that has given the known answer, of the first candidate that does.
 *
 * @param {string} caller for messages
 * @param {'auto' | Backend} backend
 * @param {WebAssembly.Module} [module] instead of the inline one
 * @returns {Promise<Kernel>}
 */
export async function openKernel(caller, backend, module) {
  const refusals = [];
  /** @type {readonly Backend[]} */
  const own = [backend === 'relaxed' ? backend : 'simd']; // whose build a given module is
  for (const candidate of module ? own : CANDIDATES[backend]) {
    try {
      const kernel = candidate === 'js' ? await openJs() : await openWasm(candidate, module);
      return expectKnownAnswer(kernel);
    } catch (thrown) {
      refusals.push(`${candidate}: ${reason(thrown)}`);
      if (thrown instanceof Unreachable) break;
    }
  }
  throw new BackendError(`${caller}: no backend works (${refusals.join('; ')})`);
}

/**
 * A simd kernel without waiting, for a first call before `init`.
 *
 * @param {string} caller
 * @returns {Kernel}
 */
export function openKernelNow(caller) {
  try {
    const module = (compiled.simd ??= new WebAssembly.Module(decode(text)));
    return expectKnownAnswer(wasmKernel('simd', module, new WebAssembly.Instance(module)));
  } catch (thrown) {
    throw new BackendError(
      `${caller}: the kernel cannot start at once here, expected \`await init()\` before the first call (${reason(thrown)})`,
    );
  }
}

/** @param {'simd' | 'relaxed'} backend @param {WebAssembly.Module} [given] */
async function openWasm(backend, given) {
  const module = given ?? (compiled[backend] ??= await compile(backend));
  const { customSections, exports } = WebAssembly.Module;
  const isRelaxed = customSections(module, 'relaxed').length > 0; // web/build/embed-kernel.js
  const isOurs = exports(module).some(({ name }) => name === 'attn_describe');
  if (!isOurs || isRelaxed !== (backend === 'relaxed')) {
    const file = backend === 'simd' ? 'kernel.wasm' : 'kernel-relaxed.wasm';
    throw new BackendError(`module is another one, expected ${file} of this package`);
  }
  return wasmKernel(backend, module, await WebAssembly.instantiate(module));
}

/** @param {'simd' | 'relaxed'} backend */
async function compile(backend) {
  const kernel = backend === 'simd' ? text : (await loadRelaxed().catch(importAgain)).text;
  return WebAssembly.compile(decode(kernel));
}

/**
 * A file that did not come, asked for once more: Firefox remembers that it failed, and asks no server
 * for it again but under another name. It alone says where the file is, whatever bundler put it there.
 *
 * @param {unknown} thrown by the first import
 * @returns {Promise<any>} the module
 */
async function importAgain(thrown) {
  const said = reason(thrown);
  try {
    const found = /^error loading .* module: (.+)/.exec(said);
    const [, address] = /** @type {string[]} */ (found); // in other engines there is none: throws
    return await import(
      /* @vite-ignore */ /* webpackIgnore: true */ `${address}?retry=${failures}`
    );
  } catch {
    failures += 1;
    throw new Unreachable(said);
  }
}

async function openJs() {
  const { instantiate } = await loadFallback().catch(importAgain);
  const create = () => ({ exports: instantiate(), limit: JS_LIMIT });
  return new Kernel('js', create(), create);
}

/**
 * @param {'simd' | 'relaxed'} backend
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Instance} instance
 */
function wasmKernel(backend, module, instance) {
  /** @param {WebAssembly.Instance} made @returns {Instance} */
  const wrap = ({ exports }) => ({ exports, limit: WASM_LIMIT });
  return new Kernel(backend, wrap(instance), () => wrap(new WebAssembly.Instance(module)));
}
