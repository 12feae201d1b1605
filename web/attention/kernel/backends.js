/**
 * Makes kernels: compiles the inline module, or loads the one with fused multiply-add on request, or
 * the C compiled to JavaScript where WebAssembly or its SIMD is missing or forbidden. Only a real
 * compile proves that an engine allows one (WebAssembly.validate is true under a policy that forbids
 * it), and only a known answer proves that the result works.
 */
import { load, Unreachable } from '../../assets/import.js';
import { keysOf } from '../../shared/keys.js';
import { BackendError, DTypeError, reason } from '../errors.js';
import { KERNELS } from './assets.js';
import { decode } from './decode.js';
import { text } from './generated/simd.js';
import { jsKernel } from './js-kernel.js';
import { expectKnownAnswer } from './known-answer.js';
import { wasmKernel } from './wasm-kernel.js';

/**
 * @import { Group } from '../../assets/import.js'
 * @import { Kernel } from './kernel.js'
 */

/** @typedef {'simd' | 'relaxed' | 'js'} Backend */

/** The backends to try, in this order, for each choice of the option `backend`.
 *  @type {Record<'auto' | Backend, readonly Backend[]>} */
const CANDIDATES = {
  auto: ['simd', 'js'],
  simd: ['simd'],
  relaxed: ['relaxed', 'simd', 'js'],
  js: ['js'],
};

/**
 * The C compiled to JavaScript, without its memory.
 * @typedef {{ instantiate: () => Record<string, any> }} Fallback
 */

/** The fallback that `attention-lab/js` includes, where it is the only backend. @type {Fallback | undefined} */
let included;

/** Makes a fallback the only backend, which starts without waiting. @param {Fallback} fallback */
export const include = (fallback) => {
  included = fallback;
};

/** Returns the choices of the option `backend`. @returns {('auto' | Backend)[]} */
export const backends = () => (included ? ['auto', 'js'] : keysOf(CANDIDATES));

/**
 * A module in its three builds.
 *
 * @typedef {object} Build
 * @property {string} name of its files
 * @property {string} sign the name of an export that other modules lack
 * @property {string} text the one with SIMD, for decode.js
 * @property {Group} assets the other two, NAME-relaxed and NAME-fallback
 * @property {{ simd?: WebAssembly.Module, relaxed?: WebAssembly.Module }} compiled the inline ones, so far
 */

/** @type {Build} */
const KERNEL = {
  name: 'kernel',
  sign: 'attn_entropy_forward',
  text,
  assets: KERNELS,
  compiled: {},
};

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
  if (included && module !== undefined) {
    throw new DTypeError(`${caller}: attention-lab/js takes no module, expected none`);
  }
  if (included) return openKernelNow(caller);
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
  if (included) return expectKnownAnswer(jsKernel(included));
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
async function compile(backend, { name, text, assets }) {
  const module = backend === 'simd' ? text : (await load(assets, `${name}-relaxed`)).text;
  return WebAssembly.compile(decode(module));
}

/** Opens a kernel of the C compiled to JavaScript. @param {Build} build */
async function openJs({ name, assets }) {
  return jsKernel(await load(assets, `${name}-fallback`));
}
