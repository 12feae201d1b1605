/** Training apart from the thread that asks for it: in a worker, or in slices where there are none. */
import { load } from '../assets/import.js';
import { reject } from '../attention/errors.js';
import { readEntries, readInteger, readOptions } from '../attention/options.js';
import { concurrency, NoWorker, runApart } from '../parallel/apart.js';
import { LANGUAGE_WORKER } from './assets.js';
import { followCourse } from './training-course.js';
import { readConfig } from './model.js';
import { moduleForWorkers } from './module.js';
import { readTokens } from './tokens.js';
import { readParts } from './trainer-options.js';

/**
 * @import { Course, CourseProgress } from './training-course.js'
 * @import { Model, ModelOptions } from './model.js'
 * @import { Tokenizer } from './tokenizer.js'
 * @import { TokensLike } from './tokens.js'
 * @import { TrainerOptions } from './trainer.js'
 */

/**
 * @typedef {object} TrainApartOptions
 * @property {ModelOptions} model as for `createModel`: sizes, scale and the seed of its start
 * @property {TokensLike} tokens one long list
 * @property {number} steps
 * @property {number} [batch] windows a step, 16 by default
 * @property {number} [parts] into which a batch is cut, 1 by default: their gradients are added in order, so the
 *   bits depend on the number of parts alone
 * @property {number} [workers] that compute the parts, by default as many as the machine runs side by side
 * @property {Omit<TrainerOptions, 'steps'>} [training] as for `createTrainer`
 * @property {Tokenizer} [tokenizer] lets the model write now and then
 * @property {string} [prompt] with which it begins, '\n' by default
 * @property {number} [every] steps between texts, 100 by default
 * @property {AbortSignal} [signal] ends the training
 * @property {(progress: CourseProgress) => void} [onProgress] called after each step, and with each text
 */

const OPTIONS = [
  'model',
  'tokens',
  'steps',
  'batch',
  'parts',
  'workers',
  'training',
  'tokenizer',
  'prompt',
  'every',
  'signal',
  'onProgress',
];

/**
 * Trains a new model in workers of its own, or, where there are none, on this thread, in slices between which a
 * page stays responsive: the same bits either way. With `parts` a batch is shared by several workers.
 * @param {TrainApartOptions} options
 * @returns {Promise<Model>}
 * @throws {ShapeError | DTypeError} (as a rejection) as `createModel`, `createTrainer` and `train` do
 * @throws {TrainingError} if the training goes astray
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = { vocabulary: 3, context: 4, dModel: 8, seed: 1 };
 * const tokens = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2];
 * const trained = await trainApart({ model, tokens, steps: 5, batch: 2 });
 * trained.parameters.token.shape; // [3, 8]
 */
export async function trainApart(options) {
  const caller = 'trainApart';
  const given = readOptions(caller, options, OPTIONS);
  const { signal, onProgress = () => {}, prompt = '\n' } = given;
  if (typeof onProgress !== 'function') reject(caller, 'onProgress', onProgress, 'a function');
  if (typeof prompt !== 'string') reject(caller, 'prompt', prompt, 'a string');
  const model = readEntries(caller, given.model, 'model');
  const { vocabulary } = readConfig(caller, model);
  const batch = readInteger(caller, 'batch', given.batch, 1, 16);
  const parts = readParts(caller, given.parts, batch);
  const workers = readInteger(caller, 'workers', given.workers, 1, concurrency());
  const course = /** @type {Course} */ ({
    model,
    training: readEntries(caller, given.training, 'training'),
    tokens: readTokens(caller, 'tokens', given.tokens, vocabulary),
    batch,
    parts,
    steps: readInteger(caller, 'steps', given.steps, 1),
    every: readInteger(caller, 'every', given.every, 1, 100),
    prompt,
    tokenizer: given.tokenizer,
  });
  const control = /** @type {Parameters<typeof followCourse>[1]} */ ({ signal, onProgress });
  control.signal?.throwIfAborted();
  let hasBegun = false;
  try {
    return await followInWorkers(Math.min(parts, workers), course, {
      signal: control.signal,
      onProgress: (progress) => {
        hasBegun = true;
        control.onProgress(progress);
      },
    });
  } catch (thrown) {
    if (hasBegun || !(thrown instanceof NoWorker)) throw thrown;
    return followCourse(course, control);
  }
}

/**
 * Follows a course in workers: one follows it, the others help it.
 * @param {number} workers
 * @param {Course} course
 * @param {Parameters<typeof followCourse>[1]} control
 * @returns {Promise<Model>}
 */
async function followInWorkers(workers, { tokenizer, ...course }, control) {
  const kernel = moduleForWorkers('trainApart');
  if (!kernel.module) throw new NoWorker('there is no WebAssembly here');
  const { text } = await load(LANGUAGE_WORKER, 'language-worker');
  const plain = { ...course, tokenizer: tokenizer?.toJSON() };
  return runApart(text, { kernel, course: plain, helpers: workers - 1, text }, control);
}
