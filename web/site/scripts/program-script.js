// Loads the program of saved pages for an embed, in place of figures/view/load.js.
import { loadScript } from './fallback-script.js';

/** Loads the program. @returns {Promise<{ text: string, hash: string }>} */
export async function loadProgram() {
  await loadScript('view-program');
  return Reflect.get(globalThis, 'attentionLabProgram');
}
