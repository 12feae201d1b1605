// Loads the worker of long experiments for an embed, in place of experiments/load.js.
import { loadScript } from './fallback-script.js';

/** Loads the worker. @returns {Promise<{ text: string }>} */
export async function loadWorker() {
  await loadScript('experiments-worker');
  return { text: Reflect.get(globalThis, 'attentionLabWorkers').experiments };
}
