/**
 * Stands in for backends.js in `attention-lab/js`: the only backend is the C compiled to JavaScript, and
 * it is linked statically. Service workers allow no dynamic import, and some policies no WebAssembly.
 */
import { DTypeError } from '../errors.js';
import * as fallback from './generated/fallback.js';
import { jsKernel } from './js-kernel.js';
import { expectKnownAnswer } from './known-answer.js';

export const BACKENDS = /** @type {('auto' | 'js')[]} */ (['auto', 'js']);

/** Opens a kernel without waiting. */
export const openKernelNow = () => expectKnownAnswer(jsKernel(fallback));

/**
 * Opens a kernel.
 *
 * @param {string} caller for messages
 * @param {'auto' | 'js'} _backend
 * @param {unknown} [module]
 */
export async function openKernel(caller, _backend, module) {
  if (module !== undefined) {
    throw new DTypeError(`${caller}: attention-lab/js takes no module, expected none`);
  }
  return openKernelNow();
}
