/**
 * Runs long experiments in a worker, so that the page stays free; where none may start, or it ends, in
 * slices on the caller's thread, with the same rows.
 */
import { load } from '../assets/import.js';
import { EXPERIMENTS_WORKER } from '../assets/list.js';
import { kernelToSend, NoWorker, runApart } from '../parallel/apart.js';

/**
 * @import { Control } from '../shared/slices.js'
 * @import { LONG } from './long-experiments.js'
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
export async function inWorker(name, experiment, options, control = {}) {
  const { signal, onProgress } = control;
  /** @type {Row[]} */
  let rows = [];
  try {
    const kernel = await kernelToSend();
    return await runApart(
      await workerText(),
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
    return experiment({ ...options, signal, onProgress });
  }
}

/** Returns the text of the worker. */
async function workerText() {
  try {
    return (await load(EXPERIMENTS_WORKER, 'experiments-worker')).text;
  } catch {
    throw new NoWorker('its file did not load');
  }
}
