// Loads the language model's files for an embed, in place of language/load.js and language/recorded/files.js.
import { loadScript } from './fallback-script.js';

export { loadRelaxed } from './fallback-script.js';

/**
 * Loads the language model's module without SIMD.
 * @returns {Promise<typeof import('../../language/generated/fallback.js')>}
 */
export async function loadFallback() {
  await loadScript('language-fallback');
  return Reflect.get(globalThis, 'attentionLabLanguageFallback');
}

/** Loads the worker of `trainApart`. @returns {Promise<{ text: string }>} */
export async function loadWorker() {
  await loadScript('language-worker');
  return { text: Reflect.get(globalThis, 'attentionLabWorkers').language };
}

/**
 * Loads a recorded file.
 * @param {string} name
 * @returns {Promise<{ default: unknown }>}
 */
export async function loadRecorded(name) {
  await loadScript(`recorded/${name}`);
  return { default: Reflect.get(globalThis, 'attentionLabRecorded')[name] };
}
