/**
 * One long job in a worker of its own, which ends with it: both ends of the conversation. The worker answers
 * `{ progress }` as often as it likes, and at last `{ result }` or `{ error }`.
 */
import { errorFrom, reason } from '../attention/errors.js';
import { backend as backendInUse } from '../attention/kernel/active.js';
import { openKernel } from '../attention/kernel/backends.js';
import { port } from './port.js';
import { startThread } from './threads.js';

/**
 * @import { Backend } from '../attention/kernel/backends.js'
 * @import { Thread } from './threads.js'
 */

/** No worker may start, or it ended: no fault of the job, which the caller's thread can do. */
export class NoWorker extends Error {}

/**
 * Returns the kernel in use, for a job to bring along.
 *
 * @returns {Promise<{ backend: Backend, module: WebAssembly.Module }>}
 * @throws {NoWorker} (as a rejection) without WebAssembly
 */
export async function kernelToSend() {
  const { backend, module } = await openKernel('runApart', backendInUse() ?? 'auto');
  if (!module) throw new NoWorker('the kernel is no module of WebAssembly');
  return { backend, module };
}

/**
 * Runs a job in a worker.
 *
 * @param {string} text of the worker, a classic script
 * @param {object} job
 * @param {{ signal?: AbortSignal, onProgress?: (progress: any) => void }} [control]
 * @returns {Promise<any>} the result
 * @throws {NoWorker} (as a rejection) where workers are missing or forbidden, or cannot receive the job
 * @throws the signal's reason, or the error of the job
 */
export async function runApart(text, job, { signal, onProgress } = {}) {
  /** @type {Thread | undefined} */
  let thread;
  let abort = () => {};
  try {
    return await new Promise((resolve, fail) => {
      abort = () => fail(signal?.reason);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort);
      try {
        thread = startThread(text, {
          onMessage: ({ progress, result, error }) => {
            if (error) fail(errorFrom(error));
            else if (progress) onProgress?.(progress);
            else resolve(result);
          },
          onFailure: (why) => fail(new NoWorker(why)),
        });
        thread.post(job, []);
      } catch (thrown) {
        fail(new NoWorker(reason(thrown)));
      }
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    thread?.end();
  }
}

/**
 * Does the one job that this worker receives.
 *
 * @param {(job: any, onProgress: (progress: object) => void) => Promise<unknown>} work
 */
export function answer(work) {
  port.onmessage = async (/** @type {{ data: unknown }} */ { data: job }) => {
    try {
      const result = await work(job, (progress) => port.postMessage({ progress }));
      port.postMessage({ result });
    } catch (thrown) {
      const { name, code } = /** @type {any} */ (thrown ?? {});
      port.postMessage({ error: { name, code, message: reason(thrown) } });
    }
  };
}
