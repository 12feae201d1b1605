/**
 * A worker for one long experiment: receives the page's kernel and what to compute, and answers with the
 * rows so far, then with all of them or an error. web/build/embed-worker.js bundles this file as text.
 */
import { init } from '../attention/index.js';
import { reason } from '../attention/errors.js';
import { port } from '../parallel/port.js';
import { LONG } from './long.js';

port.onmessage = async (/** @type {{ data: any }} */ { data: { kernel, name, options } }) => {
  try {
    await init(kernel);
    /** @type {(options: any) => Promise<object[]>} */
    const experiment = LONG[/** @type {keyof typeof LONG} */ (name)];
    const onProgress = (/** @type {object} */ progress) => port.postMessage({ progress });
    port.postMessage({ rows: await experiment({ ...options, onProgress }) });
  } catch (thrown) {
    port.postMessage({ error: reason(thrown) });
  }
};
