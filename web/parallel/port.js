/** The other end of a worker, and errors on their way through it. */
import { reason } from '../attention/errors.js';

/**
 * @typedef {object} Port
 * @property {((event: { data: unknown }) => void) | null} onmessage
 * @property {(message: unknown, transfers: ArrayBuffer[]) => void} postMessage
 */

/** What `errorFrom` makes an error of. @typedef {{ name?: unknown, code?: unknown, message: string }} ErrorData */

/** In Node the port of the parent, else the scope of the worker.
 *  @type {Port} */
export const port = /** @type {any} */ (
  globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort ?? globalThis
);

/** Returns an error as data that `postMessage` can send. @param {unknown} thrown @returns {ErrorData} */
export function dataOf(thrown) {
  /** @type {{ name?: unknown, code?: unknown }} */
  const { name, code } = thrown ?? {};
  return { name, code, message: reason(thrown) };
}
