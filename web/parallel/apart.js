/**
 * Long jobs in a worker of their own: both ends of the conversation. To a job the worker answers `{ progress }`
 * as often as it likes, and at last `{ result }` or `{ error }`.
 */
import { errorFrom, reason } from '../attention/errors.js';
import { backend as backendInUse } from '../attention/kernel/active.js';
import { openKernel } from '../attention/kernel/backends.js';
import { dataOf, port } from './port.js';
import { startThread } from './threads.js';

export { concurrency } from './threads.js';

/**
 * @import { Backend } from '../attention/kernel/backends.js'
 * @import { ErrorData } from './port.js'
 * @import { Thread } from './threads.js'
 */

/** What a worker answers to a job. @typedef {{ progress?: object, result?: unknown, error?: ErrorData }} Answer */

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
 * Starts a worker, which does one job after another.
 *
 * @param {string} text a classic script
 * @param {(progress: any) => void} [onProgress]
 * @returns {{ ask: (job: object) => Promise<any>, end: () => void }} `ask` returns the result of a job, or
 *   rejects with its error, or with NoWorker if the worker ended or cannot receive the job
 * @throws {NoWorker} where workers are missing or forbidden
 */
export function startApart(text, onProgress = () => {}) {
  /** @type {NoWorker | undefined} */
  let ended;
  /** Settles the job that the worker does.
   *  @type {{ resolve: (result: unknown) => void, fail: (error: unknown) => void }} */
  let settle = { resolve() {}, fail() {} };
  /** @type {Thread} */
  let thread;
  try {
    thread = startThread(text, {
      onMessage: (/** @type {Answer} */ { progress, result, error }) => {
        if (error) settle.fail(errorFrom(error));
        else if (progress) onProgress(progress);
        else settle.resolve(result);
      },
      onFailure: (why) => settle.fail((ended = new NoWorker(why))),
    });
  } catch (thrown) {
    throw new NoWorker(reason(thrown));
  }
  const ask = (/** @type {object} */ job) =>
    new Promise((resolve, fail) => {
      if (ended) throw ended;
      settle = { resolve, fail };
      try {
        thread.post(job, []);
      } catch (thrown) {
        throw new NoWorker(reason(thrown));
      }
    });
  return { ask, end: () => thread.end() };
}

/**
 * Runs a job in a worker that ends with it.
 *
 * @template Result
 * @param {string} text of the worker, a classic script
 * @param {object} job
 * @param {{ signal?: AbortSignal, onProgress?: (progress: any) => void }} [control]
 * @returns {Promise<Result>}
 * @throws {NoWorker} (as a rejection) where workers are missing or forbidden, or cannot receive the job
 * @throws the signal's reason, or the error of the job
 */
export async function runApart(text, job, { signal, onProgress } = {}) {
  signal?.throwIfAborted();
  const worker = startApart(text, onProgress);
  let abort = () => {};
  try {
    return await new Promise((resolve, fail) => {
      abort = () => fail(signal?.reason);
      signal?.addEventListener('abort', abort);
      worker.ask(job).then(resolve, fail);
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    worker.end();
  }
}

/**
 * Does the jobs that this worker receives.
 *
 * @template Job
 * @param {(job: Job, onProgress: (progress: object) => void) => Promise<unknown>} work
 */
export function answer(work) {
  port.onmessage = async ({ data }) => {
    try {
      const job = /** @type {Job} */ (data);
      const result = await work(job, (progress) => port.postMessage({ progress }, []));
      port.postMessage({ result }, []);
    } catch (thrown) {
      port.postMessage({ error: dataOf(thrown) }, []);
    }
  };
}
