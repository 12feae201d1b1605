/**
 * The state of a trainer. Parameters, moments and gradients stay in the memory of an instance of the module, and
 * a step is one call.
 */
import { BackendError, reject } from '../attention/errors.js';
import { ATTN_ADAMW, ATTN_TRAINING } from '../attention/kernel/generated/structs.js';
import { now, pause } from '../shared/pause.js';
import { loadText, readTargets } from './forward.js';
import { differentiate } from './gradient-helpers.js';
import { cut, mean } from './gradient-parts.js';
import { loadConfig, loadParameters, parameterTotal, readModel, takeParameters } from './model.js';
import { openOwn } from './module.js';
import { rateOf } from './schedule.js';
import { readTexts } from './tokens.js';
import { writeTrainer } from './trainer-file.js';
import { readSettings, readTask } from './trainer-options.js';

/**
 * @import { FileBytes } from './headed-file.js'
 * @import { Block } from '../attention/heads.js'
 * @import { Kernel } from '../attention/kernel/kernel.js'
 * @import { Helper } from './gradient-helpers.js'
 * @import { Part, PartGradient } from './gradient-parts.js'
 * @import { Progress, StepResult } from './trainer.js'
 * @import { Task } from './trainer-options.js'
 */

/** The training went astray: its loss is no number any more, or has risen far beyond its start. */
export class TrainingError extends Error {
  name = 'TrainingError';
  /** @readonly */ code = 'ATTN_TRAINING';
}

const WORD = 2 ** 32;
/** The high word of the streams of windows; those of the start of a model are 0. */
const WINDOWS = 1;
/** Milliseconds of training after which the page gets its turn. */
const SLICE = 12;
/** A loss this many times that of the start, or of guessing, has diverged. */
const FAR = 10;

export class TrainerState {
  /** @param {unknown} model @param {unknown} options @param {string} [caller] */
  constructor(model, options, caller = 'createTrainer') {
    const read = readModel(caller, model);
    this.settings = readSettings(caller, options);
    this.config = read.config;
    /** The steps that are done. */
    this.done = 0;
    this.isTraining = false;
    /** When the page had its last turn. */
    this.since = now();
    this.kernel = openOwn(caller);
    this.kernel.caller = caller;
    this.arena = this.kernel.arena;
    this.place = placesIn(this.kernel, read);
  }

  /**
   * Does `work` on the instance, unless a failure has cost it its memory.
   * @template T
   * @param {string} caller
   * @param {(kernel: Kernel) => T} work
   * @returns {T}
   */
  run(caller, work) {
    const { kernel } = this;
    if (!kernel.disposed && kernel.arena !== this.arena) {
      throw new BackendError(
        `${caller}: the kernel failed in an earlier step, expected a new trainer`,
      );
    }
    return kernel.run(caller, work);
  }

  /** Refuses a call amid a training. @param {string} caller */
  expectIdle(caller) {
    if (!this.isTraining) return;
    throw new BackendError(`${caller}: this trainer is training, expected one call at a time`);
  }

  /** Refuses a call whose steps would all have a rate of 0: it falls, so that the first step decides.
   *  @param {string} caller @param {number} more */
  expectRate(caller, more) {
    const { settings, done } = this;
    const { learningRate, steps = done + more } = settings;
    if (rateOf(settings, done, steps) > 0) return;
    if (learningRate === 0) reject(caller, 'learningRate', learningRate, 'a rate above 0');
    reject(
      caller,
      'steps',
      more,
      `none after the ${steps} of the schedule, which ends at a rate of 0: give createTrainer more steps, or schedule 'constant'`,
    );
  }

  /** Returns the model as it is. */
  model() {
    const { config, place } = this;
    const parameters = this.run('model', (kernel) =>
      takeParameters(kernel, config, place.parameters),
    );
    return { config: { ...config }, parameters };
  }

  /** Returns all numbers of parameters, or of a moment. @param {string} caller @param {Block} block @returns {Float32Array} */
  read(caller, block) {
    const all = new Float32Array(this.place.count);
    this.run(caller, (kernel) => kernel.read(block, all));
    return all;
  }

  /** Returns the state as a file. @returns {FileBytes} */
  save() {
    const caller = 'save';
    this.expectIdle(caller);
    const { parameters, first, second } = this.place;
    const arrays = [parameters, first, second].map((block) => this.read(caller, block));
    return writeTrainer(caller, this, arrays);
  }

  /** Goes on after some steps. @param {number} done @param {Float32Array} first @param {Float32Array} second */
  resume(done, first, second) {
    const { place } = this;
    this.done = done;
    this.run('resumeTrainer', (kernel) => {
      kernel.write(place.first, first);
      kernel.write(place.second, second);
    });
  }

  /** Trains on one batch. @param {unknown} tokens @param {unknown} targets @returns {StepResult} */
  step(tokens, targets) {
    const caller = 'step';
    this.expectIdle(caller);
    const texts = readTexts(caller, 'tokens', tokens, this.config);
    const wanted = readTargets(caller, targets, texts, this.config);
    const { schedule, steps } = this.settings;
    if (schedule === 'cosine' && steps === undefined) {
      reject(
        caller,
        'steps',
        steps,
        "those of the cosine in createTrainer, or schedule 'constant'",
      );
    }
    return this.advance(caller, { texts, targets: wanted }, steps ?? Infinity);
  }

  /**
   * Takes one step on a batch.
   * @param {string} caller
   * @param {Part} batch
   * @param {number} steps of the schedule
   * @returns {StepResult}
   */
  advance(caller, { texts, targets }, steps) {
    const { config, training } = this.place;
    return this.move(caller, steps, (kernel, optimizer, results) => {
      const text = loadText(kernel, texts, targets);
      const scratch = kernel.scratch('attn_language_step_scratch', config, text);
      kernel.call('attn_language_step', config, optimizer, training, text, results, scratch);
      return kernel.readDoubles(results, 2);
    });
  }

  /**
   * Takes one step on a batch in parts.
   * @param {string} caller
   * @param {Part[]} parts
   * @param {number} steps of the schedule
   * @param {Helper[]} helpers
   * @returns {Promise<StepResult>}
   */
  async advanceInParts(caller, parts, steps, helpers) {
    const { config, gradients, training } = this.place;
    const all = mean(parts, await this.differentiate(caller, parts, helpers));
    return this.move(caller, steps, (kernel, optimizer, results) => {
      kernel.write(gradients, all.gradients);
      kernel.call('attn_language_update', config, optimizer, training, all.loss, results);
      return [all.loss, ...kernel.readDoubles(results, 1)];
    });
  }

  /**
   * Returns the gradients of parts: the first of this thread, the others of helpers, or of this thread where
   * they fail.
   * @param {string} caller
   * @param {Part[]} parts
   * @param {Helper[]} helpers
   * @returns {Promise<PartGradient[]>}
   */
  async differentiate(caller, parts, helpers) {
    const ready = helpers.filter(({ isReady }) => isReady());
    const start = (/** @type {number} */ i) => Math.floor((i * parts.length) / (1 + ready.length));
    const own = async (/** @type {Part[]} */ some) => {
      /** @type {PartGradient[]} */
      const results = [];
      for (const part of some) {
        results.push(this.run(caller, (kernel) => differentiate(kernel, this.place, part)));
        await this.rest();
      }
      return results;
    };
    const parameters =
      ready.length > 0 ? this.read(caller, this.place.parameters) : new Float32Array();
    const theirs = ready.map((helper, i) => {
      const some = parts.slice(start(i + 1), start(i + 2));
      return helper.differentiate(parameters, some).catch(() => own(some));
    });
    return (await Promise.all([own(parts.slice(0, start(1))), ...theirs])).flat();
  }

  /**
   * Moves the parameters.
   * @param {string} caller
   * @param {number} steps of the schedule
   * @param {(kernel: Kernel, optimizer: Block, results: Block) => Iterable<number>} work returns loss and norm
   * @returns {StepResult}
   */
  move(caller, steps, work) {
    const { settings: s } = this;
    const fields = {
      rate: rateOf(s, this.done, steps),
      beta1: s.beta1,
      beta2: s.beta2,
      epsilon: s.epsilon,
      decay: s.weightDecay,
      clip: s.clip,
      step: this.done + 1,
    };
    const [loss, gradientNorm] = this.run(caller, (kernel) =>
      work(kernel, kernel.struct(ATTN_ADAMW, fields), kernel.bytes(16)),
    );
    if (!Number.isFinite(loss + gradientNorm)) {
      throw new TrainingError(
        `${caller}: the loss is ${loss} and the norm of its gradient ${gradientNorm} at step ${this.done + 1}, expected finite numbers: learningRate ${s.learningRate} may be too large`,
      );
    }
    this.done += 1;
    return { loss, gradientNorm };
  }

  /** Gives the page its turn, if a slice of time is over. */
  async rest() {
    if (now() - this.since < SLICE) return;
    await pause();
    this.since = now();
  }

  /** Trains on random windows. @param {unknown} tokens @param {unknown} options @param {Helper[]} [helpers]
   *  @returns {Promise<Progress>} */
  async train(tokens, options, helpers = []) {
    const caller = 'train';
    const task = readTask(caller, tokens, options, this.config);
    this.expectIdle(caller);
    this.expectRate(caller, task.steps);
    this.isTraining = true;
    try {
      return await this.follow(caller, task, helpers);
    } finally {
      this.isTraining = false;
    }
  }

  /** Takes the steps of a task. @param {string} caller @param {Task} task @param {Helper[]} helpers
   *  @returns {Promise<Progress>} */
  async follow(caller, { list, batch, parts, steps, signal, onProgress }, helpers) {
    const end = this.done + steps;
    const total = (this.settings.steps ??= end);
    const guess = Math.log(this.config.vocabulary);
    let most = Infinity;
    let progress = { step: this.done, loss: NaN, gradientNorm: NaN };
    for (this.since = now(); this.done < end;) {
      signal?.throwIfAborted();
      const drawn = this.windows(caller, list, batch);
      const result = await (parts === 1
        ? this.advance(caller, drawn, total)
        : this.advanceInParts(caller, cut(drawn, parts), total, helpers));
      progress = { step: this.done, ...result };
      most = Math.min(most, FAR * Math.max(guess, result.loss));
      if (result.loss > most) {
        throw new TrainingError(
          `${caller}: the loss has risen to ${result.loss.toPrecision(3)} at step ${this.done}, expected at most ${most.toPrecision(3)}: learningRate ${this.settings.learningRate} may be too large`,
        );
      }
      onProgress?.(progress);
      await this.rest();
    }
    return progress;
  }

  /**
   * Draws windows of the list, and the tokens that follow theirs: those of step n depend on the seed and n
   * alone.
   * @param {string} caller
   * @param {Int32Array} list
   * @param {number} batch
   * @returns {Part}
   */
  windows(caller, list, batch) {
    const { context: n } = this.config;
    const { seed } = this.settings;
    const uniform = new Float32Array(2 * batch);
    this.run(caller, (kernel) => {
      const block = kernel.floats(uniform.length);
      const key = [seed % WORD, Math.floor(seed / WORD)];
      kernel.call('attn_random_uniform', key[0], key[1], this.done, WINDOWS, uniform.length, 0, 1, block); // prettier-ignore
      kernel.read(block, uniform);
    });
    const data = new Int32Array(batch * n);
    const targets = new Int32Array(batch * n);
    for (let b = 0; b < batch; b++) {
      const share = uniform[2 * b] + uniform[2 * b + 1] * 2 ** -24; // 48 bits
      const start = Math.floor(share * (list.length - n));
      data.set(list.subarray(start, start + n), b * n);
      targets.set(list.subarray(start + 1, start + n + 1), b * n);
    }
    return { texts: { data, shape: [batch, n], batch, n }, targets };
  }
}

/**
 * Allocates what lives from step to step.
 * @param {Kernel} kernel
 * @param {ReturnType<typeof readModel>} model
 */
function placesIn(kernel, model) {
  const count = parameterTotal(model.config);
  const config = loadConfig(kernel, model.config);
  const parameters = loadParameters(kernel, model);
  const gradients = kernel.floats(count);
  const [first, second] = [kernel.zeros(count), kernel.zeros(count)];
  const training = kernel.struct(ATTN_TRAINING, { parameters, gradients, first, second });
  return { count, config, parameters, gradients, first, second, training };
}
