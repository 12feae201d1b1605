// This package with a kernel of its own.
import { createKernel } from '../../../web/attention/index.js';
import { callOf } from './call.js';

/** @import { Contender } from '../problems.js' */

/**
 * @param {'simd' | 'relaxed'} backend
 * @returns {Promise<Contender | undefined>} undefined where the engine lacks it
 */
export async function openOwn(backend) {
  const kernel = await createKernel({ backend });
  if (kernel.backend() !== backend) return undefined;
  return { name: `attention-lab ${backend}`, prepare: (problem) => callOf(kernel, problem) };
}
