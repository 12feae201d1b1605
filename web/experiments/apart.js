/**
 * Runs long experiments in a worker, so that the page stays free; where none may start, or it ends, in
 * slices on the caller's thread, with the same rows.
 */
import { backend as backendInUse } from '../attention/kernel/active.js';
import { openKernel } from '../attention/kernel/backends.js';
import { NoWorker, runApart } from '../parallel/apart.js';
import { loadWorker } from './load.js';

/**
 * @import { Control } from '../shared/slices.js'
 * @import { LONG } from './long.js'
 */

/**
 * Runs an experiment.
 *
 * @template {object} Options
 * @template Row
 * @param {keyof typeof LONG} name of the experiment in the worker
 * @param {(options: Options & Control<Row>) => Promise<Row[]>} experiment the same for this thread
 * @param {Options} options
 * @param {Control<Row>} [control]
 * @returns {Promise<Row[]>} the rows; those so far if the signal aborted
 */
export async function apart(name, experiment, options, control = {}) {
  const { signal, onProgress } = control;
  /** @type {Row[]} */
  let rows = [];
  try {
    const { text, kernel } = await workerHere();
    return await runApart(
      text,
      { kernel, name, options },
      {
        signal,
        onProgress(progress) {
          ({ rows } = progress);
          onProgress?.(progress);
        },
      },
    );
  } catch (thrown) {
    if (signal?.aborted) return rows;
    if (!(thrown instanceof NoWorker)) throw thrown;
    return experiment({ ...options, ...control });
  }
}

/** Returns the text of the worker and the kernel in use, which it shall have. */
async function workerHere() {
  const { backend, module } = await openKernel('apart', backendInUse() ?? 'auto');
  if (!module) throw new NoWorker('the kernel is no module of WebAssembly');
  try {
    const { text } = await loadWorker();
    return { text, kernel: { backend, module } };
  } catch {
    throw new NoWorker('its file did not load');
  }
}
