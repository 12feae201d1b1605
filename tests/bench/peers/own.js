// This package with a separate kernel.
import { createKernel } from '../../../web/attention/index.js';
import { callOf } from './call.js';

/**
 * @import { Kernel } from '../../../web/attention/index.js'
 * @import { Contender } from '../problems.js'
 */

/** @typedef {'simd' | 'relaxed'} Backend */

/**
 * @param {Backend} backend
 * @returns {Promise<Kernel | undefined>} undefined where the engine lacks it
 */
export async function openKernelOf(backend) {
  const kernel = await createKernel({ backend });
  return kernel.backend() === backend ? kernel : undefined;
}

/**
 * @param {Backend} backend
 * @param {boolean} [reuses] whether results go to arrays that are already there
 * @returns {Promise<Contender | undefined>} undefined where the engine lacks it
 */
export async function openOwn(backend, reuses = false) {
  const kernel = await openKernelOf(backend);
  if (!kernel) return undefined;
  const name = `attention-lab ${backend}`;
  return { name, prepare: (problem) => callOf(kernel, problem, reuses) };
}
