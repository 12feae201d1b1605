/**
 * A worker for one long experiment: receives the page's kernel and what to compute, and answers with the
 * rows so far, then with all of them. web/build/texts.js bundles this file as text.
 */
import { init } from '../attention/index.js';
import { answer } from '../parallel/apart.js';
import { LONG } from './long-experiments.js';

answer(async ({ kernel, name, options }, onProgress) => {
  await init(kernel);
  /** @type {(options: any) => Promise<object[]>} */
  const experiment = LONG[/** @type {keyof typeof LONG} */ (name)];
  return experiment({ ...options, onProgress });
});
