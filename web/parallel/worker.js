/**
 * A worker of a pool: receives a kernel's module, then parts of calls, and answers each with its value or
 * error. web/build/embed-worker.js bundles this file as text.
 */
import { wasmKernel } from '../attention/kernel/wasm-kernel.js';
import { reason } from '../attention/errors.js';
import { Buffers } from './buffers.js';
import { port } from './port.js';
import { merge, pack, perform } from './work.js';

/** @import { Kernel } from '../attention/kernel/active.js' */

/** Bytes that a kernel keeps between parts. */
const MOST_KEPT = 2 ** 26;

/** @type {Kernel} */
let kernel;
const buffers = new Buffers();
/** The arguments that the last parts had in common. @type {import('./work.js').Data} */
let shared = {};

/** Answers a message. @param {any} message */
function answer({ module, backend, work, own, ...message }) {
  if (module) {
    kernel = wasmKernel(backend, module, new WebAssembly.Instance(module));
    return { isReady: true };
  }
  /** @type {ArrayBuffer[]} */
  const spent = [];
  buffers.give(message.spent);
  if (message.shared) {
    pack(shared, spent);
    shared = message.shared;
  }
  const start = performance.now();
  const value = perform(kernel, work, merge(shared, own), buffers);
  pack(own, spent);
  return { value, milliseconds: performance.now() - start, spent };
}

port.onmessage = (/** @type {{ data: any }} */ { data: message }) => {
  const { id } = message;
  try {
    /** @type {ArrayBuffer[]} */
    const transfers = [];
    const answered = answer(message);
    pack(answered.value, transfers);
    port.postMessage({ id, ...answered }, [...transfers, ...(answered.spent ?? [])]);
  } catch (thrown) {
    const { name, code } = /** @type {any} */ (thrown ?? {});
    port.postMessage({ id, error: { name, code, message: reason(thrown) } });
  } finally {
    kernel?.trim(MOST_KEPT);
  }
};
