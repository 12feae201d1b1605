/**
 * A worker of a pool: receives a kernel's module, then parts of calls, and answers each with its value or
 * error. web/build/texts.js bundles this file as text.
 */
import { wasmKernel } from '../attention/kernel/wasm-kernel.js';
import { Buffers } from './buffers.js';
import { doPart, merge, pack } from './part.js';
import { dataOf, port } from './port.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Data } from './part.js'
 * @import { ErrorData } from './port.js'
 */

/**
 * What a worker receives: first a kernel, then parts. `shared` is left out where it is that of the last part;
 * `spent` are buffers to use again.
 *
 * @typedef {{ backend: 'simd' | 'relaxed', module: WebAssembly.Module }} Start
 * @typedef {{ id: number, caller: string, shared?: Data, own: Data, lengths?: Record<string, number>,
 *   spent: ArrayBuffer[] }} Request
 *
 * What it answers: that it is ready, the value of a part, or an error.
 *
 * @typedef {{ isReady?: boolean, id?: number, value?: unknown, milliseconds?: number,
 *   spent?: ArrayBuffer[], error?: ErrorData }} Answer
 */

/** Bytes that a kernel keeps between parts. */
const MOST_KEPT = 2 ** 26;

/** @type {Kernel} */
let kernel;
const buffers = new Buffers();
/** The arguments that the last parts had in common. @type {Data} */
let shared = {};

/** Does a part. @param {Request} request @param {ArrayBuffer[]} transfers added to @returns {Answer} */
function answer({ id, caller, own, lengths, ...request }, transfers) {
  /** @type {ArrayBuffer[]} */
  const spent = [];
  buffers.give(request.spent);
  if (request.shared) {
    pack(shared, spent);
    shared = request.shared;
  }
  const start = performance.now();
  const value = doPart(kernel, { caller, data: merge(shared, own), lengths }, buffers);
  const milliseconds = performance.now() - start;
  pack(own, spent);
  pack(value, transfers);
  transfers.push(...spent);
  return { id, value, milliseconds, spent };
}

port.onmessage = ({ data }) => {
  const message = /** @type {Start | Request} */ (data);
  /** @type {ArrayBuffer[]} */
  const transfers = [];
  try {
    if ('module' in message) {
      const { backend, module } = message;
      kernel = wasmKernel(backend, module, new WebAssembly.Instance(module));
      port.postMessage({ isReady: true }, []);
    } else {
      port.postMessage(answer(message, transfers), transfers);
    }
  } catch (thrown) {
    port.postMessage({ id: 'id' in message ? message.id : undefined, error: dataOf(thrown) }, []);
  } finally {
    kernel?.trim(MOST_KEPT);
  }
};
