/**
 * The step between the results of a call and what fills them.
 */
import { isEmpty } from './heads.js';
import { run } from './kernel/active.js';
import { clearResults } from './results.js';

/**
 * @import { Inputs } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Tensor } from './tensor.js'
 */

/**
 * Fills results on the kernel, or with zeros where there is no query.
 *
 * @template T
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Partial<Record<string, Tensor>>} results
 * @param {(kernel: Kernel) => T} work fills them
 * @returns {T | undefined} what `work` returned
 */
export function compute(caller, inputs, results, work) {
  if (!isEmpty(inputs)) return run(caller, work);
  clearResults(results);
}
