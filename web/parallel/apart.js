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
 * A worker, which does one job after another. `ask` returns the result of a job, or rejects with its error, or
 * with NoWorker if the worker ended or cannot receive the job. `hold` keeps a program of Node alive.
 *
 * @typedef {{ ask: (job: object, transfers?: ArrayBuffer[]) => Promise<any>,
 *   hold: (isBusy: boolean) => void, end: () => void }} Apart
 */

/**
 * Starts a worker.
 *
 * @param {string} text a classic script
 * @param {(progress: any) => void} [onProgress]
 * @param {() => void} [onEnd] called when the worker fails, before its jobs reject
 * @returns {Apart}
 * @throws {NoWorker} where workers are missing or forbidden
 */
export function startApart(text, onProgress = () => {}, onEnd = () => {}) {
  /** @type {NoWorker | undefined} */
  let ended;
  /** Settles the jobs that the worker has, in order.
   *  @type {{ resolve: (result: unknown) => void, fail: (error: unknown) => void }[]} */
  const waiting = [];
  /** @type {Thread} */
  let thread;
  try {
    thread = startThread(text, {
      onMessage: (/** @type {Answer} */ { progress, result, error }) => {
        if (progress) return onProgress(progress);
        const job = waiting.shift();
        if (error) job?.fail(errorFrom(error));
        else job?.resolve(result);
      },
      onFailure: (why) => {
        ended = new NoWorker(why);
        onEnd();
        for (const { fail } of waiting.splice(0)) fail(ended);
      },
    });
  } catch (thrown) {
    throw new NoWorker(reason(thrown));
  }
  const ask = (/** @type {object} */ job, /** @type {ArrayBuffer[]} */ transfers = []) =>
    new Promise((resolve, fail) => {
      if (ended) throw ended;
      try {
        thread.post(job, transfers);
      } catch (thrown) {
        throw new NoWorker(reason(thrown));
      }
      waiting.push({ resolve, fail });
    });
  return { ask, hold: (isBusy) => thread.hold(isBusy), end: () => thread.end() };
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
 * @param {(result: unknown) => ArrayBuffer[]} [transfersOf] a result, which moves instead of being copied
 */
export function answer(work, transfersOf = () => []) {
  port.onmessage = async ({ data }) => {
    try {
      const job = /** @type {Job} */ (data);
      const result = await work(job, (progress) => port.postMessage({ progress }, []));
      port.postMessage({ result }, transfersOf(result));
    } catch (thrown) {
      port.postMessage({ error: dataOf(thrown) }, []);
    }
  };
}
