/**
 * attention-lab/language: a small language model, computed and trained by a WebAssembly SIMD module. No
 * DOM, no side effects at import; works in browsers, workers, Node, Deno and Bun.
 */
export { trainApart } from './train-apart.js';
export { attentionOf, logits, lossGradient } from './forward.js';
export { generate } from './generate.js';
export { load, save } from './model-file.js';
export { createModel } from './model.js';
export { initLanguage } from './module.js';
export { characters, createTokenizer, loadTokenizer } from './tokenizer.js';
export { createTrainer, resumeTrainer } from './trainer.js';
export { TrainingError } from './trainer-state.js';

/**
 * @typedef {import('./model.js').Config} Config
 * @typedef {import('./model.js').Model} Model
 * @typedef {import('./model.js').ModelOptions} ModelOptions
 * @typedef {import('./model.js').Parameters} Parameters
 * @typedef {import('./forward.js').LayerAttention} LayerAttention
 * @typedef {import('./tokens.js').TokensLike} TokensLike
 * @typedef {import('./train-apart.js').TrainApartOptions} TrainApartOptions
 * @typedef {import('./training-course.js').CourseProgress} CourseProgress
 * @typedef {import('./trainer.js').Trainer} Trainer
 * @typedef {import('./trainer.js').TrainerOptions} TrainerOptions
 * @typedef {import('./trainer.js').TrainOptions} TrainOptions
 * @typedef {import('./trainer.js').Progress} Progress
 * @typedef {import('./trainer.js').StepResult} StepResult
 * @typedef {import('./generate.js').GenerateOptions} GenerateOptions
 * @typedef {import('./tokenizer.js').Tokenizer} Tokenizer
 * @typedef {import('./tokenizer.js').SavedTokenizer} SavedTokenizer
 * @typedef {import('./model-file.js').SaveOptions} SaveOptions
 * @typedef {import('./model-file.js').LoadedModel} LoadedModel
 */
