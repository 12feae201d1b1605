/**
 * Runs one long job in a worker of its own, with the kernel of the page, as the figures do. The worker is
 * a text, and answers `{ progress: { fraction, rows } }` and at last `{ rows }` or `{ error }`.
 */
import { reason } from '../attention/errors.js';
import { backend as backendInUse } from '../attention/kernel/active.js';
import { openKernel } from '../attention/kernel/backends.js';
import { startThread } from './threads.js';

/** @import { Control } from '../shared/slices.js' */

/** No worker may start, or it ended: no fault of the job, which the caller's thread can do. */
export class NoWorker extends Error {}

/**
 * Runs a job in a worker, which ends with it.
 *
 * @template Row
 * @param {string} text of the worker, a classic script
 * @param {object} job
 * @param {Control<Row>} [control]
 * @returns {Promise<Row[]>} the rows; those so far if the signal aborted
 * @throws {NoWorker} (as a rejection) where workers are missing or forbidden, or without WebAssembly
 */
export async function runApart(text, job, { signal, onProgress } = {}) {
  const { backend, module } = await openKernel('runApart', backendInUse() ?? 'auto');
  if (!module) throw new NoWorker('the kernel is no module of WebAssembly');
  if (signal?.aborted) return [];
  return new Promise((resolve, reject) => {
    /** @type {Row[]} */
    let rows = [];
    const thread = start(text, {
      onMessage: ({ progress, rows: all, error }) => {
        if (error !== undefined) end(() => reject(new Error(error)));
        else if (all) end(() => resolve(all));
        else {
          rows = progress.rows;
          onProgress?.(progress);
        }
      },
      onFailure: (why) => end(() => reject(new NoWorker(why))),
    });
    const abort = () => end(() => resolve(rows));
    const end = (/** @type {() => void} */ settle) => {
      signal?.removeEventListener('abort', abort);
      thread.end();
      settle();
    };
    signal?.addEventListener('abort', abort);
    thread.post({ kernel: { backend, module }, ...job }, []);
  });
}

/** Starts a worker. @type {typeof startThread} */
function start(text, handlers) {
  try {
    return startThread(text, handlers);
  } catch (thrown) {
    throw new NoWorker(reason(thrown));
  }
}
