/**
 * Runs long experiments in a worker, so that the page stays free; where none may start, or it ends, in
 * slices on the caller's thread, with the same rows.
 */
import { load } from '../assets/import.js';
import { kernelToSend, NoWorker, runApart, startApart } from '../parallel/apart.js';
import { EXPERIMENTS_WORKER } from './assets.js';

/**
 * @import { Control } from '../shared/slices.js'
 * @import { LONG } from './long-experiments.js'
 */

/**
 * Runs an experiment.
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

/**
 * Runs an experiment again and again in one worker, which ends when the signal aborts.
 * @template {object} Options
 * @template Row
 * @param {keyof typeof LONG} name of the experiment in the worker
 * @param {(options: Options & Control<Row>) => Promise<Row[]>} experiment the same for this thread
 * @param {AbortSignal} signal
 * @returns {(options: Options) => Promise<Row[]>} none, or those so far, once the signal aborts
 */
export function inOneWorker(name, experiment, signal) {
  /** @type {ReturnType<typeof startApart> | undefined} */
  let worker;
  let stop = () => {};
  signal.addEventListener('abort', () => {
    worker?.end();
    stop();
  });
  let isMissing = false;
  return async (options) => {
    if (isMissing) return experiment({ ...options, signal });
    try {
      // A worker keeps the kernel of its first job: another has another memory, on both threads.
      const kernel = worker ? undefined : await kernelToSend();
      const text = worker ? '' : await workerText();
      if (signal.aborted) return [];
      const asked = (worker ??= startApart(text)).ask({ kernel, name, options });
      return await new Promise((resolve, fail) => {
        stop = () => resolve([]);
        asked.then(resolve, fail);
      });
    } catch (thrown) {
      if (!(thrown instanceof NoWorker)) throw thrown;
      isMissing = true; // its file is not asked for again at each step
      return experiment({ ...options, signal });
    }
  };
}

/** Returns the text of the worker. */
async function workerText() {
  try {
    return (await load(EXPERIMENTS_WORKER, 'experiments-worker')).text;
  } catch {
    throw new NoWorker('its file did not load');
  }
}
