/** Makes a kernel of the C compiled to JavaScript. */
import { Kernel } from './kernel.js';

/** Where memory for arrays ends. An array may not end where addresses wrap around, in JavaScript below 0:
 *  a loop up to its end would not begin. */
const LIMIT = 2 ** 31 - 65536;

/**
 * Returns a kernel that does without WebAssembly.
 *
 * @param {{ instantiate: () => Record<string, any> }} fallback the module generated/fallback.js
 */
export function jsKernel({ instantiate }) {
  const create = () => ({ exports: instantiate(), limit: LIMIT });
  return new Kernel('js', create(), create);
}
