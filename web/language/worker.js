/**
 * The worker of `trainApart`: receives the module of the language model and a course, and answers with its
 * progress and the model. web/build/embed-worker.js bundles this file as text.
 */
import { answer } from '../parallel/apart.js';
import { follow } from './course.js';
import { initLanguage } from './module.js';
import { loadTokenizer } from './tokenizer.js';

answer(async ({ kernel, course }, onProgress) => {
  await initLanguage(kernel);
  const tokenizer = course.tokenizer && loadTokenizer(course.tokenizer);
  return follow({ ...course, tokenizer }, { onProgress });
});
