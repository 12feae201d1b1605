/**
 * The worker of `trainApart`: receives the module of the language model and a course, and answers with its
 * progress and the model. web/build/embed-worker.js bundles this file as text.
 */
import { reason } from '../attention/errors.js';
import { follow } from './course.js';
import { initLanguage } from './module.js';
import { loadTokenizer } from './tokenizer.js';

/** The other end: in Node the port of the parent, else the scope of the worker. @type {any} */
const port = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort ?? globalThis;

port.onmessage = async (/** @type {{ data: any }} */ { data: { module, backend, course } }) => {
  try {
    await initLanguage({ module, backend });
    port.postMessage({ isReady: true });
    const tokenizer = course.tokenizer && loadTokenizer(course.tokenizer);
    const onProgress = (/** @type {unknown} */ progress) => port.postMessage({ progress });
    port.postMessage({ model: await follow({ ...course, tokenizer }, { onProgress }) });
  } catch (thrown) {
    const { name, code } = /** @type {any} */ (thrown ?? {});
    port.postMessage({ error: { name, code, message: reason(thrown) } });
  }
};
