/**
 * A worker for long experiments, one after another: receives what to compute, and with the first the page's kernel,
 * and answers with the rows so far, then with all of them. web/build/texts.js bundles this file as text.
 */
import { init } from '../attention/index.js';
import { answer } from '../parallel/apart.js';
import { LONG } from './long-experiments.js';

answer(async ({ kernel, name, options }, onProgress) => {
  if (kernel) await init(kernel);
  /** @type {(options: any) => Promise<object[]>} */
  const experiment = LONG[/** @type {keyof typeof LONG} */ (name)];
  return experiment({ ...options, onProgress });
});
