/**
 * The worker of `trainApart`, which receives the module of the language model. It follows a course, and answers
 * with its progress and the model; or it helps such a worker with parts of gradients. web/build/texts.js
 * bundles this file as text.
 */
import { answer } from '../parallel/apart.js';
import { followCourse } from './training-course.js';
import { helperOf, startHelpers } from './gradient-helpers.js';
import { initLanguage } from './module.js';
import { loadTokenizer } from './tokenizer.js';

/** @import { Helper } from './gradient-helpers.js' */

/** What a helper does. @type {Helper['differentiate'] | undefined} */
let help;

answer(async ({ kernel, course, helpers, text, config, parameters, parts }, onProgress) => {
  if (parts) return help?.(parameters, parts);
  await initLanguage(kernel);
  if (config) return void (help = helperOf(config));
  const tokenizer = course.tokenizer && loadTokenizer(course.tokenizer);
  return followCourse(
    { ...course, tokenizer },
    { onProgress, helpers: (config) => startHelpers(helpers, text, { kernel, config }) },
  );
});
