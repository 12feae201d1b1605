/**
 * A worker of a pool: receives a kernel's module, then calls, and answers each with its result or error.
 * web/build/texts.js bundles this file as text.
 */
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { wasmKernel } from '../attention/kernel/wasm-kernel.js';
import { buffersOf } from './message.js';
import { dataOf, port } from './port.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { ErrorData } from './port.js'
 */

/**
 * What a worker receives: first a kernel, then calls of functions of the package.
 *
 * @typedef {{ backend: 'simd' | 'relaxed', module: WebAssembly.Module }} Start
 * @typedef {{ id: number, name: string, args: unknown[] }} Request
 *
 * What it answers: that it is ready, the result of a call, or an error.
 *
 * @typedef {{ isReady?: boolean, id?: number, result?: unknown, milliseconds?: number,
 *   error?: ErrorData }} Answer
 */

/** Bytes that a kernel keeps between calls. */
const MOST_KEPT = 2 ** 26;

/** @type {Kernel} */
let kernel;

/** Answers a call. @param {Request} request */
function answer({ id, name, args }) {
  const start = performance.now();
  const result = withKernel(kernel, () => Reflect.get(FUNCTIONS, name)(...args));
  port.postMessage({ id, result, milliseconds: performance.now() - start }, buffersOf(result));
}

port.onmessage = ({ data }) => {
  const message = /** @type {Start | Request} */ (data);
  try {
    if ('module' in message) {
      const { backend, module } = message;
      kernel = wasmKernel(backend, module, new WebAssembly.Instance(module));
      port.postMessage({ isReady: true }, []);
    } else {
      answer(message);
    }
  } catch (thrown) {
    port.postMessage({ id: 'id' in message ? message.id : undefined, error: dataOf(thrown) }, []);
  } finally {
    kernel?.trim(MOST_KEPT);
  }
};
