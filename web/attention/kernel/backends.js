/**
 * Makes kernels: compiles the inline module, or loads the C compiled to JavaScript where
 * WebAssembly or its SIMD is missing or forbidden. Only a real compile proves that an engine
 * allows one (WebAssembly.validate is true under a policy that forbids it), and only a known
 * answer proves that the result works.
 */
import { BackendError, reason } from '../errors.js';
import { decode } from './decode.js';
import { text } from './generated/simd.js';
import { Kernel } from './kernel.js';
import { expectKnownAnswer } from './known-answer.js';

/** @typedef {'simd' | 'relaxed' | 'js'} Backend */
/** @typedef {import('./kernel.js').Instance} Instance */

const SIMD_LIMIT = 2 ** 32;
const JS_LIMIT = 2 ** 31 - 65536; // beyond it JavaScript's addresses would turn negative

/** What to try, in this order, for each backend that can be asked for.
 *  @type {Record<'auto' | Backend, readonly Backend[]>} */
const CANDIDATES = {
  auto: ['simd', 'js'],
  simd: ['simd'],
  relaxed: ['simd', 'js'],
  js: ['js'],
};

export const BACKENDS = /** @type {('auto' | Backend)[]} */ (Object.keys(CANDIDATES));

/** The inline module, once compiled. @type {WebAssembly.Module | undefined} */
let compiled;

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
  for (const candidate of module ? ['simd'] : CANDIDATES[backend]) {
    try {
      const kernel = candidate === 'simd' ? await openSimd(module) : await openJs();
      return expectKnownAnswer(kernel);
    } catch (thrown) {
      refusals.push(`${candidate}: ${reason(thrown)}`);
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
    compiled ??= new WebAssembly.Module(decode(text));
    return expectKnownAnswer(simdKernel(compiled, new WebAssembly.Instance(compiled)));
  } catch (thrown) {
    throw new BackendError(
      `${caller}: the kernel cannot start at once here, expected \`await init()\` before the first call (${reason(thrown)})`,
    );
  }
}

/** @param {WebAssembly.Module} [module] */
async function openSimd(module) {
  const own = module ?? (compiled ??= await WebAssembly.compile(decode(text)));
  return simdKernel(own, await WebAssembly.instantiate(own));
}

async function openJs() {
  const { instantiate } = await import('./generated/fallback.js');
  const create = () => ({ exports: instantiate(), limit: JS_LIMIT });
  return new Kernel('js', create(), create);
}

/** @param {WebAssembly.Module} module @param {WebAssembly.Instance} instance */
function simdKernel(module, instance) {
  /** @param {WebAssembly.Instance} made @returns {Instance} */
  const wrap = ({ exports }) => ({ exports, limit: SIMD_LIMIT });
  return new Kernel('simd', wrap(instance), () => wrap(new WebAssembly.Instance(module)));
}
