/**
 * The training of a new model from start to end, which writes a text now and then: on this thread, or in a
 * worker (worker.js).
 */
import { pause } from '../shared/pause.js';
import { generate } from './generate.js';
import { createModel } from './model.js';
import { TrainerState } from './trainer-state.js';

/**
 * @import { Helper } from './gradient-helpers.js'
 * @import { Config, Model, ModelOptions } from './model.js'
 * @import { Tokenizer } from './tokenizer.js'
 * @import { Progress, TrainerOptions } from './trainer.js'
 */

/**
 * @typedef {object} Course
 * @property {ModelOptions} model sizes, scale and seed of the start
 * @property {Omit<TrainerOptions, 'steps'>} training
 * @property {Int32Array} tokens one long list
 * @property {number} batch windows a step
 * @property {number} parts of a batch
 * @property {number} steps
 * @property {number} every steps between texts
 * @property {string} prompt with which a text begins
 * @property {Tokenizer} [tokenizer] of texts; without it none is written
 *
 * @typedef {Progress & { text?: string }} CourseProgress
 */

/** Tokens of a text, and those that are written between two pauses. */
const LENGTH = 32;
const PART = 2;
const TEMPERATURE = 0.7;

/**
 * Writes a text with a model, in slices.
 * @param {Model} model
 * @param {string} prompt
 * @param {Tokenizer} tokenizer
 * @param {AbortSignal | undefined} signal
 */
async function write(model, prompt, tokenizer, signal) {
  let text = prompt;
  for (let seed = 0; seed < LENGTH / PART; seed++) {
    signal?.throwIfAborted();
    text = generate(model, text, { tokenizer, length: PART, temperature: TEMPERATURE, seed });
    await pause();
  }
  return text;
}

/**
 * Trains a new model.
 * @param {Course} course
 * @param {{ signal?: AbortSignal, onProgress: (progress: CourseProgress) => void,
 *   helpers?: (config: Config) => Helper[] }} control
 * @returns {Promise<Model>}
 */
export async function followCourse(course, { signal, onProgress, helpers: start = () => [] }) {
  const { training, tokens, batch, parts, steps, every, prompt, tokenizer } = course;
  const model = createModel(course.model);
  const trainer = new TrainerState(model, { ...training, steps });
  const helpers = start(model.config);
  try {
    while (trainer.done < steps) {
      const stretch = Math.min(every, steps - trainer.done);
      const options = { batch, parts, steps: stretch, signal, onProgress };
      const progress = await trainer.train(tokens, options, helpers);
      if (!tokenizer) continue;
      onProgress({ ...progress, text: await write(trainer.model(), prompt, tokenizer, signal) });
    }
    return trainer.model();
  } finally {
    trainer.kernel.dispose();
    for (const helper of helpers) helper.end();
  }
}
