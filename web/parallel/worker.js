/**
 * A worker of a pool: receives a kernel's module, then calls, and answers each with its result or error.
 * web/build/texts.js bundles this file as text.
 */
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { wasmKernel } from '../attention/kernel/wasm-kernel.js';
import { answer } from './apart.js';
import { buffersOf } from './message.js';

/** @import { Kernel } from '../attention/kernel/active.js' */

/**
 * What a worker receives: first a kernel, then calls of functions of the package.
 *
 * @typedef {{ backend: 'simd' | 'relaxed', module: WebAssembly.Module }} Start
 * @typedef {{ name: string, args: unknown[] }} Request
 */

/** The result of a call, how long it took, and its arguments, whose memory goes back.
 *  @typedef {{ result: unknown, milliseconds: number, args: unknown[] }} Done */

/** Bytes that a kernel keeps between calls. */
const MOST_KEPT = 2 ** 26;

/** @type {Kernel} */
let kernel;

answer(async (/** @type {Start | Request} */ job) => {
  if ('module' in job) {
    kernel = wasmKernel(job.backend, job.module, new WebAssembly.Instance(job.module));
    return;
  }
  const start = performance.now();
  try {
    const result = withKernel(kernel, () => Reflect.get(FUNCTIONS, job.name)(...job.args));
    return { result, milliseconds: performance.now() - start, args: job.args };
  } finally {
    kernel.trim(MOST_KEPT);
  }
}, buffersOf);
