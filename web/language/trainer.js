/** Training by AdamW (Loshchilov & Hutter, "Decoupled weight decay regularization", 2019). */
import { readTrainer } from './trainer-file.js';
import { TrainerState } from './trainer-state.js';

/**
 * @import { FileBytes } from './headed-file.js'
 * @import { Model } from './model.js'
 * @import { TokensLike } from './tokens.js'
 */

/**
 * @typedef {object} TrainerOptions
 * @property {number} [learningRate] .002 by default
 * @property {readonly [number, number]} [betas] of the two moments, [.9, .99] by default
 * @property {number} [epsilon] 1e-8 by default
 * @property {number} [weightDecay] of all parameters, .01 by default
 * @property {number} [clip] the largest norm of a gradient, 1 by default; 0 for any
 * @property {number} [warmUp] steps in which the rate rises to its full value, 100 by default, but never more than
 *   a tenth of `steps`: a short training would be over before it began
 * @property {number} [steps] in all, of the cosine; by default those of the first `train`
 * @property {'cosine' | 'constant'} [schedule] how the rate falls: along half a cosine from step 0 to the last, times
 *   the warm-up, to 0; or not at all
 * @property {number} [seed] of the windows that `train` draws, a non-negative safe integer, 0 by default
 */

/**
 * @typedef {object} TrainOptions
 * @property {number} steps how many more
 * @property {number} [batch] windows a step, 16 by default
 * @property {number} [parts] into which a batch is cut, 1 by default; their gradients are added in order, and a
 *   page has its turn between them
 * @property {AbortSignal} [signal] ends the training between two steps; the model stays as it is then
 * @property {(progress: Progress) => void} [onProgress] called after each step
 */

/** @typedef {{ step: number, loss: number, gradientNorm: number }} Progress `step` counted from 1 */
/** @typedef {{ loss: number, gradientNorm: number }} StepResult both of before the step */

/**
 * @typedef {object} Trainer
 * @property {(tokens: TokensLike, targets: TokensLike) => StepResult} step trains on one batch
 * @property {(tokens: TokensLike, options: TrainOptions) => Promise<Progress>} train trains on random windows
 *   of one long list of tokens, in slices between which a page stays responsive
 * @property {Model} model as it is now, a copy
 * @property {number} steps those that are done
 * @property {() => FileBytes} save returns the whole state as a file, from which `resumeTrainer` goes on
 * @property {() => void} dispose ends the trainer and frees its memory
 */

/**
 * Makes a trainer of a model, which is copied. The same seeds and data give the same parameters bit for
 * bit in every engine.
 *
 * Cost: a step takes 6 flop a weight and token, and those of attention.
 * @param {Model} model
 * @param {TrainerOptions} [options]
 * @returns {Trainer}
 * @throws {ShapeError} for a model whose parameters do not fit
 * @throws {DTypeError} for unknown options and values
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = createModel({ vocabulary: 3, context: 4, dModel: 8, seed: 1 });
 * const trainer = createTrainer(model, { learningRate: 0.01, warmUp: 0, schedule: 'constant' });
 * const text = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2];
 * const { loss } = await trainer.train(text, { steps: 100, batch: 4 });
 * loss < 0.2; // true
 * trainer.model.parameters.token.shape; // [3, 8]
 * trainer.dispose();
 */
export function createTrainer(model, options) {
  return handleOf(new TrainerState(model, options));
}

/**
 * Makes a trainer again from a file, and goes on where it was: later steps give the same bits as without the
 * break.
 * @param {Uint8Array | ArrayBuffer} bytes that `save` of a trainer returned
 * @returns {Trainer}
 * @throws {ShapeError} for a file that is too short or too long
 * @throws {DTypeError} for bytes that are no such file
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = createModel({ vocabulary: 3, context: 4, dModel: 8, seed: 1 });
 * const trainer = createTrainer(model, { steps: 20 });
 * const text = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2];
 * await trainer.train(text, { steps: 5 });
 * const resumed = resumeTrainer(trainer.save());
 * const { step } = await resumed.train(text, { steps: 15 });
 * step; // 20
 */
export function resumeTrainer(bytes) {
  const caller = 'resumeTrainer';
  const { model, options, done, first, second } = readTrainer(caller, bytes);
  const trainer = new TrainerState(model, options, caller);
  trainer.resume(done, first, second);
  return handleOf(trainer);
}

/** Returns what a caller sees of a trainer. @param {TrainerState} trainer @returns {Trainer} */
function handleOf(trainer) {
  return Object.freeze({
    step: (/** @type {TokensLike} */ tokens, /** @type {TokensLike} */ targets) =>
      trainer.step(tokens, targets),
    train: (/** @type {TokensLike} */ tokens, /** @type {TrainOptions} */ given) =>
      trainer.train(tokens, given),
    get model() {
      return trainer.model();
    },
    get steps() {
      return trainer.done;
    },
    save: () => trainer.save(),
    dispose: () => trainer.kernel.dispose(),
  });
}
